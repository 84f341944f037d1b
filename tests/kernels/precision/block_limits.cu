// Arrays that all threads of a block index say how many there can be; arrays that only some of them index say nothing.

// One element a thread: no block is larger than the array, and a warp's lanes are these.
//! block (8)
__global__ void partial_sums(const float *in, float *out, int n) {
    __shared__ float partial[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += in[(i + k * n) * 8];
//                                     ^^^^^^^^^^^^^^^^^^^ info[WC101]! "8 sectors where 1 would do (8x)"
    partial[threadIdx.x] = sum;
    __syncthreads();
    float all = 0;
    for (int k = 0; k < 8; k++) all += partial[k];
    out[i] = all;
}

// A tile with a margin of one cell on each side, also where only some blocks copy into it.
//! block (4,4,4)
__global__ void margins(const float *in, float *out, int blocks) {
    __shared__ float tile[6][6][6];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    int i = ((blockIdx.x * 4 + z) * 4 + y) * 4 + x;
    if (blockIdx.x < blocks) {
        tile[z + 1][y + 1][x + 1] = in[i];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]! "ith 1 more access to `tile`"
        __syncthreads();
        out[i] = tile[z + 2][y][x + 2];
    }
}

// Under a condition on the thread the array may well be smaller than the block.
//! block (256)
__global__ void first_threads(const float *in, float *out, int n) {
    __shared__ float first[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (threadIdx.x < 8) first[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = first[i % 8];
}

// So it may behind a return of the other threads.
//! block (256)
__global__ void early(const float *in, float *out) {
    __shared__ float first[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
    if (threadIdx.x >= 8) return;
    first[threadIdx.x] = in[i];
    out[i + 8] = first[threadIdx.x];
}

// Rows of one element more are padding; a flat index counts all threads.
//! block (8,8)
__global__ void padded(const float *in, float *out) {
    __shared__ float tile[8][9];
    __shared__ float flat[64];
    int i = (blockIdx.x * 8 + threadIdx.y) * 8 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[i];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]! "2-way"
    flat[threadIdx.y * 8 + threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x][threadIdx.y] + flat[threadIdx.y * 8 + threadIdx.x];
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]! "2-way"
}

// Nothing says how wide the block is: in a guessed one of 16x16 two rows of a tile of 40 words meet, in one of 32x8 nothing does. Columns meet
// in any.
//! block (16,16)
__global__ void guessed(const float *in, float *out, int n) {
    extern __shared__ float tile[];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    tile[threadIdx.y * 40 + threadIdx.x] = in[y * n + x];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 ideal=1
    __syncthreads();
    out[y * n + x] = tile[threadIdx.x * 40 + threadIdx.y];
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]
}
