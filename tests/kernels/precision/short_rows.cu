// Rows of a few lanes that begin where memory says: some have a sector too many, and not all of them at once. Shares are of
// what they usually cost: 18 of 24 sectors (32 of 38 would be 84%).
// PARAM: --block 256

__global__ void pairs(float *out, const float *in, const int *first) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[first[i / 2] + i % 2];
//           ^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "about 18 sectors (up to 32) where 4 would do (4.5x) if the values of `first[i / 2]` scatter. Up to 75% of this kernel's global traffic"
//           ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1
}

// The begin of a pair is found by two loads, and its elements lie four apart.
__global__ void chosen_pairs(float *out, const float *in, const int *first, const int *bin) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[first[bin[i / 2]] + i % 2 * 4];
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "about 24 sectors (up to 32)"
}

// Fours in bytes: eight sectors, seldom more, where one would do.
__global__ void bytes(unsigned char *out, const unsigned char *in, const int *first) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[first[i / 4] + i % 4];
//           ^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "about 9 sectors (up to 16) where 1 would do (9x)"
}

// Fours of doubles are a sector each, as they should be, and a second one for those that begin within one: less than twice the ideal.
__global__ void fours(double *out, const double *in, const int *first) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[first[i / 4] + i % 4];
//           ^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}
