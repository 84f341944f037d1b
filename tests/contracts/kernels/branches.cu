// Branches: by thread, by size, by data, switches, early returns, loops that threads leave apart.

//@ launch block=(64) grid=(1)
//@ expect divergences == 1                   // holds
//@ expect divergences == 0                   // violated
//@ expect divergences <= 1 when gridDim.x == 2  // not shown
__global__ void odd(float *a) {
    if (threadIdx.x & 1) a[threadIdx.x] = 1.0f;
}

//@ launch block=(64) grid=(1)
//@ expect divergences == 0                   // holds
//@ expect divergences >= 1                   // violated
//@ expect divergences <= (0 | gridDim.x)     // not shown
__global__ void by_warp(float *a) {
    if (threadIdx.x / 32 == 1) a[threadIdx.x] = 1.0f;
}

//@ launch block=(256) grid=(ceil(n/256))
//@ expect divergences <= 1                   // holds
//@ expect divergences <= 0                   // violated
//@ expect divergences == 0 when n % 32 == 0  // holds
//@ expect divergences == 0 when n % 16 == 0  // violated
//@ expect divergences per_block <= 1         // not shown
__global__ void guard(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    a[i] = 1.0f;
}

//@ launch block=(64) grid=(1)
//@ expect divergences <= 1                   // holds
//@ expect divergences == 0                   // violated
//@ expect divergences == 1                   // violated
//@ expect divergences <= 1 when b0 / b0 == 1 && b0 > 1 && b0 < 1 // not shown
__global__ void by_data(float *a, const int *b, int b0) {
    if (b[threadIdx.x] > 100) a[threadIdx.x] = 1.0f;
}

//@ launch block=(32) grid=(1)
//@ expect divergences <= 3                   // holds
//@ expect divergences <= 2                   // violated
//@ expect divergences == 3 when n < n // not shown
__global__ void four_ways(float *a, int n) {
    switch (threadIdx.x % 4) {
        case 0: a[threadIdx.x] = 1.0f; break;
        case 1: a[threadIdx.x] = 2.0f; break;
        case 2: a[threadIdx.x] = 3.0f; break;
        default: a[threadIdx.x] = 4.0f;
    }
}

//@ launch block=(32) grid=(1)
//@ expect divergences <= 31                  // holds
//@ expect divergences <= (n | 31)            // not shown
//@ expect divergences <= n + 32              // holds
//@ expect divergences <= 1                   // violated
__global__ void leave_in_turn(float *a, int n) {
    float s = 0.0f;
    for (int k = 0; k < threadIdx.x; ++k) s += 1.0f;
    a[threadIdx.x] = s;
}

//@ launch block=(64) grid=(1)
//@ expect divergences == 0                   // holds
//@ expect sectors <= 8                       // holds
//@ expect sectors == 8                       // violated
//@ expect sectors == 4 when n <= 3           // violated
//@ expect sectors <= 8 + n / (n + 1)         // not shown
__global__ void by_size(float *a, int n) {
    if (n > 7) a[threadIdx.x] = 1.0f;
    if (n > 17) a[threadIdx.x + 64] = 1.0f;
}

//@ launch block=(64) grid=(1)
//@ expect sectors == n + 4                   // holds
//@ expect sectors <= 8                       // violated
//@ expect divergences <= 40000               // not shown
//@ expect divergences <= n                   // holds
__global__ void both_sides(float *a, int n) {
    for (int k = 0; k < n; ++k) {
        //@ expect divergences <= n           // holds
        //@ expect divergences <= n - 1       // violated
        if (threadIdx.x < 5) a[threadIdx.x] = 1.0f;
    }
    a[threadIdx.x + 64] = 2.0f;
}

//@ launch block=(16,16) grid=(ceil(n/16), ceil(n/16))
//@ expect divergences <= 1                   // holds
//@ expect divergences == 0                   // violated
//@ expect divergences == 0 when n % 16 == 0  // holds
//@ expect divergences per_block <= 7         // violated
//@ expect divergences per_launch <= 100000   // not shown
__global__ void plane(float *a, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n) a[y * n + x] = 0.0f;
}

//@ launch block=(96) grid=(1)
//@ expect divergences <= 2                   // holds
//@ expect divergences <= 1                   // violated
//@ expect divergences == 2 when gridDim.x == 5 // not shown
__global__ void edges(float *a) {
    if (threadIdx.x == 0) a[0] = 1.0f;
    if (threadIdx.x == 95) a[1] = 1.0f;
    if (threadIdx.x < 4) a[threadIdx.x + 2] = 1.0f;
}
