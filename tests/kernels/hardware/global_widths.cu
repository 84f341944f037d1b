// Global memory by the width of an access: aligned, shifted by one element, one address, few lanes.
// PARAM: --block 256

__global__ void aligned(char *one, short *two, float *four, double *eight, float4 *sixteen) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    one[i] = 1;
//  ^^^^^^ access! worst=1 best=1 ideal=1 bytes=1
    two[i] = 1;
//  ^^^^^^ access! worst=2 best=2 ideal=2 bytes=2
    four[i] = 1;
//  ^^^^^^^ access! worst=4 best=4 ideal=4 bytes=4
    eight[i] = 1;
//  ^^^^^^^^ access! worst=8 best=8 ideal=8 bytes=8
    sixteen[i] = make_float4(1, 1, 1, 1);
//  ^^^^^^^^^^ access! worst=16 best=16 ideal=16 bytes=16
}

__global__ void shifted(char *one, short *two, float *four, double *eight, float4 *sixteen) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    one[i] = 1;
//  ^^^^^^ access! worst=2 best=2 ideal=1
    two[i] = 1;
//  ^^^^^^ access! worst=3 best=3 ideal=2
    four[i] = 1;
//  ^^^^^^^ access! worst=5 best=5 ideal=4
    eight[i] = 1;
//  ^^^^^^^^ access! worst=9 best=9 ideal=8
    sixteen[i] = make_float4(1, 1, 1, 1);
//  ^^^^^^^^^^ access! worst=17 best=17 ideal=16
}

__global__ void uniform(char *one, float *four, float4 *sixteen, int n) {
    one[n] = 1;
//  ^^^^^^ access! worst=1 best=1 ideal=1 pattern=uniform
    four[blockIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 pattern=uniform
    sixteen[n] = make_float4(1, 1, 1, 1);
//  ^^^^^^^^^^ access! worst=1 best=1 ideal=1 pattern=uniform
}

// Ten lanes: 40 bytes and 80 bytes.
__global__ void few(float *four, double *eight) {
    int t = threadIdx.x;
    if (t < 10) {
        four[t] = 1;
//      ^^^^^^^ access! worst=2 best=2 ideal=2
        four[t + 7] = 1;
//      ^^^^^^^^^^^ info[WC102] "3 sectors where 2 would do (1.50x), because its elements do not begin at a multiple of 32 bytes"
//      ^^^^^^^^^^^ access! worst=3 best=3 ideal=2
        eight[t] = 1;
//      ^^^^^^^^ access! worst=3 best=3 ideal=3
        four[8 * t] = 1;
//      ^^^^^^^^^^^ warn[WC101] "10 sectors where 2 would do (5x)"
//      ^^^^^^^^^^^ access! worst=10 best=10 ideal=2
    }
    if (t == 0)
        four[t] = 2;
//      ^^^^^^^ access! worst=1 best=1 ideal=1
}
