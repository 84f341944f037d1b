// What tests say of values: which of it is used.
// PARAM: --block 256

// i < n - 1 implies i < n.
__global__ void implied(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        if (i < n)
            p[i] = 1;
}

// n > 5 and n < 3 exclude each other.
__global__ void excluded(float *p, int n) {
    if (n > 5)
        p[threadIdx.x] = 1;
    if (n < 3)
        p[threadIdx.x + 1] = 2;
//      ^^^^^^^^^^^^^^^^^^ info[WC102] "5 sectors where 4 would do (1.25x), because its elements do not begin at a multiple of 32 bytes"
    if (n > 5)
        if (n < 3)
            p[32 * threadIdx.x] = 3;
//          ^^^^^^^^^^^^^^^^^^^ none[WC101]
//          ^^^^^^^^^^^^^^^^^^^ access! worst=0
}

// The clamped lanes are one element: never more than 4 sectors, at worst 5 if it were not aligned.
__global__ void clamped(float *p, int n) {
    int i = threadIdx.x;
    p[min(i, n - 1)] = 1;
//  ^^^^^^^^^^^^^^^^ access! worst=4 best=1
    p[i < n ? i : n - 1] = 2;
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=1
    p[max(i - 1, 0)] = 3;
//  ^^^^^^^^^^^^^^^^ access! worst=5 best=4
}

// The neighbour to the left, except at the left edge of the image.
__global__ void edge(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        p[i] = p[i - 1] + p[i + 1];
//             ^^^^^^^^ none[WC102]
//      ^^^^ access! worst=4 best=4
}

// Lanes alternate between two arrays, which share no sector, and between two places of one.
__global__ void alternating(float *p, float *q, int n) {
    int i = threadIdx.x;
    float *from = i % 2 ? p : q;
    from[i] = 1;
//  ^^^^^^^ warn[WC101] "8 sectors where 4 would do (2x)"
//  ^^^^^^^ access! worst=8 best=8
    p[i % 2 ? i : i + n] = 2;
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=4
}

// The parity of tid + k is one of two: either way 16 lanes run.
__global__ void checkerboard(float *p, int k) {
    int i = threadIdx.x;
    if ((i + k) % 2 == 0)
        p[i] = 1;
//      ^^^^ info[WC101] "4 sectors where 2 would do (2x)"
}

// A range by one unsigned comparison.
__global__ void range(float *p, int n) {
    unsigned j = threadIdx.x - n;
    if (j < 32u)
        p[j] = 1;
//      ^^^^ access worst=5 best=4 true_worst=4
}

// Two cuts of the same row: each is at an edge.
__global__ void two_cuts(float *p, int w, int border) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < w) {
        if (x < border)
//          ^^^^^^^^^^ branch divergence=boundary
            p[x] = 1;
    }
}

// Runs of eight, the last one cut short: of each warp at most one lane is there, and seven elements are left at most.
__global__ void last_run(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = 8 * i;
    int rest = n - first;
    if (rest > 0 && rest < 8)
        for (int k = 0; k < rest; k++)
            p[first + k] = 1;
//          ^^^^^^^^^^^^ access! worst=1 best=1
//          ^^^^^^^^^^^^ none[WC101]
}

// Every lane stays in a band of 12 elements, 4 apart: three lanes at a time.
__global__ void band(float *p, int n) {
    int x = 4 * threadIdx.x;
    if (x < n && n <= x + 12)
        p[8 * threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^ access! worst=3
//      ^^^^^^^^^^^^^^^^^^ none[WC101]
}

// Not both ends of one band: what one side excludes, the other does not.
__global__ void two_bounds(float *p, int n, int m) {
    int x = 4 * threadIdx.x;
    if (x < n && m <= x + 12)
        p[8 * threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^ access! worst=32
//      ^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
}

// Tests that are joined by `&` are tests still: half a warp is here.
__global__ void both_by_bits(const int *at, const double *from, double *to, int n) {
    int lane = threadIdx.x & 31;
    int most = __shfl_sync(0xffffffff, at[threadIdx.x], 0);
    if ((lane >> 4) == 0 & lane - 3 < most) to[threadIdx.x] = from[at[threadIdx.x + n]];
//                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16
//                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "up to 16 sectors"
    if ((lane >> 4) == 1 | lane < 2) to[threadIdx.x] += from[at[threadIdx.x]];
//                                                      ^^^^^^^^^^^^^^^^^^^^^ access! worst=18
//                                                      ^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "up to 18 sectors"
}

// Tiles that overlap by a halo: an end of the row goes through two blocks at most, and what lies outside is filled in.
//@ launch block=(32, 8)
__global__ void tiles(const uchar4 *in, int *out, int w, int h, int width) {
    __shared__ int tile[8][32];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * 7 + y - 1, column = blockIdx.x * 30 + x - 1, at = row * w + column;
    if (row >= 0 && row < h && column >= 0 && column < width) {
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ branch! divergence=boundary
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC301]
        uchar4 p = in[at];
        tile[y][x] = p.x + p.y + p.z;
    } else
        tile[y][x] = 9999;
    __syncthreads();
    if (x > 0 && x < 31 && y > 0 && row < h && column < width)
        out[at] = tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x];
}
