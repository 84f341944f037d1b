// Tree sums of 256 elements a block: four ways to choose who adds.
// PARAM: --block 256

extern __shared__ int part[];

__global__ void every_other(const int *in, int *out, unsigned n) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) part[t] = in[i];
    __syncthreads();
    for (unsigned apart = 1; apart < blockDim.x; apart *= 2) {
        if (t % (2 * apart) == 0)
//          ^^^^^^^^^^^^^^^^^^^^ info[WC301] "the warp splits, 5.4 of 32 threads active on average"
            part[t] += part[t + apart];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void first_threads(const int *in, int *out, unsigned n) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) part[t] = in[i];
    __syncthreads();
    for (unsigned apart = 1; apart < blockDim.x; apart *= 2) {
        int at = 2 * apart * t;
        if (at < blockDim.x)
            part[at] += part[at + apart];
//          ^^^^^^^^ warn[WC201] "up to 8-way, each request takes 3.9 wavefronts on average where 1 would do (3.9x). Runs at most 8 times"
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void halves(const int *in, int *out, unsigned n) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) part[t] = in[i];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void two_loads(const int *in, int *out, unsigned n) {
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    int mine = 0;
    if (i < n) mine = in[i];
    if (i + blockDim.x < n) mine += in[i + blockDim.x];
    part[t] = mine;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            part[t] = mine = mine + part[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = mine;
}

__global__ void counted_halves(const int *in, int *out, unsigned n) {
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i < n) part[t] = in[i];
    __syncthreads();
    for (unsigned parts = 2; parts < blockDim.x; parts *= 2) {
        int half = blockDim.x / parts;
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
