// resources Z R; registers 9
// case 2*POINTS*W + 2 <= Z and 9 <= R: POINTS kept, TILE=1
// case 2*W + 2 <= Z and Z < 2*POINTS*W + 2 and 9 <= R: POINTS=1, TILE=1
// case Z < 2*W + 2 and 9 <= R: POINTS=1, TILE=0
// case R < 9: no R
#define W 64
#define POINTS 4
#define TILE 1
//@ assume n % (POINTS * W) == 2 && n >= POINTS * W + 2
//@ launch block=W grid=((n - 2) / (POINTS * W))
__global__ void smooth(float *to, const float *from, int n) {
    int first = blockIdx.x * POINTS * W;
#if TILE
    __shared__ float old[POINTS * W + 2];
    __shared__ float fresh[POINTS * W];
    for (int i = threadIdx.x; i < POINTS * W + 2; i += W) old[i] = from[first + i];
    __syncthreads();
    for (int i = threadIdx.x; i < POINTS * W; i += W) fresh[i] = (old[i] + old[i + 1] + old[i + 2]) / 3;
    for (int i = threadIdx.x; i < POINTS * W; i += W) to[first + i + 1] = fresh[i];
#else
    for (int i = threadIdx.x; i < POINTS * W; i += W) {
        int at = first + i;
        to[at + 1] = (from[at] + from[at + 1] + from[at + 2]) / 3;
    }
#endif
}
