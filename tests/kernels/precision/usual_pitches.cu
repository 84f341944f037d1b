// Rows begin where the sizes that programs have let them begin: what other sizes would cost is said beside it.
// PARAM: --block 16,16

// Four bytes a lane, stored one by one: two sectors a row.
__global__ void textured(char *surface, size_t pitch, int t) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    unsigned char *p = (unsigned char *)(surface + y * pitch) + 4 * x;
    p[0] = x + t;
//  ^^^^ warn[WC101]! "6 sectors where 1 would do (6x). 4 (4x) when pitch % 32 == 0. With 1 more access"
//  ^^^^ access! worst=6 ideal=1
    p[2] = y;
}

// Rows of half a warp each: a sector for each of them is one too many, and nobody gains by changing that.
__global__ void halves(unsigned char *out, const float *in, int w) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    out[y * w + x] = in[y * w + x];
//  ^^^^^^^^^^^^^^ none[WC101]
//  ^^^^^^^^^^^^^^ access! worst=4 ideal=1
}
