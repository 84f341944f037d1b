// Indexes and bounds that come from memory: unknown, with what bounds them.
// PARAM: --block 256

__constant__ int offsets[256];

// Any element of any lane.
__global__ void gathered(float *p, const int *at) {
    p[at[threadIdx.x]] = 1;
//  ^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^ access! worst=32 best=1 cause=data
}

// A byte is 0..255: 256 floats are 32 sectors at most, and 8 words to a bank.
__global__ void looked_up(float *p, const unsigned char *at) {
    __shared__ float s[256];
    s[at[threadIdx.x]] = 1;
//  ^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 8) where 1 would do"
//  ^^^^^^^^^^^^^^^^^^ access! worst=8 best=1 cause=data
    p[at[threadIdx.x]] = 1;
//  ^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^ access! worst=32 best=1 cause=data
}

// 4 bits: 16 floats are 2 sectors.
__global__ void nibbles(float *p, const unsigned *at) {
    p[at[threadIdx.x] & 15] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=1
    p[at[threadIdx.x] % 16] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=1
    p[at[threadIdx.x] >> 28] = 3;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=1
}

// A row from memory, a column of the lane's: 32 neighbours wherever they are.
__global__ void rows(float *p, const int *row, int w) {
    p[row[blockIdx.x] * w + threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4
    p[row[threadIdx.x / 32] * 32 + threadIdx.x % 32] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    p[offsets[blockIdx.x] + threadIdx.x] = 3;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4
}

// The range of a block: every warp runs the same rounds.
__global__ void segments(float *p, const int *first) {
    for (int i = first[blockIdx.x]; i < first[blockIdx.x + 1]; i++)
        p[32 * i + threadIdx.x % 32] = 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 times=T46
}

// The range of a lane.
__global__ void compressed_rows(const int *first, const int *column, const float *x, float *y) {
    int row = threadIdx.x;
    float sum = 0;
    for (int i = first[row]; i < first[row + 1]; i++)
//                           ^^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data"
        sum += x[column[i]];
//               ^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x)"
    y[row] = sum;
}

// Slots in the order in which the hardware serves the lanes: neighbours, in any order.
__global__ void pushed(float *p, int *count, const float *x) {
    if (x[threadIdx.x] > 0)
        p[atomicAdd(count, 1)] = 1;
//      ^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//      ^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1
}

// One counter for each class: a warp writes a run for each of them, few sectors more than one run.
__global__ void classed(int *order, int *count, const int *size) {
    int i = blockIdx.x * 256 + threadIdx.x, at;
    if (size[i] <= 1) at = atomicAdd(&count[0], 1);
    else if (size[i] <= 2) at = atomicAdd(&count[1], 1);
    else if (size[i] <= 4) at = atomicAdd(&count[2], 1);
    else if (size[i] <= 8) at = atomicAdd(&count[3], 1);
    else if (size[i] <= 16) at = atomicAdd(&count[4], 1);
    else if (size[i] <= 32) at = atomicAdd(&count[5], 1);
    else if (size[i] <= 64) at = atomicAdd(&count[6], 1);
    else if (size[i] <= 128) at = atomicAdd(&count[7], 1);
    else if (size[i] <= 256) at = atomicAdd(&count[8], 1);
    else if (size[i] <= 512) at = atomicAdd(&count[9], 1);
    else if (size[i] <= 1024) at = atomicAdd(&count[10], 1);
    else at = atomicAdd(&count[11], 1);
    order[at] = i;
//  ^^^^^^^^^ none[WC101]
}

// A place that memory chooses is none of a counter's, though the other side is.
__global__ void classed_or_told(int *order, int *count, const int *size, const int *place) {
    int i = blockIdx.x * 256 + threadIdx.x, at;
    if (size[i] <= 1) at = atomicAdd(&count[0], 1);
    else at = place[i];
    order[at] = i;
//  ^^^^^^^^^ hint[WC101] "up to 32 sectors"
}

// The value of one lane is every lane's.
__global__ void broadcast(float *p, const int *at) {
    int from = __shfl_sync(0xffffffff, at[threadIdx.x], 0);
    p[from] = 1;
//  ^^^^^^^ access! worst=1 best=1 pattern=uniform
    p[8 * from + threadIdx.x] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
}

// A search: where it ends depends on what is in memory, as does each place that it looks at on the way.  Its few rounds are nothing beside those
// of the next one.
__global__ void searched(const float *keys, float *found, float x, int n) {
    int low = 0;
    for (int step = n; step > 0; step >>= 1) {
        int middle = low + step;
        if (keys[middle] < x * threadIdx.x)
//          ^^^^^^^^^^^^ access! worst=32 cause=data
            low = middle;
    }
    found[low] = 1;
//  ^^^^^^^^^^ access! worst=32 cause=data
    int first = -1;
    for (int i = 0; i < n; i++)
        if (keys[i] > x * threadIdx.x) {
//          ^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "threads of a warp may exit at different iterations (depends on data"
            first = i;
            break;
        }
    found[first + 1] = 2;
//  ^^^^^^^^^^^^^^^^ access! worst=32 cause=data
}

// Places that a counter hands out: any in principle, neighbours in practice.
__global__ void handed_out(float *p, const float *in, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        int at = atomicAdd(count, 1);
        p[at] = in[i];
//      ^^^^^ access! worst=32 cause=data
//      ^^^^^ none[WC101]
        p[8 * at] = in[i];
//      ^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
    }
}

