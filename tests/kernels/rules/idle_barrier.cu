// Each thread keeps to its own cells: both barriers may go.

__global__ void own_cells(float *a) {
    __shared__ float s[256];
    s[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
//  ^^^^^^^^^^^^^^^ info[WC404] "`__syncthreads()` is not needed: no two threads touch the same memory before and after it"
    s[threadIdx.x] *= 2.0f;
    __syncthreads();
//  ^^^^^^^^^^^^^^^ info[WC404] "`__syncthreads()` is not needed"
    a[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}

void run_own_cells(float *a) {
    own_cells<<<64, 256>>>(a);
}

// Of two in a row one may go, and it is the first that is told.

__global__ void twice(float *a) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
//  ^^^^^^^^^^^^^^^ info[WC404] "`__syncthreads()` is not needed"
    __syncthreads();
//  ^^^^^^^^^^^^^^^ none[WC404]
//  ^^^^^^^^^^^^^^^ hover "s[255 - threadIdx.x]"
    a[threadIdx.x] = s[255 - threadIdx.x];
}

void run_twice(float *a) {
    twice<<<1, 256>>>(a);
}

// Global memory is exchanged, or another launch has more threads, or another kernel needs it, or the threads wait by an atomic.

__global__ void through_global(float *a, float *b) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    b[threadIdx.x] = s[threadIdx.x];
    __syncthreads();
//  ^^^^^^^^^^^^^^^ none[WC404]
    a[threadIdx.x] = b[255 - threadIdx.x];
}

void run_through_global(float *a, float *b) {
    through_global<<<1, 256>>>(a, b);
}

__device__ void exchanged(float *s, int by) {
    float mine = s[threadIdx.x];
    __syncthreads();
//  ^^^^^^^^^^^^^^^ none[WC404]
    s[threadIdx.x ^ by] = mine;
}

__global__ void needs_it(float *a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    exchanged(s, 32);
    a[threadIdx.x] = s[threadIdx.x ^ 32];
}

__global__ void does_not(float *a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    exchanged(s, 0);
    a[threadIdx.x] = s[threadIdx.x];
}

void run_exchanged(float *a) {
    needs_it<<<1, 64>>>(a);
    does_not<<<1, 64>>>(a);
}

__global__ void counted(float *a, unsigned *done) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
//  ^^^^^^^^^^^^^^^ none[WC404]
    if (threadIdx.x == 0) atomicAdd(done, 1u);
    a[threadIdx.x] = s[threadIdx.x];
}

void run_counted(float *a, unsigned *done) {
    counted<<<1, 256>>>(a, done);
}
