// Who runs, and who splits: masks of switches, loops and calls.
// PARAM: --block 24,2

// The lanes of `case 0` stay whatever those that fall through from `default` do.
__global__ void fall_through(int *out, const int *in, int n) {
    switch (threadIdx.y) {
//          ^^^^^^^^^^^ branch! divergence=always active=8,24
    default:
        if (n || 2 >= n)
            return;
    case 0:
        out[threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^ access! worst=3 best=3
    }
}

// Thread 0 of block 0 leaves at once, the others never: one split, and no number says how far apart.
__global__ void mixed_loop(int *out) {
    for (; blockIdx.x + threadIdx.x;)
//         ^^^^^^^^^^^^^^^^^^^^^^^^ branch! divergence=boundary spread=none
        out[0] = 1;
}

// A local array is each thread's own, at whatever common index it is read.
__global__ void private_array(int *out, int n) {
    int r[2];
    //  ^ info[WC103]
    r[0] = threadIdx.x;
    r[1] = threadIdx.x + 1;
    int x = 0;
    for (int k = 0; k < n; k++) {
        if (x > 3)
//          ^^^^^ branch! divergence=possible
            out[k] = 1;
        x = r[k & 1];
    }
}

// Two segments of 16 lanes have two sources.
__global__ void segments(int *out, int n) {
    int x = 0;
    for (int k = 0; k < n; k++) {
        if (x > 3)
//          ^^^^^ branch! divergence=possible
            out[k] = 1;
        x = __shfl_sync(0xffffffff, (int)threadIdx.x, 0, 16);
    }
}

// s[0] grows from round to round, so that lanes leave one by one although a round moves 32 threads.
__global__ void moving_bound(int *out, int *s) {
    for (unsigned j = 0; threadIdx.x + 32 * j < s[0]; j++)
//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations"
//                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^ branch! divergence=possible spread=none
        s[0] += 31;
}

__global__ void break_under_divergence(int *out) {
    for (int k = 0; k < 8; k++) {
        if (k == threadIdx.x)
//          ^^^^^^^^^^^^^^^^ info[WC302] "exit up to 7 iterations apart, idle in 15% of them"
            break;
        out[24 * k + threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=3 times=8
    }
}

// A warp that runs only perhaps may split into any two sides.
__global__ void perhaps(int *out, const int *in, int n) {
    if (in[threadIdx.x])
        if (threadIdx.x < 4)
//          ^^^^^^^^^^^^^^^ branch! divergence=possible active=1,24
            out[threadIdx.x] = 1;
}

__device__ int amount() {
    if (blockIdx.x)
//      ^^^^^^^^^^ branch! divergence=never
        return 0;
    return threadIdx.x;
}

// In block 1 every thread goes down by one: three tests, whatever thread 31 would do in block 0.
__global__ void lane_steps(int *out) {
    int k = 1;
    while (k >= 0) {
//         ^^^^^^ branch! divergence=possible
        k -= amount();
        k--;
    }
}

// Threads that no case catches are a side, too.
__global__ void passed_by(int *out) {
    switch (threadIdx.x % 8) {
//          ^^^^^^^^^^^^^^^ warn[WC301] "the warp splits"
//          ^^^^^^^^^^^^^^^ branch! divergence=always active=2,16
    case 1:
        out[1] = 1;
    case 2:
    case 3:
        out[2] = 2;
        break;
    case 4:
    case 5:
    case 6:
    case 7:
        out[3] = 3;
    }
}
