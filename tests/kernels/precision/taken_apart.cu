// A linear index that sizes of the run take apart: rows are longer than a warp, so that mostly no row ends among its lanes.  What is dear there is
// dear; what is dear only where rows end, or for rows of one element, is not.
// PARAM: --block 256

// Columns become rows: neighbours of a row are H elements apart.
__global__ void transposed(float *out, const float *in, int H, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= H * W) return;
    int x = i % W, y = i / W;
    out[x * H + y] = in[i];
//  ^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do"
}

// The same with a constant.
__global__ void transposed_by_56(float *out, const float *in, int H) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= H * 56) return;
    int x = i % 56, y = i / 56;
    out[x * H + y] = in[i];
//  ^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do"
}

// Four deep: channels come last.
__global__ void permuted(float *out, const float *in, long N, long C, long H, long W) {
    for (long i = blockIdx.x * 256L + threadIdx.x; i < N * C * H * W; i += gridDim.x * 256L) {
        long w = i % W, h = i / W % H, c = i / (W * H) % C, n = i / (W * H * C);
        out[((n * H + h) * W + w) * C + c] = in[i];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do"
    }
}

// Rows keep their order: lanes stay side by side.
__global__ void rows_apart(float *out, const float *in, int C, int H, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int w = i % W, h = i / W % H, c = i / (W * H);
    out[(h * C + c) * W + w] = in[i];
//  ^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

__global__ void at_a_pitch(float *out, const float *in, int W, int pitch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i / W * pitch + i % W];
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// One element for a whole row; for rows of one element each, 32 sectors.
__global__ void one_of_each_row(float *out, const float *in, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i / W * 64];
//           ^^^^^^^^^^^^^^ none[WC101]
}
