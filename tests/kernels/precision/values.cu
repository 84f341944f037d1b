// Values that lanes work out for themselves.
// PARAM: --block 256

// The five low bits in reverse: a permutation of the lanes.
__global__ void reversed_bits(float *p) {
    p[__brev(threadIdx.x) >> 27] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
}

// Rows and columns of a linear index at a pitch that is not known: 32 neighbours lie on two rows at most if w >= 32.
__global__ void rows_and_columns(float *p, float *q, int w) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    int row = e / w, column = e % w;
    p[row * w + column] = 1;
//  ^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    q[column] = 2;
//  ^^^^^^^^^ access! worst=6 best=1
    q[row] = 3;
//  ^^^^^^ access! worst=4 best=1
}

// Buffers that change places after each round.
__global__ void swapped(float *a, float *b, int n) {
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        to[threadIdx.x] = from[threadIdx.x];
//      ^^^^^^^^^^^^^^^ access! worst=4 best=4
        float *kept = from;
        from = to;
        to = kept;
    }
}

// Halves by a symbol: n, n/2, n/4, ...
__global__ void halved(float *p, int n) {
    for (int half = n / 2; half > 0; half /= 2)
        if (threadIdx.x < half)
            p[threadIdx.x] += p[threadIdx.x + half];
//          ^^^^^^^^^^^^^^ access! worst=4 best=4
}

// A table of a lane's own, at places that are known.
__global__ void private_table(float *p) {
    int at[4];
    for (int k = 0; k < 4; k++)
        at[k] = 256 * k + threadIdx.x;
    for (int k = 0; k < 4; k++)
        p[at[k]] = 1;
//      ^^^^^^^^ access! worst=4 best=4
}

// A counter in floating point.
__global__ void rounded(float *p, float scale) {
    p[(int)(threadIdx.x * scale)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1
}

// Every lane counts for itself, and all arrive at the same number.
__global__ void counted_alike(float *p, int n) {
    int count = 0;
    for (int k = 0; k < n; k++)
        count += 2;
    p[count + threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 exact=true
}

// The least of what the lanes have is uniform in the warp.
__global__ void voted(float *p, const int *x) {
    unsigned set = __ballot_sync(0xffffffff, x[threadIdx.x] > 0);
    int rank = __popc(set & ((1u << threadIdx.x % 32) - 1));
    p[rank] = 1;
//  ^^^^^^^ access! worst=4 best=1
    p[__popc(set) + threadIdx.x % 32] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4
}
