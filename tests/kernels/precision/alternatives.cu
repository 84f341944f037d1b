// What a warp asks memory alike, and answers on two sides: it goes to one of them, so that each side counts half.

__global__ void by_kind(const int *kinds, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int kind = kinds[blockIdx.x];
    if (i >= n)
        return;
    float x = in[16 * i + 5];
//            ^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). 49% of this kernel's global traffic"
    if (kind > 3)
        out[8 * i] = x;
//      ^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). Runs at most once per warp. With 1 more access to `out`: 49%"
    else
        out[8 * i + 1024] = 2 * x;
}

// One side alone may be what happens nearly always.
__global__ void if_any(const int *kinds, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int kind = kinds[blockIdx.x];
    if (i >= n)
        return;
    float x = in[16 * i + 5];
//            ^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). 49% of this kernel's global traffic"
    if (kind > 3)
        out[8 * i] = x;
//      ^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). 49% of this kernel's global traffic"
}

// Nor does it become a side of two because another `if`, which has two, asks the same.
__global__ void beside_sides(const int *kinds, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int kind = kinds[blockIdx.x];
    if (i >= n)
        return;
    if (kind > 3)
        out[8 * i] = in[i];
//      ^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
    if (kind > 3)
        out[i + 4096] = 2;
    else
        out[i + 8192] = 3;
}
