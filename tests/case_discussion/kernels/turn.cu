// What was published left 2*PARTS*X*Y <= Z, 5 <= R < 6 without a variant.
// resources Z R; registers 6 PARTS=1:5
// case 2*PARTS*X*Y <= Z and 6 <= R: PARTS kept, TILES=1
// case 2*PARTS*X*Y <= Z and 5 <= R and R < 6: PARTS=1, TILES=1
// case 2*X*Y <= Z and Z < 2*PARTS*X*Y and 5 <= R: PARTS=1, TILES=1
// case Z < 2*X*Y and 5 <= R: PARTS=1, TILES=0
// case R < 5: no R
#define X 16
#define Y 4
#define PARTS 2
#define TILES 1
//@ assume n % (PARTS * X) == 0 && n % Y == 0 && n >= PARTS * X && n >= Y
//@ launch block=(X, Y) grid=(n / (PARTS * X), n / Y)
__global__ void turn(int *out, const int *in, int n) {
    int top = blockIdx.y * Y, left = blockIdx.x * PARTS * X;
#if TILES
    __shared__ int read[Y][PARTS * X], written[PARTS * X][Y];
    for (int k = 0; k < PARTS; k++) read[threadIdx.y][k * X + threadIdx.x] = in[(top + threadIdx.y) * n + left + k * X + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < PARTS; k++) written[k * X + threadIdx.x][threadIdx.y] = read[threadIdx.y][k * X + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < PARTS; k++) {
        int e = (k * Y + threadIdx.y) * X + threadIdx.x;
        out[(left + e / Y) * n + top + e % Y] = written[e / Y][e % Y];
    }
#else
    for (int k = 0; k < PARTS; k++) {
        int x = left + k * X + threadIdx.x, y = top + threadIdx.y;
        out[x * n + y] = in[y * n + x];
    }
#endif
}
