// What one row of blocks does besides weighs as much as that row of many.

// The first row changes the right side, too: of 256 rows of blocks one.
//@ launch block=(16,4) grid=(64,256)
__global__ void eliminated(float *a, const float *m, float *b, int n, int t) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n - 1 - t || y >= n - t) return;
    a[n * (x + 1 + t) + y + t] -= m[n * (x + 1 + t) + t] * a[n * t + y + t];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "uns once per warp (2 requests each). 65% of this kernel's global traffic"
    if (y == 0) b[32 * (x + 1 + t)] -= m[n * (x + 1 + t) + t] * b[t];
}

// A grid of one row does it everywhere.
//@ launch block=(16,4) grid=(64,1)
__global__ void in_one_row(float *a, const float *m, float *b, int n, int t) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n - 1 - t || y >= n - t) return;
    a[n * (x + 1 + t) + y + t] -= m[n * (x + 1 + t) + t] * a[n * t + y + t];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "44% of this kernel's global traffic"
    if (y == 0) b[32 * (x + 1 + t)] -= m[n * (x + 1 + t) + t] * b[t];
//              ^^^^^^^^^^^^^^^^^^^ info[WC101]! "22% of this kernel's global traffic"
}
