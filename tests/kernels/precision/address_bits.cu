// Bits set in an address leave it one of its object: what a round adds to it is all that is not known, and the store has its cost and weighs what it does.
__global__ void walking_one(unsigned long *base) {
    unsigned long *start = base + (blockIdx.x * 256 + threadIdx.x) * 64, *end = start + 64, *p = start;
    unsigned mask = 8;
    *p = 1;
//  ^^ none[WC101]
    while (p < end) {
        p = (unsigned long *)((unsigned long)start | mask);
        if (p >= end)
            break;
        *p = mask;
//      ^^ warn[WC101] "up to 32 sectors where 8 would do (4x)"
        mask = mask << 1;
    }
}

void walk(unsigned long *a) { walking_one<<<4, 256>>>(a); }

// Without a launch the number of a thread may wrap around: of the address only the low bits are known, and it is one of its object all the same.
__global__ void walking_zero(unsigned long *base) {
    unsigned long *start = base + (blockIdx.x * 256 + threadIdx.x) * 64, *p = start;
    unsigned mask = 8;
    while (p < start + 64) {
        p = (unsigned long *)(mask | (unsigned long)start);
        *p = mask;
//      ^^ access worst=32 space=global
        mask = mask << 1;
    }
}
