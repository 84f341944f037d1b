// Ways out of a loop that a factor of zero closes: the other end of the loop bounds its rounds.

//! block (256)
//! bound sectors "4*ceil(m/6)*ceil(n/2)"
__global__ void products(int *a, int n, int m) {
    for (int i = 0; i < m; i += 6)
        for (int j = 0; j < n; j += 2) {
            if (i * j > 2) break;
            a[threadIdx.x] = i;
        }
}

// Where nothing else ends the loop, a step of zero never ends it: that it is none is a listed assumption.
//! block (256)
//! bound sectors "4*ceil(n/s)"
__global__ void alone(int *a, int n, int s) {
    for (int j = 0; j * s < n; j++) a[threadIdx.x] = j;
}
