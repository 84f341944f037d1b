// All the work of a kernel is one thread's of the grid: without a launch in view it is taken to be launched with one.

__global__ void table_of(unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
//      ^^^^^^ none[WC301]
        for (int k = 0; k < n; k++)
            out[k] = k * k;
    }
}

// Launched with a whole block, it is worth a line.
__global__ void launched(unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
//      ^^^^^^ info[WC301]!
        for (int k = 0; k < n; k++)
            out[k] = k * k;
    }
}

void host(unsigned *out, int n) {
    launched<<<n / 256, 256>>>(out, n);
}
