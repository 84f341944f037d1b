// Bank conflicts beside global memory: what a processor serves while it waits for sectors is no warning, and a little of it no line.

// A transpose by a padded tile whose pitch of 17 words makes the first and the last lane of a warp meet: two wavefronts beside eight sectors.
//@ launch block=(16, 16)
__global__ void transposed(float *out, const float *in, int w, int h) {
    __shared__ float tile[16 * 17];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + 16 * y + x;
    tile[y * 17 + x] = in[at];
//  ^^^^^^^^^^^^^^^^ info[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x). 50%"
    __syncthreads();
    out[at] = tile[x * 17 + y];
//            ^^^^^^^^^^^^^^^^ info[WC201]! "2-way"
}

// The same beside a row of 64 sectors more.
//@ launch block=(16, 16)
__global__ void summed(float *out, const float *in, int w, int h) {
    __shared__ float tile[16 * 17];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + 16 * y + x;
    float sum = 0.0f;
    for (int k = 0; k < 16; k++)
        sum += in[at + 4096 * k];
    tile[y * 17 + x] = sum;
//  ^^^^^^^^^^^^^^^^ access! worst=2 ideal=1
//  ^^^^^^^^^^^^^^^^ none[WC201]
    __syncthreads();
    out[at] = tile[x * 17 + y];
//            ^^^^^^^^^^^^^^^^ none[WC201]
}

// Rows of 32 words, read by columns: what the tile costs is more than what it is loaded with.
//@ launch block=(32, 8)
__global__ void by_columns(float *out, const float *in) {
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 1024 + 32 * y + x;
    for (int k = 0; k < 32; k += 8)
        tile[y + k][x] = in[at + 32 * k];
    __syncthreads();
    for (int k = 0; k < 32; k += 8)
        out[at + 32 * k] = tile[x][y + k];
//                         ^^^^^^^^^^^^^^ warn[WC201]! "32-way"
}

// The same pitch where what is read is what was written: one index, and both of its requests together are two wavefronts beside eight sectors.
//@ launch block=(16, 16)
__global__ void passed_through(float *out, const float *in) {
    __shared__ float tile[16 * 17];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + 16 * y + x;
    tile[y * 17 + x] = in[at];
//  ^^^^^^^^^^^^^^^^ info[WC201]! "2-way"
    __syncthreads();
    out[at] = tile[y * 17 + x];
}

// Stored twice it is three of them, which no two rows of words hide.
//@ launch block=(16, 16)
__global__ void passed_and_doubled(float *out, const float *in) {
    __shared__ float tile[16 * 17];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + 16 * y + x;
    tile[y * 17 + x] = in[at];
//  ^^^^^^^^^^^^^^^^ warn[WC201]! "2-way"
    __syncthreads();
    float before = tile[y * 17 + x];
    __syncthreads();
    tile[y * 17 + x] = 2.0f * before;
    __syncthreads();
    out[at] = tile[y * 17 + x];
}

// Rows of 32 words read by columns, beside a sum of some hundred terms a thread that takes no memory: true, and little of what the kernel does.
//@ launch block=(32, 8)
__global__ void beside_sums(float *out, const float *in) {
    __shared__ float tile[8][32];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + 32 * y + x;
    tile[y][x] = in[at];
    __syncthreads();
    float own = tile[x & 7][4 * y + x / 8], sum = 0.0f;
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201] "8-way"
    for (int k = 0; k < 400; k++)
        sum = sum * own + own * k;
    out[at] = sum;
}

//@ launch block=(32, 8)
__global__ void beside_nothing(float *out, const float *in) {
    __shared__ float tile[8][32];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + 32 * y + x;
    tile[y][x] = in[at];
    __syncthreads();
    out[at] = tile[x & 7][4 * y + x / 8];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "8-way"
}
