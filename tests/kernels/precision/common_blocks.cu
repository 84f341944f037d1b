// Kernels of two dimensions that no launch in view gives a block: 16x16 is assumed.  A loss that every common block has needs no launch to be sure.

// Lanes along a column, in whatever block.
__global__ void along_columns(float *out, const float *in, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < h && column < w) out[column * h + row] = 2 * in[row * w + column];
//                                                         ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "ssumes block 16x16"
}

// One member of records: the lanes of a row are as far apart in every block.
__global__ void of_records(float *out, const float4 *in, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = in[(y * w + x) * 2].w;
//                                       ^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors"
}

// A table that is read along the block's rows: dear only where several of them are in a warp.
__global__ void by_rows(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = in[y * 64];
//                                       ^^^^^^^^^^ none[WC101]
}

// Banks meet in a block of 16x16, and in none of 32 in a row: it is a guess that they do.
__global__ void tiles(float *out, const float *in, int w) {
    __shared__ float tile[32][64];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int k = 0; k < 16; k++) tile[threadIdx.y % 32][threadIdx.x % 32 + k] = in[(y * 16 + k) * w + x];
    __syncthreads();
    out[y * w + x] = tile[threadIdx.y % 32][threadIdx.x % 32];
}

// Four rows that are interleaved: a block of 8x8 reads whole sectors, one of 16x16 half of each.  The shape decides, and it is a guess.
__global__ void interleaved(float *out, const float *in, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * w + x] = in[(blockIdx.y * w + x) * 4 + threadIdx.y % 4];
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "ssumes block 16x16"
}
