// resources T Z
// case ROWS*COLS <= T and ROWS*ROWS + WIDE*ROWS*COLS <= Z: WIDE kept, TILES=1
// case ROWS*COLS <= T and ROWS*ROWS + ROWS*COLS <= Z and Z < ROWS*ROWS + WIDE*ROWS*COLS: WIDE=1, TILES=1
// case ROWS*COLS <= T and Z < ROWS*ROWS + ROWS*COLS: WIDE=1, TILES=0
// case T < ROWS*COLS: no T
#define ROWS 8
#define COLS 16
#define WIDE 4
#define TILES 1
//@ assume n % (WIDE * COLS) == 0 && n % ROWS == 0 && n >= WIDE * COLS && n >= ROWS
//@ launch block=(COLS, ROWS) grid=(n / (WIDE * COLS), n / ROWS)
__global__ void product(float *c, const float *a, const float *b, int n) {
    int row = blockIdx.y * ROWS + threadIdx.y, col = blockIdx.x * WIDE * COLS + threadIdx.x;
    float sum[WIDE];
    for (int k = 0; k < WIDE; k++) sum[k] = 0;
#if TILES
    __shared__ float left[ROWS][ROWS];
    __shared__ float right[ROWS][WIDE * COLS];
    for (int m = 0; m < n; m += ROWS) {
        for (int k = threadIdx.x; k < ROWS; k += COLS) left[threadIdx.y][k] = a[row * n + m + k];
        for (int k = 0; k < WIDE; k++) right[threadIdx.y][k * COLS + threadIdx.x] = b[(m + threadIdx.y) * n + col + k * COLS];
        __syncthreads();
        for (int z = 0; z < ROWS; z++)
            for (int k = 0; k < WIDE; k++) sum[k] += left[threadIdx.y][z] * right[z][k * COLS + threadIdx.x];
        __syncthreads();
    }
#else
    for (int z = 0; z < n; z++)
        for (int k = 0; k < WIDE; k++) sum[k] += a[row * n + z] * b[z * n + col + k * COLS];
#endif
    for (int k = 0; k < WIDE; k++) c[row * n + col + k * COLS] = sum[k];
}
