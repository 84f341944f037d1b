// Sparse matrices.

__global__ void spmv_csr(const int *row, const int *col, const float *val, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int j = row[i]; j < row[i + 1]; j++) sum += val[j] * x[col[j]];
        y[i] = sum;
    }
}

// A warp per row.
__global__ void spmv_csr_warp(const int *row, const int *col, const float *val, const float *x, float *y, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n) return;
    int end = row[i + 1];
    float sum = 0;
    for (int j = row[i] + lane; j < end; j += 32) sum += val[j] * x[col[j]];
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) y[i] = sum;
}

// ELLPACK: rows padded to one width, column by column.
__global__ void spmv_ell(const int *col, const float *val, const float *x, float *y, int n, int width, int pitch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < width; k++) {
        int c = col[k * pitch + i];
        if (c >= 0) sum += val[k * pitch + i] * x[c];
    }
    y[i] = sum;
}

__global__ void spmv_coo(const int *row, const int *col, const float *val, const float *x, float *y, int nnz) {
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < nnz; k += blockDim.x * gridDim.x)
        atomicAdd(&y[row[k]], val[k] * x[col[k]]);
}
