// Shared memory: rows, columns, padding, broadcasts.

//@ launch block=(32,32) grid=(1)
//@ expect conflicts == 0                     // violated
//@ expect conflicts == 31                    // holds
//@ expect wavefronts <= 33                   // holds
//@ expect conflicts <= 30                    // violated
//@ expect conflicts == 31 when gridDim.x == 3 // not shown
__global__ void columns(float *a) {
    __shared__ float t[32][32];
    //@ expect conflicts == 0                 // holds
    t[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    //@ expect conflicts <= 16                // violated
    //@ expect conflicts == 31 per_warp       // holds
    //@ expect conflicts == 992 per_block     // holds
    a[threadIdx.y * 32 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}

//@ launch block=(32,32) grid=(1)
//@ expect conflicts == 0                     // holds
//@ expect wavefronts == 2                    // holds
//@ expect wavefronts < 2                     // violated
//@ expect conflicts <= (0 & blockDim.x)      // not shown
__global__ void padded(float *a) {
    __shared__ float t[32][33];
    t[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    a[threadIdx.y * 32 + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}

//@ launch block=(128) grid=(1)
//@ expect conflicts == 1                     // holds
//@ expect conflicts == 0                     // violated
//@ expect wavefronts <= 2                    // holds
//@ expect conflicts == 1 when gridDim.y == 7 // not shown
__global__ void every_second_word(float *a) {
    __shared__ float t[256];
    t[2 * threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = a[threadIdx.x] + 1.0f;
}

//@ launch block=(64) grid=(1)
//@ expect conflicts <= 31                    // holds
//@ expect conflicts == 0                     // violated
//@ expect conflicts == 0 when s == 1         // holds
//@ expect conflicts == 0 when s % 2 == 1     // holds
//@ expect conflicts <= 30 when s % 32 == 0 && s >= 32  // violated
//@ expect conflicts <= 1 when s <= 2         // not shown
__global__ void of_a_size(float *a, int s) {
    extern __shared__ float t[];
    t[threadIdx.x * s] = a[threadIdx.x];
}

//@ launch block=(64) grid=(1)
//@ expect wavefronts == 2                    // holds
//@ expect conflicts == 0                     // holds
//@ expect wavefronts == 1                    // violated
//@ expect conflicts == 0 when blockDim.x == 32 // not shown
__global__ void broadcast(float *a) {
    __shared__ float t[64];
    t[threadIdx.x] = 1.0f;
    __syncthreads();
    a[threadIdx.x] = t[0];
}

//@ launch block=(256) grid=(1)
//@ expect conflicts == 0                     // holds
//@ expect wavefronts <= 26                   // holds
//@ expect wavefronts <= 9                    // violated
//@ expect divergences <= 6                   // holds
//@ expect divergences <= 5                   // violated
//@ expect steps <= (1 << 30) / (gridDim.x | 1) // not shown
__global__ void tree(float *a) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) a[0] = s[0];
}

//@ launch block=(256) grid=(1)
//@ expect conflicts == 0                     // violated
//@ expect conflicts <= 200                   // holds
//@ expect conflicts <= 62 ^ 64               // not shown
__global__ void tree_with_strides(float *a) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    //@ expect conflicts == 0                 // violated
    for (int d = 1; d < 256; d *= 2) {
        int i = 2 * d * threadIdx.x;
        if (i < 256) s[i] += s[i + d];
        __syncthreads();
    }
    a[threadIdx.x] = s[threadIdx.x];
}

//@ launch block=(64) grid=(1)
//@ expect conflicts <= 31                    // holds
//@ expect conflicts <= 3                     // violated
//@ expect conflicts <= 30                    // violated
//@ expect conflicts <= 31 & 63               // not shown
__global__ void by_data(float *a, const int *q) {
    __shared__ float t[1024];
    for (int k = threadIdx.x; k < 1024; k += 64) t[k] = 0.0f;
    __syncthreads();
    //@ expect conflicts == 0                 // violated
    a[threadIdx.x] = t[q[threadIdx.x] & 1023];
}

//@ launch block=(32,4) grid=(1)
//@ expect conflicts == 0                     // holds
//@ expect wavefronts <= 4*ceil(n/32)         // violated
//@ expect wavefronts <= 40*ceil(n/32) + 1    // holds
//@ expect wavefronts <= 33*ceil(n/32) when n % 32 == 0  // holds
//@ expect wavefronts <= 100000               // not shown
__global__ void tile(float *a, const float *b, int n) {
    __shared__ float t[32];
    float sum = 0.0f;
    for (int k = 0; k < n; k += 32) {
        if (threadIdx.y == 0) t[threadIdx.x] = b[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 32; ++j) sum += t[j];
        __syncthreads();
    }
    a[threadIdx.y * 32 + threadIdx.x] = sum;
}

//@ launch block=(32) grid=(1)
//@ expect wavefronts == 8                    // holds
//@ expect conflicts == 0                     // holds
//@ expect wavefronts <= 4                    // violated
//@ expect wavefronts <= 8 when gridDim.z > 1 // not shown
__global__ void wide(float4 *a) {
    __shared__ float4 t[32];
    t[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = t[threadIdx.x];
}
