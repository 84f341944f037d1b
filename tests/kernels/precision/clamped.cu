// Indices that are clamped, mirrored or masked with a size, and then divided or compared: all are found case by case.
// PARAM: --block 256

// Mirrored at the border, and halved.  The mirrored value may be negative (a tiny w), where a quotient rounds towards
// zero: its sign is decided first, then it is a polynomial.
__global__ void mirrored_and_halved(float *p, int w) {
    int x = blockIdx.x * 128 + threadIdx.x;
    if (x >= w) x = 2 * w - 2 - x;
    else if (x < 0) x = -x;
    p[x / 2 + 16384] = 1;
//  ^^^^^^^^^^^^^^^^ access! worst=3 best=1
}

// A dividend that is never positive, by a number: a polynomial at once.
__global__ void counted_down(float *p, int n) {
    int left = (int)threadIdx.x - 256 - n;
    p[left / 4 + n + 64] = 1;
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=1
}

// The mask is a size that is itself a quotient: what is decided about the quotient holds wherever it occurs.
__global__ void masked_by_a_quotient(unsigned *p, unsigned stride) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned low = at & (stride / 128 - 1);
    p[low] = 0;
//  ^^^^^^ access! worst=4 best=1
    p[2 * (at - low) + low] = 0;
//  ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8
}

// `w - 1` as an unsigned number wraps around for w = 0 only: how often it does is a symbol of its own, so that the order
// of the two is known for every other w.
__global__ void clamped_unsigned(float *p, const float *q, int w) {
    int base = blockIdx.x * blockDim.x;
    int x = min(base + threadIdx.x, w - 1);
    p[base + threadIdx.x] = q[x];
//                          ^^^^ access! worst=4 best=1
}

__global__ void clamped_by_an_if(float *p, const float *q, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n - 1) i = n - 1;
//      ^^^^^^^^^ branch divergence=boundary
    p[threadIdx.x] = q[i];
//                   ^^^^ access worst=5 true_worst=4 best=1
}

// The same order in a guard: a cut, as with `i + 1 < n`.
__global__ void all_but_the_last(float *p, const float *q, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) p[i] = q[i + 1];
//      ^^^^^^^^^ branch divergence=boundary
//                        ^^^^^^^^ info[WC102]
//                        ^^^^^^^^ access! worst=5 best=5
}
