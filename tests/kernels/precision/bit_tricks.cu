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
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "up to 4-way"
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
//                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    }
}

__global__ void group_by_a_count_of_bits(float *out, const unsigned *start, const float *in, unsigned R, int log_warps) {
    // Rows for groups of 2^log_warps warps: whatever the parameter is, a warp has one row.
    unsigned id = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    unsigned row = id >> (5 + log_warps);
    float sum = 0.0f;
    for (unsigned x = start[row]; x < start[row + 1]; x++)
    //                            ^^^^^^^^^^^^^^^^^^ none[WC302]
        for (unsigned r = lane; r < R; r += 32) sum += in[x * R + r];
        //                                             ^^^^^^^^^^^^^ none[WC101]
    out[id] = sum;
}

__global__ void part_by_a_count_of_bits(float *out, const float *in, int log_part) {
    // Of four threads each at least: eight rows or fewer in a warp.
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[(threadIdx.x >> (2 + log_part)) * 64];
    //                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8
}

__global__ void warp_of_a_group(float *out, const unsigned *start, const float *in, int log_warps) {
    // Which warp of its group of 2^log_warps warps: bits that a warp agrees on, and the lane below them.
    unsigned t = threadIdx.x, warp = (t & ((1 << (5 + log_warps)) - 1)) >> 5;
    float sum = 0.0f;
    for (unsigned x = start[warp]; x < start[warp + 1]; x++) sum += in[x * 32 + (t & 31)];
    //                             ^^^^^^^^^^^^^^^^^^^ none[WC302]
    //                                                              ^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    out[t & ((1u << (5 + log_warps)) - 1)] = sum;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
}

__global__ void part_of_a_warp(float *out, const float *in, int log_part) {
    // Groups of 16 or more lanes: those of a warp may be two.
    unsigned part = (threadIdx.x & ((1 << (4 + log_part)) - 1)) >> 4;
    out[threadIdx.x] = in[part * 64];
    //                 ^^^^^^^^^^^^^ access! worst=2
}
