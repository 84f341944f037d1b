// resources T R; registers PAIRS=1:14 PAIRS=0:10
// case X*Y <= T and 14 <= R: PAIRS=1
// case X*Y <= T and 10 <= R and R < 14: PAIRS=0
// case X*Y <= T and R < 10: no R
// case T < X*Y: no T
#define X 16
#define Y 8
#ifndef PAIRS
#define PAIRS 1
#endif
//@ assume w % (2 * X) == 0 && h % Y == 0 && w >= 2 * X && h >= Y
//@ launch block=(X, Y) grid=(w / ((1 + PAIRS) * X), h / Y)
__global__ void two_sums(float *out, const float *p, const float *q, int w, int h) {
    int row = blockIdx.y * Y + threadIdx.y, col = blockIdx.x * X + threadIdx.x;
#if PAIRS
    int far = row * w + col + w / 2;
    out[row * w + col] = p[row * w + col] + q[row * w + col];
    out[far] = p[far] + q[far];
#else
    out[row * w + col] = p[row * w + col] + q[row * w + col];
#endif
}
