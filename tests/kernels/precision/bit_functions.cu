// Functions of bits whose operands every thread knows: indexes of a Fourier transform, of a permutation of bytes, of a hash.
// PARAM: --block 256

__global__ void reversed(float *out) {
    __shared__ float s[256];
    s[__brev(threadIdx.x) >> 24] = 0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8
    out[threadIdx.x] = s[__brev(threadIdx.x) >> 24];
}

// 256 numbers of 8 bits, times 2^28: the upper half of the product is a sixteenth.
__global__ void high_halves(float *p, const float *q) {
    p[__umulhi(threadIdx.x, 1u << 28)] = q[__mulhi((int)threadIdx.x - 256, 1 << 28) + 16];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1
}

// The lowest byte becomes the second: 256 elements apart.
__global__ void permuted(float *p) {
    p[__byte_perm(threadIdx.x, 0, 0x4404)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32
    p[__funnelshift_l(threadIdx.x << 24, 0, 8)] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
}

// A shift of each lane's own; by the width and more nothing is left.
__global__ void shifted(float *p) {
    p[64 >> threadIdx.x % 32] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    p[threadIdx.x >> (5 + threadIdx.x % 32) << 8] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]
}
