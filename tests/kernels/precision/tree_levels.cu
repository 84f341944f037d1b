// A tree that a summarised loop builds up: the fewest threads run where they are furthest apart.  What a size says, or memory, of how many
// begin is as many as the block has threads at most, and findings tell the mean over the levels; bounds are those of any size.
// PARAM: --block 256

__global__ void up_and_down(const float *in, float *out, int size, int levels) {
    extern __shared__ float row[];
    int t = threadIdx.x;
    int step = 1;
    int busy = size >> 1;
    row[t] = in[blockIdx.x * size + t];
    for (int k = 0; k < levels; k++) {
        __syncthreads();
        step <<= 1;
        if (t < busy) {
            int at = step * t + step - 1;
            if (at == size - 1)
                row[at] = 0.0f;
//              ^^^^^^^ none[WC201]
            row[at] = row[at] * 2.0f + row[at - step / 2];
//          ^^^^^^^ warn[WC201] "up to 16-way, each request takes 4.8 wavefronts on average where 1 would do (4.8x). Runs at most 9 times per warp"
        }
        busy >>= 1;
    }
    busy = 2;
    for (int k = 0; k < levels; k++) {
        __syncthreads();
        if (t < busy) {
            int at = step * t + step / 2 - 1;
            row[at] = row[at] * 2.0f + row[at + step / 2];
//          ^^^^^^^ warn[WC201] "up to 16-way, each request takes 4.9 wavefronts on average where 1 would do (4.9x). Runs at most 8 times per warp"
        }
        step >>= 1;
        busy <<= 1;
    }
    __syncthreads();
    out[blockIdx.x * size + t] = row[t];
}

// Memory says how many threads begin; the array has no room for more than half of the block.
__global__ void begun_by_memory(const int *counts, float *out, int rounds) {
    __shared__ float sums[256];
    __shared__ unsigned busy;
    unsigned t = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        if (t == 0)
            busy = counts[blockIdx.x + r];
        __syncthreads();
        unsigned apart = 1;
        for (int d = busy >> 1; d > 0; d >>= 1) {
            __syncthreads();
            if (t < d) {
                unsigned from = apart * (2 * t + 1) - 1;
                unsigned to = apart * (2 * t + 2) - 1;
                sums[to] = sums[to] + sums[from];
//              ^^^^^^^^ warn[WC201] "up to 8-way bank conflict: 4.6 wavefronts per request on average" "uns at most 8*rounds times per warp"
            }
            apart <<= 1;
        }
        __syncthreads();
        out[blockIdx.x * 256 + t] = sums[t];
    }
}

// Few levels for each word that is read without any conflict: nothing to be told.
__global__ void beside_other_work(const int *counts, const float *in, float *out, int n) {
    __shared__ float sums[512];
    __shared__ unsigned busy;
    unsigned t = threadIdx.x;
    sums[t] = in[t];
    if (t == 0)
        busy = counts[blockIdx.x];
    __syncthreads();
    unsigned apart = 1;
    for (int d = busy >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            sums[apart * (2 * t + 2) - 1] += 1.0f;
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
        apart <<= 1;
    }
    __syncthreads();
    float all = 0.0f;
    for (int i = 0; i < n; i++)
        all += sums[i % 256] * in[i];
    out[blockIdx.x * 256 + t] = all;
}
