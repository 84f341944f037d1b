// Where a warp splits, and how often: two warps of 32 threads.
// PARAM: --block 64

__global__ void one_sided(float *p) {
    int t = threadIdx.x;
    if (t < 16)
        p[t] = 1;
}

__global__ void two_sided(float *p) {
    int t = threadIdx.x;
    if (t < 16)
//      ^^^^^^ hint[WC301] "the warp splits, 16 of 32 threads active"
        p[t] = 1;
    else
        p[t] = 2 * t;
}

__global__ void between_warps(float *p) {
    int t = threadIdx.x;
    if (t < 32)
        p[t] = 1;
    if (t / 32 == 1)
        p[t] = 2;
}

// The odd lanes are gone after the first test, so the second splits and the third does not.
__global__ void returned(float *p) {
    int t = threadIdx.x;
    if (t % 2)
        return;
    if (t % 4 == 0)
//      ^^^^^^^^^^ none[WC301]
        p[t] = 1;
//      ^^^^ info[WC101] "4 sectors where 1 would do (4x)"
    if (t % 2 == 0)
        p[t + 64] = 2;
//      ^^^^^^^^^ info[WC101] "4 sectors where 2 would do (2x)"
}

// Lane t leaves in round t: every round splits but the last, in which one lane is left.
__global__ void broken(float *p) {
    int t = threadIdx.x;
    for (int i = 0; i < 64; i++) {
        if (i == t)
//          ^^^^^^ warn[WC302] "threads of a warp exit up to 31 iterations apart, idle in 32% of them. Tested 64 times per warp"
            break;
        p[64 * i + t] = 1;
    }
}

// Lanes that skip the rest of a round are back in the next.
__global__ void continued(float *p) {
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        if (t % 8 == i)
            continue;
        p[64 * i + t] = 1;
    }
}

// The tests of `&&`, `||` and `?:` are no splits of their own.
__global__ void connected(float *p) {
    int t = threadIdx.x;
    if (t > 3 && t % 2 == 0)
//      ^^^^^^^^^^^^^^^^^^^ none[WC301]
        p[t] = 1;
//      ^^^^ info[WC101] "4 sectors where 2 would do (2x)"
    if (t > 40 || t % 2 == 0)
        p[t] += 2;
    p[t] -= t % 2 ? p[t + 64] : p[t + 128];
//                  ^^^^^^^^^ access! worst=4 ideal=2
}

// Four targets: 0, 1, 2 and the rest.
__global__ void four_targets(float *p) {
    int t = threadIdx.x;
    switch (t % 8) {
//          ^^^^^ warn[WC301] "the warp splits, 4 to 20 of 32 threads active"
    case 0:
        p[t] = 1;
//      ^^^^ none[WC101]
        break;
    case 1:
        p[t + 64] = 2;
//      ^^^^^^^^^ none[WC101]
        break;
    case 2:
        p[t + 128] = 3;
//      ^^^^^^^^^^ none[WC101]
        break;
    default:
        p[t + 192] = 4;
    }
}

// Labels that share a place are one target; lanes that no label catches go past the switch.
__global__ void shared_targets(float *p) {
    int t = threadIdx.x;
    switch (t % 4) {
//          ^^^^^ warn[WC301] "the warp splits, 8 to 16 of 32 threads active"
    case 0:
    case 1:
        p[t] = 1;
//      ^^^^ none[WC101]
//      ^^^^ access! worst=4 ideal=2
        break;
    case 2:
        p[t + 64] = 2;
//      ^^^^^^^^^ none[WC101]
//      ^^^^^^^^^ access! worst=4 ideal=1
    }
}

__global__ void targets_of_warps(float *p) {
    int t = threadIdx.x;
    switch (t / 32) {
    case 0:
        p[t] = 1;
        break;
    case 1:
        p[t] = 2;
    }
}

// 100 elements in strides of 64: the second warp's first four lanes take one more.
__global__ void strided(float *p) {
    for (int i = threadIdx.x; i < 100; i += 64)
        p[i] = 1;
}

// Every lane takes a round less than the one before it.
__global__ void triangle(float *p) {
    for (int i = threadIdx.x % 32; i < 32; i++)
//                                 ^^^^^^ warn[WC302] "threads of a warp exit up to 31 iterations apart, idle in 48% of them"
        p[i] = 1;
}

// Lanes leave a `while` in pairs.
__global__ void pairs(float *p) {
    int i = threadIdx.x % 32;
    while (i > 1) {
//         ^^^^^ warn[WC302] "threads of a warp exit up to 15 iterations apart, idle in 50% of them"
        p[i] = 1;
        i -= 2;
    }
}

// A do loop tests once for each round: all lanes run the first, those of the first eight the second.
__global__ void tested_below(float *p) {
    int i = threadIdx.x;
    do {
        p[i] = 1;
        i += 8;
    } while (i < 16);
}

__global__ void bounded_by_data(const int *ends, float *p) {
    for (int i = 0; i < ends[threadIdx.x]; i++)
//                  ^^^^^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data"
        p[i] = 1;
}

// Uniform in the block, whatever it is.
__global__ void uniform(float *p, int n, const int *flags) {
    int t = threadIdx.x;
    if (n > 7)
        p[t] = 1;
    if (flags[blockIdx.x])
        p[t + 64] = 2;
    for (int i = 0; i < n; i++)
        p[t + 64 * i] = 3;
}

// A boundary goes through one warp of the grid at most.
__global__ void boundary(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    p[i] = 1;
    if (i < n)
        p[i] = 2;
}

__global__ void by_data(const int *flags, float *p) {
    int t = threadIdx.x;
    if (flags[t])
        p[t] = 1;
}
