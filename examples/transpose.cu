// Three ways to transpose a matrix: the same work, three prices.

constexpr int TILE = 32;

// Writes columns: neighbouring lanes are h floats apart, so each store touches a sector of its own.
__global__ void transpose_naive(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    out[x * h + y] = in[y * w + x];
}

// Reads and writes rows, but turns the tile in shared memory: a column of the tile lies in one bank.
__global__ void transpose_tiled(float *out, const float *in, int w, int h) {
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

// One column more, and the lanes of a warp meet 32 different banks.
__global__ void transpose_padded(float *out, const float *in, int w, int h) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(float *out, const float *in, int w, int h) {
    dim3 block(TILE, TILE), grid(w / TILE, h / TILE);
    transpose_naive<<<grid, block>>>(out, in, w, h);
    transpose_tiled<<<grid, block>>>(out, in, w, h);
    transpose_padded<<<grid, block>>>(out, in, w, h);
}
