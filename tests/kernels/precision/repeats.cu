// One block that does a few things, and all of them again to be measured, as often as a parameter says.

__global__ void vote(bool *info, int width, int repeat) {
    int tx = threadIdx.x;
    for (int i = 0; i < repeat; i++) {
        bool *own = info + 3 * tx;
        *own = __any_sync(~0u, tx >= width * 3 / 2);
//      ^^^^ info[WC101]
        *(own + 1) = tx >= width * 3 / 2;
        if (__all_sync(~0u, tx >= width * 3 / 2))
            *(own + 2) = true;
    }
}

// Rounds that go on from each other are work.
__global__ void relax(float *a, int rounds) {
    int tx = threadIdx.x;
    for (int i = 0; i < rounds; i++) {
        a[33 * tx] = 0.5f * a[33 * tx + 33];
//      ^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). Runs rounds times per warp"
        __syncthreads();
    }
}

// A pointer that is loaded may lead to what is stored, and volatile elements are others each time.
__global__ void relax_behind(float **rows, float *a, int rounds) {
    int tx = threadIdx.x;
    float *row = rows[0];
    for (int i = 0; i < rounds; i++) {
        a[33 * tx] = 0.5f * row[33 * tx + 33];
//      ^^^^^^^^^^ warn[WC101] "uns rounds times per warp"
        __syncthreads();
    }
}

__global__ void poll(const volatile int *flags, int *seen, int rounds) {
    int tx = threadIdx.x;
    for (int i = 0; i < rounds; i++)
        seen[33 * tx] = flags[tx];
//      ^^^^^^^^^^^^^ warn[WC101] "uns rounds times per warp"
}

void run(float **rows, const int *flags, int *seen, bool *info, float *a, int width, int repeat) {
    vote<<<1, width * 3>>>(info, width, repeat);
    relax<<<1, width * 3>>>(a, repeat);
    relax_behind<<<1, width * 3>>>(rows, a, repeat);
    poll<<<1, width * 3>>>(flags, seen, repeat);
}
