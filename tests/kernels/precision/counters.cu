// Counters of loops, and what a loop leaves behind.
// PARAM: --block 256

// A short counter: up to its bound it does not wrap around, or the loop would not end (a listed assumption).
__global__ void short_counter(float *p, int w) {
    for (short i = threadIdx.x; i < w; i += blockDim.x)
        p[i] = 1;
//      ^^^^ access! worst=4 best=4
}

// The bound is a short, too, so the counter stays in range up to the last round.
__global__ void short_bound(float *p, short w) {
    for (unsigned short i = threadIdx.x; i < w; i += 256)
        p[i] = 1;
//      ^^^^ access! worst=4 best=4
}

// Doubling: every power of two is even but for the first.
__global__ void short_doubling(float *p, int w) {
    for (unsigned short i = 8; i < w; i <<= 1)
        p[i + threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
}

// A ring of 256 places: this counter wraps around when it meets the end, and lanes that start apart stay apart.
__global__ void around_the_ring(float *p, unsigned char tail) {
    unsigned char head = threadIdx.x;
    while (head != tail) {
        p[head] = 1;
//      ^^^^^^^ access! worst=32
        head++;
    }
}

// The start is an unsigned sum, right modulo 2^32: that the counter does not wrap around is assumed of it too.
__global__ void from_where_it_was_told(const int *start, float *p) {
    int begin = start[blockIdx.x], end = start[blockIdx.x + 1];
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x)
//                                    ^^^^^^^ none[WC302]
        p[i] = 1;
}

// What a hash function gives is meant to wrap around.
__global__ void from_a_hash(int *p, unsigned key, int n) {
    for (int i = key * 2654435761u + threadIdx.x; i < n; i += 32)
        p[i & 1023] = 1;
}

// The last of unsigned many: that the counter does not wrap around is assumed of its start too, as it is of what it counts down to.
__global__ void from_the_last_one(float *p, const int *place, unsigned size) {
    unsigned long long left = size - 1;
    while (left > 0) {
        p[32 * ((place[left] ^ 5) + threadIdx.x)] += 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns max(0, size - 1) times per warp"
        left--;
    }
}

__global__ void until_nothing_is_left(float *p, const int *place, unsigned all, unsigned done) {
    for (unsigned left = all - done; left; --left)
        p[32 * (place[left] + threadIdx.x)] += 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns max(0, all - done) times per warp"
}

// Its wrapping around ends this one, after as many rounds as there are elements.
__global__ void until_it_wraps_around(float *p, const int *place, unsigned size) {
    for (unsigned left = size - 1; left < size; left--)
        p[32 * (place[left] + threadIdx.x)] += 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns size times per warp"
}
