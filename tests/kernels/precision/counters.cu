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
