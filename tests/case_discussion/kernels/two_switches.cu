// Two arrays, each cached or not: the first strategy is applied first.
// resources Z
// case 3*B <= Z: FIRST=1, SECOND=1
// case 2*B <= Z and Z < 3*B: FIRST=0, SECOND=1
// case Z < 2*B: FIRST=0, SECOND=0
#define B 128
#define FIRST 1
#define SECOND 1
//@ launch block=B grid=(n / B)
__global__ void two_switches(float *out, const float *p, const float2 *q, int n) {
    int i = blockIdx.x * B + threadIdx.x, other = blockIdx.x * B + B - 1 - threadIdx.x;
#if FIRST
    __shared__ float a[B];
    a[threadIdx.x] = p[i];
#endif
#if SECOND
    __shared__ float2 b[B];
    b[threadIdx.x] = q[i];
#endif
    __syncthreads();
#if FIRST
    float left = a[B - 1 - threadIdx.x];
#else
    float left = p[other];
#endif
#if SECOND
    float right = b[B - 1 - threadIdx.x].y;
#else
    float right = q[other].y;
#endif
    out[i] = left + right;
}
