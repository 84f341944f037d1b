// Histograms of bytes, four to a word: counters of a warp's own, and all threads on one array of a declared extent.
// PARAM: --block 64

#define BINS 256

__global__ void by_warps(unsigned *counts, const unsigned *words, unsigned n) {
    __shared__ unsigned bins[2 * BINS];
    unsigned *mine = bins + threadIdx.x / 32 * BINS;
    for (unsigned i = threadIdx.x; i < 2 * BINS; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        unsigned four = words[i];
        mine[four & 255]++;
//      ^^^^^^^^^^^^^^^^ hint[WC201] "(up to 8) where 1 would do"
        mine[four >> 8 & 255]++;
//      ^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 8) where 1 would do"
        mine[four >> 16 & 255]++;
//      ^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 8) where 1 would do"
        mine[four >> 24]++;
//      ^^^^^^^^^^^^^^^^ hint[WC201] "(up to 8) where 1 would do"
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < BINS; bin += blockDim.x)
        counts[blockIdx.x * BINS + bin] = bins[bin] + bins[BINS + bin];
}

__global__ void by_extent(const unsigned *where, unsigned n) {
    __shared__ unsigned bins[BINS];
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        bins[where[i]] += 1;
//      ^^^^^^^^^^^^^^ hint[WC201] "(up to 8) where 1 would do"
}
