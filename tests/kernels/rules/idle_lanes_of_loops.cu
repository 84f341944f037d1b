// What lanes wait for in a loop, in iterations: at the test, by a break, by a return; few exits may be far apart.
// PARAM: --block 64

// A quarter of the lanes goes on for 96 iterations more than the others: two exits, 75% of the lanes' iterations idle but for four.
__global__ void two_lengths(float *a) {
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < (t % 4 == 2 ? 100 : 4); i++) sum += a[i];
    //              ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC302]! "threads of a warp exit up to 96 iterations apart, idle in 72% of them"
    //              ^^^^^^^^^^^^^^^^^^^^^^^^^^ branch! spread=96
    a[t] = sum;
}

// Lengths that sizes decide: 24 lanes make two iterations, eight make m.
__global__ void by_size(float *a, int m) {
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < (t % 32 < 24 ? 2 : m); i++) sum += a[i];
    //              ^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at up to 2 different iterations, idle in 75% of them"
    //              ^^^^^^^^^^^^^^^^^^^^^^^^^ branch! spread=none
    a[t] = sum;
}

// One after the other, in steps of three, out of the middle.
__global__ void by_break(float *a) {
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < 200; i++) {
    //              ^^^^^^^ branch! divergence=never spread=93
        sum += a[i];
        if (i > 3 * (t % 32))
    //      ^^^^^^^^^^^^^^^^ warn[WC302]! "exit up to 93 iterations apart, idle in 49% of them"
            break;
    }
    a[t] = sum;
}

// The same by a return, of a loop that has no end of its own.
__global__ void by_return(float *a) {
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0;; i += 2) {
        if (i >= 8 * (t % 16)) {
    //      ^^^^^^^^^^^^^^^^^ warn[WC302]! "exit up to 60 iterations apart, idle in 49% of them"
            a[t] = sum;
            return;
        }
        sum += a[i];
    }
}

// Within as many rounds as a size says.
__global__ void by_break_of_many(float *a, int n) {
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        if (i == 5 * (t % 32))
    //      ^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations, idle in 50% of them"
            break;
        sum += a[i];
    }
    a[t] = sum;
}

// All lanes leave together, or a round apart.
__global__ void together(float *a, int n, int m) {
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
    //              ^^^^^ branch! divergence=never spread=0
        if (i == m)
    //      ^^^^^^ none[WC302]
            break;
        a[64 * i + t] = 1.0f;
    }
    for (int i = t; i < n; i += 64) a[i] = 2.0f;
    //              ^^^^^ none[WC302]
    //              ^^^^^ branch! spread=1
    for (int i = 0; i < n + t / 32; i++) a[64 * i + t] = 3.0f;
    //              ^^^^^^^^^^^^^^ branch! divergence=never spread=0
}
