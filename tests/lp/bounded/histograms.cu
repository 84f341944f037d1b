// Histograms.

__global__ void histogram_shared(const unsigned char *data, int *bins, int n) {
    __shared__ int h[256];
    h[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&h[data[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}

// A byte counter per thread and bin: no atomics, four counters share a word.
//@ launch block=(64) grid=(blocks)
__global__ void histogram_bytes(const unsigned char *data, int *bins, int per_thread, int blocks) {
    __shared__ unsigned char h[64 * 64];
    for (int b = 0; b < 64; b++) h[b * 64 + threadIdx.x] = 0;
    __syncthreads();
    int first = blockIdx.x * 64 * per_thread;
    for (int k = 0; k < per_thread; k++) h[(data[first + k * 64 + threadIdx.x] >> 2) * 64 + threadIdx.x]++;
    __syncthreads();
    int sum = 0;
    for (int t = 0; t < 64; t++) sum += h[threadIdx.x * 64 + t];
    atomicAdd(&bins[threadIdx.x], sum);
}

// Sixteen bits at a time, a private part for every warp.
__global__ void histogram_warps(const uchar4 *data, unsigned *bins, int n) {
    __shared__ unsigned h[4][64];
    for (int i = threadIdx.x; i < 4 * 64; i += blockDim.x) (&h[0][0])[i] = 0;
    __syncthreads();
    unsigned *mine = h[threadIdx.x / 32];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 p = data[i];
        atomicAdd(&mine[p.x >> 2], 1u);
        atomicAdd(&mine[p.y >> 2], 1u);
        atomicAdd(&mine[p.z >> 2], 1u);
        atomicAdd(&mine[p.w >> 2], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x], h[0][threadIdx.x] + h[1][threadIdx.x] + h[2][threadIdx.x] + h[3][threadIdx.x]);
}

// Equalised image: a table in shared memory, an image with rows of any pitch.
__global__ void equalise(unsigned char *image, const unsigned char *table, int w, int h, int pitch) {
    __shared__ unsigned char lut[256];
    int t = threadIdx.y * 32 + threadIdx.x;
    lut[t] = table[t];
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < w && y < h) image[y * pitch + x] = lut[image[y * pitch + x]];
}
