// An index that wraps around: lanes lie in two rows, and not where memory sends them.
// PARAM: --block 256

struct Twister { unsigned middle, mask; };
__shared__ unsigned states[8][101];
__shared__ Twister twisters[8];

__device__ void update() {
    unsigned w = threadIdx.x / 32, t = threadIdx.x % 32;
    volatile unsigned *state = states[w];
    unsigned m = twisters[w].middle;
    int first = 101 - m;
    if (first > 96) first = 96;
    for (unsigned i = first + t; i < 101; i += 32)
//                               ^^^^^^^ none[WC302]
        state[i] = state[i] ^ state[i + m - (i + m >= 101 ? 101 : 0)];
//                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
}

__global__ void numbers(float *out, const Twister *in, int rounds) {
    unsigned w = threadIdx.x / 32, t = threadIdx.x % 32;
    for (unsigned i = t; i < 101; i += 32) states[w][i] = i;
    if (t == 0) twisters[w] = in[blockIdx.x * 8 + w];
    __syncthreads();
    for (int r = 0; r < rounds; r++) update();
    out[threadIdx.x + 256 * blockIdx.x] = states[w][t];
}
