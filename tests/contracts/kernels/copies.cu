// Copies: whole rows, strides, offsets, vectors, guards.  Behind each contract stands what is to be said of it.

//@ launch block=(256) grid=(ceil(n/256))
//@ expect sectors <= 8                       // holds
//@ expect sectors == 8 when n % 32 == 0      // holds
//@ expect sectors < 8                        // violated
//@ expect sectors >= 1                       // holds
//@ expect sectors == 8 when n >= 25          // holds
//@ expect sectors == 8 when n >= 24          // violated
//@ expect sectors <= (n | 8)                 // not shown
__global__ void copy(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i];
}

//@ launch block=(128) grid=(ceil(n/128))
//@ expect sectors <= 12                      // holds
//@ expect sectors <= 8                       // violated
//@ expect sectors per_block <= 48            // holds
//@ expect sectors per_block == 48 when n % 128 == 0  // holds
//@ expect sectors per_launch <= 4096         // not shown
__global__ void every_second(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ expect sectors <= 12                  // holds
    //@ expect excessive_sectors <= 4         // holds
    //@ expect excessive_sectors == 0         // violated
    if (i < n) a[i] = b[2 * i];
}

//@ launch block=(64) grid=(2)
//@ expect sectors == 36                      // holds
//@ expect sectors == 35                      // violated
//@ expect sectors per_launch == 144          // holds
//@ expect sectors per_launch <= 144 ^ gridDim.x  // not shown
__global__ void stride_of_a_warp(float *a, const float *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[32 * i];
}

//@ launch block=(64) grid=(1)
//@ expect sectors <= 36                      // holds
//@ expect sectors <= 8                       // violated
//@ expect sectors <= 35 when s >= 8          // violated
//@ expect sectors <= 8 when s == 1           // holds
//@ expect sectors <= 20 when s <= 4          // not shown
//@ expect sectors <= 19 when s <= 4          // violated
__global__ void stride_of_a_size(float *a, const float *b, int s) {
    a[threadIdx.x] = b[s * threadIdx.x];
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= 9                       // holds
//@ expect sectors <= 8 when d % 8 == 0       // holds
//@ expect sectors <= 8                       // violated
//@ expect sectors == 9 when d % 8 == 1       // holds
//@ expect sectors <= 8 when d % 8 < 1        // holds
//@ expect sectors <= (8 | d)                 // not shown
__global__ void shifted(float *a, const float *b, int d) {
    a[threadIdx.x] = b[threadIdx.x + d];
}

//@ launch block=(32) grid=(1)
//@ expect sectors == 32                      // holds
//@ expect sectors > 32                       // violated
//@ expect sectors <= 31                      // violated
//@ expect sectors <= (32 | blockDim.x)       // not shown
__global__ void fours(float4 *a, const float4 *b) {
    a[threadIdx.x] = b[threadIdx.x];
}

//@ launch block=(256) grid=(ceil(n/1024))
//@ expect sectors <= 32                      // holds
//@ expect sectors <= 16                      // violated
//@ expect sectors per_launch <= 256 * ceil(n/1024)  // holds
//@ expect sectors per_launch <= ceil(n/4)    // violated
//@ expect sectors per_launch <= n            // violated
//@ expect sectors per_launch <= 1000000      // not shown
__global__ void four_each(float *a, const float *b, int n) {
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        int i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x;
        if (i < n) a[i] = b[i];
    }
}

//@ launch block=(32) grid=(1)
//@ expect sectors == 1                       // holds
//@ expect sectors >= 2                       // violated
//@ expect divergences == 1                   // holds
//@ expect divergences == 0                   // violated
//@ expect sectors <= 0 when gridDim.x == 2   // not shown
__global__ void first_thread(float *a) {
    if (threadIdx.x == 0) a[0] = 1.0f;
}

//@ launch block=(256) grid=(ceil(n/256))
//@ assume n % 256 == 0
//@ expect sectors == 8                       // holds
//@ expect divergences == 0                   // holds
//@ expect sectors per_launch == 8*(n/32)     // holds
//@ expect sectors per_launch <= n/4          // holds
//@ expect sectors per_launch <= n/8          // violated
//@ expect sectors <= 8 when n < 200          // not shown
__global__ void of_whole_blocks(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i];
}

//@ launch block=(32,8) grid=(ceil(w/32), ceil(h/8))
//@ expect sectors <= 9                       // violated
//@ expect sectors <= 8 when w % 8 == 0       // holds
//@ expect sectors <= 8                       // violated
//@ expect sectors <= 10                      // holds
//@ expect sectors per_block <= 64 + h        // not shown
__global__ void plane(float *a, const float *b, int w, int h) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < w && y < h) a[y * w + x] = b[y * w + x];
}
