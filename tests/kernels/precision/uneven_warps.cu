// Trees over a whole block: of its warps those drop out that have no part in a round.  Figures of a request are those of all warps, and the
// number of executions is that of the warp which stays.

//@ launch block=(256) grid=(64)
__global__ void tree(float *out, const float *in) {
    __shared__ float part[512];
    int t = threadIdx.x, stride = 2;
    part[t] = in[blockIdx.x * 256 + t];
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        // 8 warps meet in twos, 4 in fours, 2 in eights, then one in 16, 16, 8, 4, 2 and 1: 95 wavefronts of 20 requests.
        if (t < d) part[stride * t] = stride;
//                 ^^^^^^^^^^^^^^^^ warn[WC201]! "4.8 wavefronts on average where 1 would do (4.8x). Runs at most 9 times per warp"
        stride *= 2;
    }
    __syncthreads();
    out[blockIdx.x * 256 + t] = part[t];
}

// All warps come here as often.
//@ launch block=(256) grid=(64)
__global__ void steps(float *out, const float *in) {
    __shared__ float part[256 * 8];
    int t = threadIdx.x;
    for (int d = 1; d <= 8; d *= 2) {
        part[t * d] = in[blockIdx.x * 256 + t];
//      ^^^^^^^^^^^ info[WC201]! "3.8 wavefronts on average where 1 would do (3.8x). Runs 4 times per warp"
        __syncthreads();
        out[blockIdx.x * 256 + t] += part[t];
    }
}

// A triangle over the threads of a block: the last warp has all rounds, the first an eighth of them.
//@ launch block=(256) grid=(64)
__global__ void triangle(float *out, const float *in, int m) {
    float sum = 0;
    for (int u = 0; u <= 4 * threadIdx.x; u++)
        for (int j = 0; j < m; j++) sum += in[8 * threadIdx.x + 2048 * (u + j)];
//                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "uns at most 1021*m times per warp"
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// All warps have as many.
//@ launch block=(256) grid=(64)
__global__ void along(float *out, const float *in, int m) {
    float sum = 0;
    for (int u = threadIdx.x; u < 4096; u += 256)
        for (int j = 0; j < m; j++) sum += in[8 * u + 32768 * j];
//                                         ^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "4 would do (8x). Runs 16*m times per warp"
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// And over blocks: the sixth has all rounds.
//@ launch block=(32) grid=(6)
__global__ void triangle_of_blocks(float *out, int m) {
    float sum = 0;
    for (int u = 0; u <= 32 * blockIdx.x; u++)
        for (int j = 0; j < m; j++) sum += out[8 * threadIdx.x + 256 * (u + j)];
//                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "uns at most 161*m times per warp"
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}

// Not all of these kernels wait where they should.
