// Loops: over sizes, over threads, triangular, nested, halving.

//@ launch block=(256) grid=(4)
//@ expect sectors <= 8*ceil(n/1024)          // holds
//@ expect sectors <= 8*ceil(n/1024) + 8      // holds
//@ expect sectors <= 4*ceil(n/1024)          // violated
//@ expect sectors per_launch <= 8*n + 100000 // holds
//@ expect sectors per_launch <= 2000000      // not shown
__global__ void by_the_grid(float *a, const float *b, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = b[i];
}

//@ launch block=(128) grid=(1)
//@ expect sectors <= 4*n + 4                 // holds
//@ expect sectors == 4*n + 4                 // holds
//@ expect sectors <= 4*n                     // violated
//@ expect sectors <= 3*n when n >= 4         // violated
//@ expect steps <= 20*n + 40                 // holds
//@ expect steps <= n                         // violated
//@ expect sectors <= 100000                  // not shown
__global__ void column_sums(float *a, const float *b, int n) {
    float s = 0.0f;
    //@ expect sectors == 4*n                 // holds
    for (int k = 0; k < n; ++k) s += b[128 * k + threadIdx.x];
    a[threadIdx.x] = s;
}

//@ launch block=(128) grid=(1)
//@ expect sectors <= 32*n + 4                // holds
//@ expect sectors <= 4*n + 4                 // violated
__global__ void row_sums(float *a, const float *b, int n) {
    float s = 0.0f;
    //@ expect sectors <= 32*n                // holds
    //@ expect sectors <= 32*n when n % 8 == 0 // holds
    //@ expect sectors <= 32*n - 1 when n >= 1 // violated
    //@ expect sectors == 32*n when n >= 8    // not shown
    for (int k = 0; k < n; ++k) s += b[n * threadIdx.x + k];
    a[threadIdx.x] = s;
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= 4*n*m                   // violated
//@ expect sectors == n*m + 4                 // holds
//@ expect sectors <= n*m + m                 // violated
//@ expect sectors <= n*m + 3                 // violated
//@ expect sectors <= n*m + 4 + n/m           // not shown
__global__ void nested(float *a, const float *b, int n, int m) {
    float s = 0.0f;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) s += b[m * i + j];
    a[threadIdx.x] = s;
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= n*n + 4                 // not shown
//@ expect sectors <= n*(n + 1)/2 + 4         // holds
//@ expect sectors <= n*(n + 1)/2             // violated
//@ expect sectors <= n*(n - 1)/2 + 4         // violated
__global__ void triangular(float *a, const float *b, int n) {
    float s = 0.0f;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) s += b[j];
    a[threadIdx.x] = s;
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= n + 4                   // not shown
//@ expect sectors <= n/2 + 4                 // violated
//@ expect sectors <= 40                      // not shown
//@ expect sectors <= 15 when n <= 100        // holds
//@ expect sectors <= 10                      // violated
__global__ void halving(float *a, const float *b, int n) {
    float s = 0.0f;
    for (int i = n; i > 0; i /= 2) s += b[i];
    a[threadIdx.x] = s;
}

//@ launch block=(64) grid=(1)
//@ expect sectors <= 32*n + 8                // holds
//@ expect sectors <= 100000                  // not shown
//@ expect sectors == 0 when n == 0           // holds
//@ expect sectors <= n when n <= 4           // violated
__global__ void until_data(float *a, const int *b, int n) {
    //@ expect divergences == 0               // violated
    for (int k = threadIdx.x; k < n; k += 64) {
        if (b[k] == 7) break;
        a[k] = 1.0f;
    }
}

//@ launch block=(64) grid=(1)
//@ expect sectors <= 128                     // holds
//@ expect sectors <= 8                       // not shown
//@ expect sectors == 76                      // violated
//@ expect sectors <= 71                      // not shown
//@ expect sectors <= 7                       // violated
__global__ void at_most_sixteen(float *a, const int *b) {
    int k = 0;
    //@ loop_bound 16
    //@ expect sectors <= 64                  // not shown
    //@ expect sectors <= 68                  // holds
    while (b[64 * k + threadIdx.x] > 4000) ++k;
    a[threadIdx.x] = k;
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= 4*(n - m) + 4 when n >= m  // not shown
//@ expect sectors <= 4*n + 4                 // holds
//@ expect sectors <= 3*n when m == 0         // violated
__global__ void between(float *a, const float *b, int n, int m) {
    float s = 0.0f;
    for (int k = m; k < n; ++k) s += b[32 * k + threadIdx.x];
    a[threadIdx.x] = s;
}

//@ launch block=(32) grid=(1)
//@ expect sectors <= 4*ceil(n/4) + 4         // holds
//@ expect sectors <= 4*(n/4) + 4             // violated
//@ expect sectors == n + 4 when n % 4 == 0   // holds
//@ expect sectors <= 60000                   // not shown
__global__ void by_fours(float *a, const float *b, int n) {
    float s = 0.0f;
    for (int k = 0; k < n; k += 4) s += b[32 * k + threadIdx.x];
    a[threadIdx.x] = s;
}
