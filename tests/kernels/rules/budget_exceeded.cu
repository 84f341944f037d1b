// A budget is worth a line only where it cost precision.

__global__ void scramble(int *a) {
    unsigned x = threadIdx.x;
    for (int k = 0; k < 100000; k++) {
    //              ^^^^^^^^^^ info[WC904] "may be too high: the loop has too many iterations"
        x = x * 1664525u + 1013904223u;
        if (x > 77u) x ^= x >> 7;
    }
    a[x & 1023u] = 1;
}

__global__ void closed_form(int *a) {
    int sum = 0;
    for (int k = 0; k < 100000; k++) {
    //              ^^^^^^^^^^ none
        sum += a[k * 256 + threadIdx.x];
    }
    a[threadIdx.x] = sum;
}

void run(int *a) {
    scramble<<<1, 256>>>(a);
    closed_form<<<1, 256>>>(a);
}
