// Tiles in shared memory, padded and not.
#define TILE 32
#define ROWS 8

//@ launch block=(32,8) grid=((w+31)/32, (h+31)/32)
__global__ void transpose_padded(float *out, const float *in, int w, int h) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// The same without padding, for sizes that are multiples of a tile.
//@ launch block=(32,8) grid=(w/32, h/32)
//@ assume w % 32 == 0 && h % 32 == 0 && w >= 32 && h >= 32
__global__ void transpose_plain(float *out, const float *in, int w, int h) {
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// C = A * B with tiles of 16 x 16 and any sizes.
__global__ void sgemm_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float a[16][16], b[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (K + 15) / 16; t++) {
        int k = t * 16 + threadIdx.x;
        a[threadIdx.y][threadIdx.x] = row < M && k < K ? A[row * K + k] : 0.0f;
        k = t * 16 + threadIdx.y;
        b[threadIdx.y][threadIdx.x] = k < K && col < N ? B[k * N + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += a[threadIdx.y][i] * b[i][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

// y = A * x, a warp per row, x kept in shared memory piece by piece.
__global__ void matvec(const float *A, const float *x, float *y, int rows, int cols) {
    __shared__ float piece[128];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int first = 0; first < cols; first += 128) {
        if (first + threadIdx.x < cols) piece[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
        int width = min(128, cols - first);
        if (row < rows)
            for (int j = 0; j < width; j++) sum += A[row * cols + first + j] * piece[j];
        __syncthreads();
    }
    if (row < rows) y[row] = sum;
}

// One column of a tile per thread, every row a bank further.
__global__ void tile_columns(const int *in, int *out, int n) {
    __shared__ int tile[32 * 33];
    int base = blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += 32)
        tile[(i / 32) * 33 + i % 32] = base + i < n ? in[base + i] : 0;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += tile[threadIdx.x * 33 + i];
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
