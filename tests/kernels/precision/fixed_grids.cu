// A grid of a fixed number of blocks goes over data of any size in as many rounds as that takes: more than sizes of one round say.

// Each thread goes over a thousand elements before one of them looks through what the block has found: a few per cent of the work.
__global__ void peaks(float *best, const float *image, int n) {
    __shared__ float found[256];
    float mine = 0.0f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 128 * 256)
        mine += image[i];
    found[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
//      ^^^^^^^^^^^^^^^^ none[WC301]
        for (int i = 1; i < 256; i++)
            mine += found[i];
        best[blockIdx.x] = mine;
    }
}

// One block is what small data gets.
__global__ void last_peak(float *best, const float *image, int n) {
    __shared__ float found[256];
    float mine = 0.0f;
    for (int i = threadIdx.x; i < n; i += 256)
        mine += image[i];
    found[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
//      ^^^^^^^^^^^^^^^^ info[WC301]
        for (int i = 1; i < 256; i++)
            mine += found[i];
        *best = mine;
    }
}

void find(float *best, const float *image, int n) {
    peaks<<<128, 256>>>(best, image, n);
    last_peak<<<1, 256>>>(best, image, n);
}
