// Summing a block's numbers: who does the adding decides whether warps split.

// Every other thread, then every fourth, ...: in each round each warp has a few busy lanes.
__global__ void sum_interleaved(float *sums, const float *values) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = values[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = 1; s < 256; s *= 2) {
        if (t % (2 * s) == 0)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// The first threads, with indices spread out: whole warps work or rest, but on few banks.
__global__ void sum_spread(float *sums, const float *values) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = values[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = 1; s < 256; s *= 2) {
        int i = 2 * s * t;
        if (i < 256)
            part[i] += part[i + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// The first threads, neighbouring numbers: no conflicts, and only the last rounds split, in one warp.
__global__ void sum_halves(float *sums, const float *values) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = values[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

void sum(float *sums, const float *values, int blocks) {
    sum_interleaved<<<blocks, 256>>>(sums, values);
    sum_spread<<<blocks, 256>>>(sums, values);
    sum_halves<<<blocks, 256>>>(sums, values);
}
