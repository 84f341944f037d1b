// Bits of values that are not known: a mask such as `stride - 1` decides about the lanes' low bits only.
// PARAM: --block 256

// Pairs at a stride (a sorting network).  All 32 residues of the stride modulo 32 were tried: 8 sectors at most.
__global__ void pairs(float *p, unsigned stride) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pos = 2 * i - (i & (stride - 1));
    p[pos] = 1;
//  ^^^^^^ none[WC101]
//  ^^^^^^ access! worst=8
    p[pos + stride] = 2;
//  ^^^^^^^^^^^^^^^ none[WC101]
//  ^^^^^^^^^^^^^^^ access! worst=8
}

// The same in shared memory: two lanes to a bank at most.
__global__ void scanned(unsigned size) {
    __shared__ float s[512];
    unsigned pos = 2 * threadIdx.x - (threadIdx.x & (size - 1));
    s[pos] = 0;
//  ^^^^^^ access! worst=2
    pos += size;
    for (unsigned offset = 1; offset < size; offset <<= 1)
        s[pos] += s[pos - offset];
//      ^^^^^^ none[WC201]
//                ^^^^^^^^^^^^^^^ access! worst=2
}

// Powers of two that a parameter chooses: never negative, and halved until nothing is left.
__global__ void quartered(float *p, int log2n) {
    extern __shared__ float s[];
    int n = 1 << log2n;
    for (int stride = n >> 2; stride > 0; stride >>= 2) {
        int low = threadIdx.x & (stride - 1);
        s[((threadIdx.x - low) << 2) + low] = p[threadIdx.x + 8 * stride];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "up to 4-way bank conflict"
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
//                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    }
}
