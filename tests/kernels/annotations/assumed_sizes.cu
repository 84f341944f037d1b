// What is assumed of sizes changes what accesses and branches cost; every figure below is worked out by hand.

// Rows at a pitch of w floats: 4*w bytes are whole sectors where w is a multiple of 8, so each half warp's row of 16
// floats takes 2 sectors, wherever it begins.
//@ launch block=(16, 16)
//@ assume w % 8 == 0
__global__ void addSub(float *sum, const float *a, const float *b, int w, int h) {
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h) {
        sum[y * w + x] = a[y * w + x] + b[y * w + x];
//      ^^^^^^^^^^^^^^ access! worst=4 ideal=4 times=1
    }
}

// The same with pitches that are said to be equal: b's rows are a's.
//@ launch block=(16, 16)
//@ assume w % 8 == 0 && w == wb
__global__ void addPitched(float *sum, const float *b, int w, int h, int wb) {
    int x = blockIdx.x * 16 + threadIdx.x;
    int y = blockIdx.y * 16 + threadIdx.y;
    sum[y * w + x] = b[y * wb + x];
//                   ^^^^^^^^^^^^^ access! worst=4 ideal=4
}

// 256 threads a block and n a multiple of 256 in a grid of ceil(n / 256) blocks: no thread is past the end.
//@ launch block=(256) grid=(ceil(n / 256))
//@ assume n % 256 == 0
__global__ void scale(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 2.0f * b[i];
//      ^^^^^ branch! divergence=never active=32,32
}

// Without that assumption the last block may be cut anywhere.
//@ launch block=(256) grid=(ceil(n / 256))
__global__ void scaleAny(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 2.0f * b[i];
//      ^^^^^ branch! divergence=boundary
}

// Whole warps on either side are enough.
//@ launch block=(256) grid=((n + 255) / 256)
//@ assume (n & 31) == 0
__global__ void scaleWarps(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 2.0f * b[i];
//      ^^^^^ branch! divergence=never
}

// One number: everything is known.
//@ launch block=(64) grid=(4)
//@ assume n == 256
__global__ void known(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        a[i] = 1.0f;
//      ^^^^ access! worst=4 times=1
    }
}

// A pointer that the caller moves: rows of 32 floats that begin 16 bytes into a sector touch 5.
//@ launch block=(32)
//@ aligned(a, 16)
__global__ void moved(float *a, float *b) {
    a[threadIdx.x] = b[threadIdx.x];
//  ^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4
//                   ^^^^^^^^^^^^^^ access! worst=4 best=4
}

// Two sizes in order: no lane takes the other side.
//@ launch block=(32)
//@ assume first < last && first > 0
__global__ void ordered(float *a, int first, int last) {
    if (first > last) a[threadIdx.x * 32] = 0.0f;
    if (first == last) a[threadIdx.x * 32] = 1.0f;
    if (last - first > 0) a[threadIdx.x] = 2.0f;
//                        ^^^^^^^^^^^^^^ access! worst=4 best=4
    unsigned int between = (unsigned int)last - (unsigned int)first;
    for (unsigned int i = 0; i < between; i++) a[i * 32 + threadIdx.x] = 3.0f;
//                                             ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
}

// A loop that data ends runs as often as is said, and no longer.
//@ launch block=(32)
__global__ void probes(const int *keys, float *out, int key, int n) {
    int slot = key;
    //@ loop_bound 8
    while (keys[slot] != key) {
        slot = slot + 1;
        out[threadIdx.x] = slot;
//      ^^^^^^^^^^^^^^^^ access! worst=4 times=8
    }
    //@ loop_bound n / 2
    for (;;) {
        if (keys[slot] == n) break;
        out[threadIdx.x] = slot;
//      ^^^^^^^^^^^^^^^^ access times="1 + max(0, floor(n/2) - 1)"
        slot++;
    }
}

// The bound of a loop in a device function holds wherever it is called.
#define MOST_STEPS 4
__device__ int seek(const int *keys, int from) {
    //@ loop_bound MOST_STEPS
    while (keys[from] > 0) from = keys[from];
//         ^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x)"
//                                ^^^^^^^^^^ access! times=4
    //     ^^^^^^^^^^^^^^ info[WC302]! "depends on data"
    return from;
}
//@ launch block=(32)
__global__ void seekAll(const int *keys, int *out) {
    out[threadIdx.x] = seek(keys, threadIdx.x);
}

// A launch that passes a pointer with an offset of one float: 32 floats then touch 5 sectors.
__global__ void offset(float *a, const float *b) {
    a[threadIdx.x] = b[threadIdx.x];
//  ^^^^^^^^^^^^^^ access! worst=4 best=4
//                   ^^^^^^^^^^^^^^ access! worst=5 ideal=4
}
void runOffset(float *a, const float *b) { offset<<<1, 32>>>(a, b + 1); }

// A relation between two sizes: the first loop makes to - from rounds, never fewer than none; the second makes none.
//@ launch block=(32)
//@ assume from <= to
__global__ void between(float *a, int from, int to) {
    for (int i = from; i < to; i++) a[32 * i + threadIdx.x] = 1;
//                                  ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 times="to - from"
    for (int i = to; i < from; i++) a[32 * i + threadIdx.x] = 2;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC302]
}

// `threadIdx.y * w` is unsigned and may wrap around; the two rows of a warp are one pitch apart, which comes round to no row.
//! block (16,16)
//@ launch block=(16,16)
//@ assume w % 8 == 0 && w >= 24
__global__ void unsigned_rows(float *p, int w) {
    p[threadIdx.y * w + threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 exact=true
}
