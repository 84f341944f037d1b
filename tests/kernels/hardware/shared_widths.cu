// Shared memory by the width of an access: 32 lanes, halves, quarters, one lane, every other and every fourth.
// PARAM: --block 32

__global__ void full(char *out) {
    __shared__ char one[64];
    __shared__ short two[64];
    __shared__ float four[64];
    __shared__ double eight[64];
    __shared__ float4 sixteen[64];
    int t = threadIdx.x;
    one[t] = 1;
//  ^^^^^^ access! worst=1 best=1 ideal=1 bytes=1
    two[t] = 1;
//  ^^^^^^ access! worst=1 best=1 ideal=1 bytes=2
    four[t] = 1;
//  ^^^^^^^ access! worst=1 best=1 ideal=1 bytes=4
    eight[t] = 1;
//  ^^^^^^^^ access! worst=2 best=2 ideal=2 bytes=8
    sixteen[t] = make_float4(1, 1, 1, 1);
//  ^^^^^^^^^^ access! worst=4 best=4 ideal=4 bytes=16
}

// One address: a uniform double is 1, and of 16 bytes each half is served at once.
__global__ void uniform(int at) {
    __shared__ char one[64];
    __shared__ short two[64];
    __shared__ float four[64];
    __shared__ double eight[64];
    __shared__ float4 sixteen[64];
    one[at] = 1;
//  ^^^^^^^ access! worst=1 best=1 ideal=1 pattern=uniform
    two[at] = 1;
//  ^^^^^^^ access! worst=1 best=1 ideal=1 pattern=uniform
    four[at] = 1;
//  ^^^^^^^^ access! worst=1 best=1 ideal=1 pattern=uniform
    eight[at] = 1;
//  ^^^^^^^^^ access! worst=1 best=1 ideal=1 pattern=uniform
    sixteen[at] = make_float4(1, 1, 1, 1);
//  ^^^^^^^^^^^ access! worst=2 best=2 ideal=2 pattern=uniform
}

__global__ void lower_half() {
    __shared__ float four[64];
    __shared__ double eight[64];
    __shared__ float4 sixteen[64];
    int t = threadIdx.x;
    if (t < 16) {
        four[t] = 1;
//      ^^^^^^^ access! worst=1 best=1 ideal=1
        eight[t] = 1;
//      ^^^^^^^^ access! worst=1 best=1 ideal=1
        sixteen[t] = make_float4(1, 1, 1, 1);
//      ^^^^^^^^^^ access! worst=2 best=2 ideal=2
        sixteen[0] = make_float4(2, 2, 2, 2);
//      ^^^^^^^^^^ access! worst=1 best=1 ideal=1
    }
}

__global__ void upper_half() {
    __shared__ double eight[64];
    __shared__ float4 sixteen[64];
    int t = threadIdx.x;
    if (t >= 16) {
        eight[t] = 1;
//      ^^^^^^^^ access! worst=1 best=1 ideal=1
        sixteen[t] = make_float4(1, 1, 1, 1);
//      ^^^^^^^^^^ access! worst=2 best=2 ideal=2
    }
}

__global__ void quarter() {
    __shared__ double eight[64];
    __shared__ float4 sixteen[64];
    int t = threadIdx.x;
    if (t / 8 == 1) {
        eight[t] = 1;
//      ^^^^^^^^ access! worst=1 best=1 ideal=1
        sixteen[t] = make_float4(1, 1, 1, 1);
//      ^^^^^^^^^^ access! worst=1 best=1 ideal=1
    }
}

__global__ void one_lane() {
    __shared__ double eight[64];
    __shared__ float4 sixteen[64];
    int t = threadIdx.x;
    if (t == 7) {
        eight[t] = 1;
//      ^^^^^^^^ access! worst=1 best=1 ideal=1
        sixteen[t] = make_float4(1, 1, 1, 1);
//      ^^^^^^^^^^ access! worst=1 best=1 ideal=1
    }
}

// The neighbours are idle, so halves (quarters of a half) are served together: 16 doubles side by side take one
// wavefront; at every other place they take two, since lane i and lane i + 16 meet on a bank.
__global__ void even_lanes() {
    __shared__ double eight[64];
    __shared__ float4 sixteen[64];
    int t = threadIdx.x;
    if (t % 2 == 0) {
        eight[t / 2] = 1;
//      ^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
        eight[t] = 1;
//      ^^^^^^^^ access! worst=2 best=2 ideal=1
        sixteen[t / 2] = make_float4(1, 1, 1, 1);
//      ^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=2
    }
}

__global__ void every_fourth_lane() {
    __shared__ double eight[64];
    __shared__ float4 sixteen[64];
    int t = threadIdx.x;
    if (t % 4 == 0) {
        eight[t / 4] = 1;
//      ^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
        sixteen[t / 4] = make_float4(1, 1, 1, 1);
//      ^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=2
        sixteen[t] = make_float4(1, 1, 1, 1);
//      ^^^^^^^^^^ access! worst=4 best=4 ideal=2
    }
}

// Pairs of lanes on one address merge; pairs of lanes 1 apart or 2 apart, but not mixed.
__global__ void in_pairs() {
    __shared__ double eight[64];
    __shared__ float4 sixteen[64];
    int t = threadIdx.x;
    eight[t / 2] = 1;
//  ^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    eight[t / 4 * 2 + t % 2] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    eight[t % 16] = 1;
//  ^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1
    sixteen[t / 2] = make_float4(1, 1, 1, 1);
//  ^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=2
}

