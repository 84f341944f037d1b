// Blocks whose extents share out a number of threads have so many, whatever the extent is that nobody sees.

// One warp of 32 goes through few words, beside what all of them do.
__global__ void nearest(const float *points, const float *centres, int *owner, int count, int width) {
    extern __shared__ float apart[];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    if (t < count)
        apart[t] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        atomicAdd(&apart[threadIdx.y], fabsf(centres[threadIdx.y * width + i] - points[blockIdx.x * width + i]));
    __syncthreads();
    if (t == 0) {
//      ^^^^^^ none[WC301]
        int best = 0;
        for (int k = 1; k < count; k++)
            if (apart[k] < apart[best])
                best = k;
        owner[blockIdx.x] = best;
    }
}

// With as many words as anybody may have, one lane is what the block waits for.
__global__ void nearest_of_many(const float *points, const float *centres, int *owner, int count, int width) {
    extern __shared__ float apart[];
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    if (t < count)
        apart[t] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        atomicAdd(&apart[threadIdx.y], fabsf(centres[threadIdx.y * width + i] - points[blockIdx.x * width + i]));
    __syncthreads();
    if (t == 0) {
//      ^^^^^^ info[WC301] "assuming block 16x16"
        int best = 0;
        for (int k = 1; k < count; k++)
            if (apart[k] < apart[best])
                best = k;
        owner[blockIdx.x] = best;
    }
}

void cluster(const float *points, const float *centres, int *owner, int batch, int count, int width, int rows, int columns) {
    nearest<<<batch, dim3(1024 / count, count), width * sizeof(float)>>>(points, centres, owner, count, width);
    nearest_of_many<<<batch, dim3(columns / rows, rows), width * sizeof(float)>>>(points, centres, owner, count, width);
}
