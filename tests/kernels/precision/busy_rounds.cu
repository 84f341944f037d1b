// Eight stores between which a loop of 64 rounds stands fill sectors together, also those that are put into one round when the budget of exact
// execution is spent: what is derived from the number of the round is known in each.

__device__ unsigned long power(unsigned long x, unsigned long y, unsigned long m) {
    unsigned long r = 0;
    if (x == 0 || y == 0)
        return 0;
    if (x < y) {
        unsigned long swapped = x;
        x = y;
        y = swapped;
    }
    for (int i = 63; i >= 0; i--) {
        if (r > 0x7fffffffffffffffUL)
            r = m - ((m - r) << 1);
        else
            r <<= 1;
        if ((y >> i) & 1) {
            if (r > 0xffffffffffffffffUL - x)
                r -= m - x;
            else
                r += x;
        }
        if (r >= m)
            r -= m;
    }
    return r;
}

__global__ void scaled(unsigned *out, const unsigned long *in, unsigned long m) {
    unsigned t = threadIdx.x, b = blockIdx.x, at = (b << 9) | ((t & 0x38) << 3) | (t & 7);
    unsigned long own[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        own[i] = in[b * 512 + t + 64 * i];
#pragma unroll
    for (int i = 0; i < 8; i++)
        out[(((at | (i << 3)) & 0xf) << 12) | ((at | (i << 3)) >> 4)] = (unsigned)power(own[i], own[7 - i], m);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "16 sectors where 4 would do (4x). Neighbouring stores fill the rest of these sectors. Runs 8 times per warp"
}

void run(unsigned *out, const unsigned long *in, unsigned long m) {
    scaled<<<128, 64>>>(out, in, m);
}
