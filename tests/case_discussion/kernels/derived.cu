// Extents rest on other macros, a constant is a parameter, too, and doubles have two words.
// resources T Z
// case W*HEIGHT <= T and 4*W*W + 4*W <= Z: as it is
// case W*HEIGHT <= T and Z < 4*W*W + 4*W: no Z
// case T < W*HEIGHT: no T
#define W 8
#define SPAN (2 * W)
#define ROW_OF(w) ((w) + 1)
constexpr int HEIGHT = 8;
//@ launch block=(W, HEIGHT) grid=(4)
__global__ void derived(double *out, const double *in) {
    __shared__ double tile[SPAN][ROW_OF(W)];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * W + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * W + threadIdx.x] = tile[threadIdx.y][W - 1 - threadIdx.x];
}
