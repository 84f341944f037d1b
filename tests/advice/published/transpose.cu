// Transposition of an n x n matrix through two arrays in shared memory: S columns of blocks, X x Y threads.
//@ assume n % (S * X) == 0 && n % Y == 0 && n >= S * X && n >= Y
//@ launch block=(X, Y) grid=(n / (S * X), n / Y)
__global__ void transpose(float *out, const float *in, int n) {
    __shared__ float rows[Y][S * X], columns[S * X][Y];
    int row = blockIdx.y * Y, column = blockIdx.x * S * X, number = threadIdx.y * X + threadIdx.x;
    for (int k = 0; k < S; k++)
        rows[threadIdx.y][k * X + threadIdx.x] = in[(row + threadIdx.y) * n + column + k * X + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < S; k++) columns[k * X + threadIdx.x][threadIdx.y] = rows[threadIdx.y][k * X + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < S; k++) {
        int at = k * X * Y + number;
        out[(column + at / Y) * n + row + at % Y] = columns[at / Y][at % Y];
    }
}
