// The classic counterexamples of an analysis of warps, each by hand.
// PARAM: --block 32

__global__ void two_arms(float *out, int n, int m) {
    int i = threadIdx.x;
    if (n > 4)
        i += m;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=5 best=4 ideal=4
}

__global__ void after_divergent_loop(int *out, const int *in) {
    int k = 0;
    while (in[k + threadIdx.x] > 0)
//         ^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations"
//         ^^^^^^^^^^^^^^^^^^^^^^^ branch! divergence=possible
        k++;
    if (k)
//      ^ branch! divergence=possible
        out[k] = 1;
//      ^^^^^^ access! worst=32 best=1
}

// k is the lane's own number of rounds: after the loop it is threadIdx.x.
__global__ void after_exact_loop(int *out) {
    unsigned k = 0;
    while (k < threadIdx.x)
//         ^^^^^^^^^^^^^^^ info[WC302] "threads of a warp exit up to 31 iterations apart, idle in 50% of them"
        k++;
    out[8 * k] = 1;
//  ^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do"
//  ^^^^^^^^^^ access! worst=32 best=32 ideal=4
}

// Nothing says that p[0] is the same before and after the store: b - a is any number.
__global__ void written_cell(int *out, int *p, int n) {
    int a = p[0];
    p[threadIdx.x] = n;
    int b = p[0];
    out[(b - a) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1
}

__global__ void written_in_a_loop(int *out, int *p, int n) {
    for (int k = 0; k < n; k++) {
        out[p[0] * threadIdx.x] = k;
//      ^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do"
//      ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1
        p[threadIdx.x] = k;
    }
}

// -8 .. 23 by 4 truncates towards zero: -2 .. 5, which is 6 .. 13 after adding 8.
__global__ void negative_dividend(int *out) {
    int i = (int)threadIdx.x - 8;
    out[i / 4 + 8] = 1;
//  ^^^^^^^^^^^^^^ info[WC102] "2 sectors where 1 would do"
//  ^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1
    out[i % 4 + 8] = 2;
//  ^^^^^^^^^^^^^^ info[WC102] "2 sectors where 1 would do"
//  ^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1
    if (i % 4 < 0)
//      ^^^^^^^^^ branch! divergence=always active=6,26
        out[i] = 3;
//      ^^^^^^ access! worst=1 best=1
}

__global__ void short_elements(short *out) {
    __shared__ short s[64];
    out[threadIdx.x + 1] = 1;
//  ^^^^^^^^^^^^^^^^^^^^ info[WC102] "3 sectors where 2 would do"
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=3 best=3 ideal=2
    s[threadIdx.x + 1] = 1;
//  ^^^^^^^^^^^^^^^^^^ access! worst=1 best=1
    out[threadIdx.x] = s[0];
//  ^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=2
}

__global__ void every_eighth_lane(float *out, int n) {
    if (threadIdx.x % 8 == 0)
//      ^^^^^^^^^^^^^^^^^^^^ branch! divergence=always active=4,28
        out[threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^ none[WC101]
//      ^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=1
}

// Unsigned values wrap: with n = 2^32 - 5 thread 5 has i = 0, and i - 1 is the greatest value.
__global__ void wrapped_order(int *out, unsigned n) {
    unsigned i = threadIdx.x + n;
    if (i - 1 < i)
//      ^^^^^^^^^ branch! divergence=possible
        out[threadIdx.x] = 1;
}

__global__ void range_check(float *out, unsigned n) {
    unsigned j = threadIdx.x - n;
    if (j < 32u)
//      ^^^^^^^ branch! divergence=possible
        out[j] = 1.0f;
//      ^^^^^^ access worst=5 true_worst=4
}

// All lanes meet at one element, by arithmetic modulo 2^32.
__global__ void wrapped_sum(float *out) {
    int back = 0 - threadIdx.x;
    out[blockIdx.x * blockDim.x + threadIdx.x + back] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1
}