// Records from a stack whose counter is a member: neighbours share sectors, all of which is used.
struct Particle { float x, y, z; int cell; };
struct Stack { Particle *items; int top; };

__global__ void popped(float *p, Stack *stack) {
    int at = atomicAdd(&stack->top, -1);
    if (at >= 0) {
        Particle one = stack->items[at];
//                     ^^^^^^^^^^^^^^^^ access! worst=32 cause=data
//                     ^^^^^^^^^^^^^^^^ none[WC101]
        p[threadIdx.x] = one.x + one.y + one.z + one.cell;
    }
}

// A counter for each bucket is another matter.
__global__ void bucketed(float *p, const int *bucket, int *count) {
    int at = atomicAdd(&count[bucket[threadIdx.x]], 1);
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]
    p[at] = 1;
//  ^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
}

// One lane asks for all that are there, and each gets its rank: at most 32 neighbours.
__global__ void asked_together(float *p, const float *in, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        auto lanes = cooperative_groups::coalesced_threads();
        int first = 0;
        if (lanes.thread_rank() == 0) first = atomicAdd(count, lanes.size());
        p[lanes.shfl(first, 0) + lanes.thread_rank()] = in[i];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5
    }
}

// A clock is read by the warp, not by each lane.
__global__ void spin(long long count) {
    long long begin = clock64(), passed = 0;
    while (passed < count)
//         ^^^^^^^^^^^^^^ none[WC302]
//         ^^^^^^^^^^^^^^ branch! divergence=never
        passed = clock64() - begin;
}

// Bytes of each lane's own column: whatever row is met, lanes t and t + 16 alone share a bank.
__global__ void byte_columns(const unsigned *data) {
    __shared__ unsigned char count[64 * 128];
    int column = (threadIdx.x & ~63) | (threadIdx.x & 15) << 2 | (threadIdx.x & 48) >> 4;
    count[column + 128 * (data[threadIdx.x] & 63)]++;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201]! "2-way"
}

// A length in a byte is hardly ever 255: the range of a type is no trip count.
__global__ void copies(int *out, const int *in, const unsigned char *length, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < length[i]; k++)
//                      ^^^^^^^^^^^^^ info[WC302] "ested 1 + T"
            out[64 * i + k] = in[i];
//          ^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Each thread fills the rest of these sectors in its next iterations (L1"
}

// What clips the byte counts.
__global__ void clipped(int *out, const int *in, const unsigned char *length, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int most = min((int)length[i], 12);
    if (i < n)
        for (int k = 0; k < most; k++)
//                      ^^^^^^^^ info[WC302] "ested at most 13 times per warp"
            out[64 * i + k] = in[i];
//          ^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Each thread fills the rest of these sectors in its next iterations (L1 may absorb this). Runs at most 12 times per warp"
}
