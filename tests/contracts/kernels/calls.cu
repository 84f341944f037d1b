// Functions, templates, records, metrics of one's own (`dram`: 32 for a sector, 1 for a conflict), stencils, products.

__device__ float square(const float *p, int i) { return p[i] * p[i]; }
__device__ float apart(const float *p, int i) { return p[8 * i]; }

//@ launch block=(32) grid=(1)
//@ expect sectors == 36                      // holds
//@ expect sectors <= 35                      // violated
//@ expect sectors <= 36 when gridDim.x == 2  // not shown
__global__ void calls(float *a, const float *b) {
    //@ expect sectors == 32                  // holds
    //@ expect sectors == 31                  // violated
    float x = apart(b, threadIdx.x);
    a[threadIdx.x] = x;
}

//@ launch block=(32) grid=(1)
//@ expect dram == 32*12                      // holds
//@ expect dram <= 32*11                      // violated
//@ expect dram <= 384 | 1                    // not shown
__global__ void weighted(float *a, const float *b) {
    a[threadIdx.x] = square(b, threadIdx.x);
}

//@ launch block=(32) grid=(1)
//@ expect dram <= 31 + 32*8                  // holds
//@ expect dram <= 32*8                       // violated
//@ expect conflicts == 31                    // holds
//@ expect dram <= 300 - (gridDim.x & 1)      // not shown
__global__ void weighted_of_both(float *a) {
    __shared__ float t[1024];
    t[32 * threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = 1.0f;
}

template <int K>
//@ launch block=(32) grid=(1)
//@ expect sectors == 4*K + 4                 // holds
//@ expect sectors <= 4*K                     // violated
//@ expect sectors <= (K | 64)                // not shown
__global__ void unrolled(float *a, const float *b) {
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < K; ++k) s += b[32 * k + threadIdx.x];
    a[threadIdx.x] = s;
}
void run_unrolled(float *a, const float *b) { unrolled<5><<<1, 32>>>(a, b); }

struct Sizes { int rows, columns; };

//@ launch block=(32) grid=(1)
//@ expect sectors <= 4*s.rows + 4            // holds
//@ expect sectors <= 4*s.columns + 4         // violated
//@ expect sectors <= s.rows ^ 4096           // not shown
__global__ void of_a_record(float *a, const float *b, Sizes s) {
    float x = 0.0f;
    for (int k = 0; k < s.rows; ++k) x += b[32 * k + threadIdx.x];
    a[threadIdx.x] = x;
}

//@ launch block=(256) grid=(ceil(n/256))
//@ expect sectors <= 18                      // holds
//@ expect sectors per_launch <= 3*n          // not shown
//@ expect sectors <= 19                      // holds
//@ expect sectors <= 12                      // violated
__global__ void stencil(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) a[i] = b[i - 1] + b[i] + b[i + 1];
}

#define TILE 16
#define MOST 4

//@ launch block=(16,16) grid=(n/16, n/16)
//@ assume n % 16 == 0 && n >= 16
//@ expect conflicts == 0                     // holds
//@ expect sectors <= n/2 + 4                 // holds
//@ expect sectors == n/2 + 4                 // not shown
//@ expect sectors <= n/4                     // violated
//@ expect sectors per_launch <= 1000000      // not shown
__global__ void product(float *c, const float *a, const float *b, int n) {
    __shared__ float s[TILE][TILE], t[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.0f;
    //@ expect sectors == n/2                 // not shown
    for (int k = 0; k < n; k += TILE) {
        s[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
        __syncthreads();
        for (int j = 0; j < TILE; ++j) sum += s[threadIdx.y][j] * t[j][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= 2*MOST                  // holds
//@ expect sectors <= 2*MOST - 1              // violated
//@ expect sectors <= 8 when MOST > 3         // holds
//@ expect sectors <= 8 when w < 0            // not shown
__global__ void of_a_macro(float *a, const float *b, int w) {
    a[threadIdx.x] = b[threadIdx.x] * MOST;
}

//@ launch block=(32) grid=(1)
//@ expect conflicts == 0                     // not shown
//@ expect sectors <= 4                       // not shown
__global__ void not_analysed(float *a) {
    if (a[0] > 1.0f) goto end;
    a[threadIdx.x] = 1.0f;
end:
    return;
}

extern __device__ void elsewhere(float *);

//@ launch block=(32) grid=(1)
//@ expect sectors <= 4                       // not shown
//@ expect sectors <= 4 per_block             // not shown
//@ expect sectors >= 0                       // not shown
__global__ void of_unknown_code(float *a) {
    elsewhere(a);
}

//@ expect sectors <= 4*w + 4                 // holds
//@ expect sectors <= 4*w                     // violated
//@ expect sectors <= 50000                   // not shown
__global__ void of_launches_in_view(float *a, const float *b, int w) {
    float s = 0.0f;
    for (int k = 0; k < w; ++k) s += b[64 * k + threadIdx.x];
    a[threadIdx.x] = s;
}
void run_in_view(float *a, const float *b) { of_launches_in_view<<<2, 64>>>(a, b, 48); }

//@ launch block=(64) grid=(2)
//@ expect sectors <= 8*h                     // holds
//@ expect sectors <= 3*w                     // violated
//@ expect sectors <= 4*h*w                   // not shown
//@ assume w == 2*h
__global__ void of_two_sizes(float *a, const float *b, int w, int h) {
    for (int k = 0; k < w; ++k) a[64 * k + threadIdx.x] = 1.0f;
}
