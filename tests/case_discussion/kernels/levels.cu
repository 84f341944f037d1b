// Three texts by one macro.
// resources T Z
// case B <= T and 2*B <= Z: LEVEL=2
// case B <= T and B <= Z and Z < 2*B: LEVEL=1
// case B <= T and Z < B: LEVEL=0
// case T < B: no T
#define B 64
#define LEVEL 2
//@ launch block=B grid=(n / B)
__global__ void levels(int *out, const int *in, int n) {
    int i = blockIdx.x * B + threadIdx.x;
#if LEVEL == 2
    __shared__ int twice[2][B];
    twice[0][threadIdx.x] = in[i];
    twice[1][threadIdx.x] = 2 * in[i];
    __syncthreads();
    out[i] = twice[0][B - 1 - threadIdx.x] + twice[1][threadIdx.x];
#elif LEVEL == 1
    __shared__ int once[B];
    once[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = once[B - 1 - threadIdx.x] + 2 * in[i];
#else
    out[i] = in[blockIdx.x * B + B - 1 - threadIdx.x] + 2 * in[i];
#endif
}
