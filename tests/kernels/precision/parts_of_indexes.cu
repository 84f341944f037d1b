// A linear index that is taken apart by sizes, several times: where rows are no shorter than a warp, at most one ends among its lanes.
// PARAM: --block 256

// A plane after the other: what is divided by `w * h` is what was divided by w, divided by h.
__global__ void planes(float *out, const float *in, int w, int h, int pitch, int plane, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = i % w, y = i / w % h, z = i / (w * h);
    out[i] = in[z * plane + y * pitch + x];
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=32 ideal=4
}

// Put together again it is the index.
__global__ void together(float *out, const float *in, int w, int h, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = i % w, y = i / w % h, z = i / (h * w);
    out[i] = in[(z * h + y) * w + x];
//           ^^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=4 ideal=4 exact=true
}

// Transposed: each lane has a row of its own.
__global__ void permuted(float *out, const float *in, int w, int h, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = i % w, y = i / w % h, z = i / (w * h);
    out[i] = in[(z * w + x) * h + y];
//           ^^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=32 ideal=4
//           ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
}
