// Product of two n x n matrices: S results of a thread, X x Y threads, tiles of Y columns.
//@ assume n % (S * X) == 0 && n % Y == 0 && n >= S * X && n >= Y
//@ launch block=(X, Y) grid=(n / (S * X), n / Y)
__global__ void matmul(float *out, const float *left, const float *right, int n) {
    __shared__ float some[Y][Y], others[Y][S * X];
    int row = blockIdx.y * Y + threadIdx.y, column = blockIdx.x * S * X + threadIdx.x;
    float sum[S];
    for (int k = 0; k < S; k++) sum[k] = 0;
    for (int m = 0; m < n; m += Y) {
        if (threadIdx.x < Y) some[threadIdx.y][threadIdx.x] = left[row * n + m + threadIdx.x];
        for (int k = 0; k < S; k++) others[threadIdx.y][k * X + threadIdx.x] = right[(m + threadIdx.y) * n + column + k * X];
        __syncthreads();
        for (int z = 0; z < Y; z++)
            for (int k = 0; k < S; k++) sum[k] += some[threadIdx.y][z] * others[z][k * X + threadIdx.x];
        __syncthreads();
    }
    for (int k = 0; k < S; k++) out[row * n + column + k * X] = sum[k];
}
