// The smallest kernels that break when one rule is broken, each by hand; counterexamples.cu has the classic ones.
// Which rule each of them guards: tests/bench/mutations.py and its table.
// PARAM: --block 32

// The trap: the arms of a branch exclude each other, not both of them.
__global__ void opposite_arms(int *out, int n) {
    if (n > 4)
        out[threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^ access! worst=4 best=4
    else
        out[8 * threadIdx.x] = 2;
//      ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do"
//      ^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=32
}

// The trap: each lane chooses its arm; after the join any mixture is possible.
__global__ void lane_by_lane(int *out, const int *in) {
    int i = threadIdx.x;
    if (in[threadIdx.x])
        i = 8 * threadIdx.x;
    out[i] = 1;
//  ^^^^^^ hint[WC101] "up to 32 sectors where 4 would do"
//  ^^^^^^ access! worst=32
}

// The trap: a choice of each lane's own is no choice of the warp.
__global__ void own_choice(int *out, const int *in) {
    int i = 0;
    if (in[threadIdx.x])
//      ^^^^^^^^^^^^^^^ branch! divergence=possible
        i = 1;
    if (i)
//      ^ branch! divergence=possible
        out[threadIdx.x] = 1;
}

// The trap: two reads of a volatile cell are two values.
__global__ void volatile_reads(int *out, const volatile int *v) {
    int a = v[0];
    int b = v[0];
    out[(b - a) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1
}

// The trap: what other threads stored becomes visible at the barrier.
__global__ void across_a_barrier(int *out, int n) {
    __shared__ int s[32];
    s[threadIdx.x ^ 1] = n;
    int a = s[0];
    __syncthreads();
    int b = s[0];
    out[(b - a) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1
}

// The trap: what an atomic gives back differs from lane to lane, though the address is one.
__global__ void old_value(int *out, int *counter) {
    int k = atomicAdd(counter, 1);
    out[8 * k] = 1;
//  ^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do"
//  ^^^^^^^^^^ access! worst=32
}

// The trap: a segment of 16 lanes reads its own first lane, so that a warp holds two values.
__global__ void two_segments(int *out, const int *in) {
    int x = __shfl_sync(0xffffffff, in[threadIdx.x], 0, 16);
    if (x > 3)
//      ^^^^^ branch! divergence=possible
        out[threadIdx.x] = 1;
}

// The trap: lanes 16 to 23 do not take part, and what lanes 8 to 15 get from them is anything.
__global__ void inactive_source(int *out) {
    if (threadIdx.x < 16) {
//      ^^^^^^^^^^^^^^^^ branch! divergence=always active=16,16
        int x = __shfl_down_sync(0xffff, (int)threadIdx.x, 8);
        if (x > 100)
//          ^^^^^^^ branch! divergence=possible
            out[threadIdx.x] = 1;
    }
}

// The trap: a narrow type wraps, 16 * 16 is 0 again.
__global__ void narrow_type(int *out) {
    unsigned char c = 16 * threadIdx.x;
    out[c] = 1;
//  ^^^^^^ warn[WC101] "16 sectors where 2 would do"
//  ^^^^^^ access! worst=16 best=16
}

// The trap: lanes that break keep the counter of their own round.
__global__ void break_keeps_the_counter(int *out, const int *in, int n) {
    int k;
    for (k = 0; k < n; k++)
        if (in[32 * k + threadIdx.x])
//          ^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "threads of a warp may exit at different iterations (depends on data"
            break;
    out[8 * k] = 1;
//  ^^^^^^^^^^ access! worst=32 best=1
}

// The trap: what a loop computes differs between lanes that leave in different rounds, also if each step is the same.
__global__ void left_behind(int *out, const int *in) {
    int x = 1;
    for (int k = 0; in[32 * k + threadIdx.x] > 0; k++)
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations"
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ branch! divergence=possible
        x = (5 * x + 3) % 64;
    out[8 * x] = 1;
//  ^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^ access! worst=32 best=1
}

// The trap: lanes that return in some round are missing afterwards, the others are not.
__global__ void some_return(int *out, const int *in, int n) {
    for (int k = 0; k < n; k++)
        if (in[32 * k + threadIdx.x])
//          ^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "threads of a warp may exit at different iterations (depends on data"
            return;
    out[threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^ access! worst=4 best=4
}

// The trap: the rounds after the first are shifted by one element each.
__global__ void later_rounds(int *out, int n) {
    for (int k = 0; k < n; k++)
        out[threadIdx.x + k] = 1;
//      ^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4
}

// The trap: `continue` skips the rest of one round, not of all.
__global__ void continued(int *out) {
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x % 2 == k % 2)
            continue;
        out[threadIdx.x] = k;
//      ^^^^^^^^^^^^^^^^ info[WC101] "4 sectors where 2 would do"
//      ^^^^^^^^^^^^^^^^ access! worst=4 times=4
    }
}

// The trap: the lanes of case 0 run case 1 as well.
__global__ void falls_into_the_next_case(int *out) {
    switch (threadIdx.x / 16) {
//          ^^^^^^^^^^^^^^^^ info[WC301] "the warp splits"
//          ^^^^^^^^^^^^^^^^ branch! divergence=always active=16,16
    case 0:
        out[0] = 1;
    case 1:
        out[threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^ access! worst=4 best=4
    }
}

// The trap: `lane == n` holds for one lane, `lane != n` for all but one.
__global__ void all_but_one(int *out, int n) {
    if (threadIdx.x == n)
        out[8 * threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1
    if (threadIdx.x != n)
        out[8 * threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do"
//      ^^^^^^^^^^^^^^^^^^^^ access! worst=32
}

// The trap: 16 * n bytes are a multiple of 16, and of 32 for every other n only.
__global__ void half_a_sector(int *out, int n) {
    out[4 * n + threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4
}

// The trap: which of the two is less is not known, and differs from lane to lane.
__global__ void least(int *out, int n) {
    out[min(n, 8 * (int)threadIdx.x)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1
}

// The trap: 8-byte elements are served half a warp at a time, also where the halves read the same words.
__global__ void halves(double *out) {
    __shared__ double s[32];
    out[threadIdx.x] = s[2 * (threadIdx.x % 16)];
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "each request takes 4 wavefronts where 1 would do"
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
}

// The trap: a stride of 0 brings all lanes to one counter.
__global__ void one_counter(int *bins, int n) {
    atomicAdd(&bins[threadIdx.x * n], 1);
//             ^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do"
//             ^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1 contention=32
}

// The trap: the rows are 16 bytes short of whole sectors at some pitches, and coincide at pitch 0.
__global__ void four_rows(int *out, int w) {
    out[threadIdx.x / 8 * w + threadIdx.x % 8] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=7 best=1
}

// The trap: unsigned 64-bit values from 2^63 on are no negative words.
__global__ void great_constant(int *out) {
    if (threadIdx.x < 0 - 16ULL)
        out[8 * threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do"
//      ^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=32
}

// The trap: the arm of ?: that is not taken still makes the other one unsigned.
__global__ void passed_arm(int *out, int n) {
    if (~(1 ? n : threadIdx.x) > 0)
        out[8 * threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do"
//      ^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=32
}

// The trap: a segment's lanes can reach into the segments before theirs by xor.
__global__ void earlier_segment(int *out) {
    int x = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 8, 8);
    out[x] = 1;
//  ^^^^^^ access! worst=2 best=2
}
