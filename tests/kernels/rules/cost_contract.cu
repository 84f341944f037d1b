// Contracts of kernels: what holds is silent, what a run breaks is a warning.

//@ launch block=(256) grid=(ceil(n/256))
//@ expect conflicts == 0
//  ^^^^^^^^^^^^^^^^^^^^^ none[WC501]
//@ expect sectors <= 12
//  ^^^^^^^^^^^^^^^^^^^^ none[WC501]
//@ expect sectors < 12
//  ^^^^^^^^^^^^^^^^^^^ warn[WC501] "pays 12"
//@ expect sectors == 12 when n % 32 == 0 && n >= 32
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
//@ expect sectors == 12
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC501] "the most expensive warp, warp 0 of block (0, 0, 0), pays 2 with n = 1"
//@ expect sectors <= 96 per_block
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
//@ expect sectors per_block <= 95
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC501] "block (0, 0, 0) pays 96"
//@ expect sectors per_launch == 12*ceil(n/32) when n % 256 == 0
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
//@ expect sectors per_launch <= 8*ceil(n/32) when n % 256 == 0
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC501] "a launch pays 96 where 64 is expected with n = 256"
//@ expect divergences <= 1
//  ^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
//@ expect divergences == 0
//  ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC501]
//@ expect divergences == 0 when n % 32 == 0
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
__global__ void of_a_kernel(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ expect sectors <= 4
    //  ^^^^^^^^^^^^^^^^^^^ none[WC501]
    float x = i < n ? a[i] : 0.0f;
    //@ expect sectors <= 8
    //  ^^^^^^^^^^^^^^^^^^^ none[WC501]
    //@ expect sectors == 8 when n % 32 == 0
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
    //@ expect sectors <= 4
    //  ^^^^^^^^^^^^^^^^^^^ warn[WC501] "pays 8"
    if (i < n) b[2 * i] = x;
    //         ^^^^^^^^ warn[WC101]
}

// Loops, in all of their iterations together.

//@ launch block=(256) grid=(2)
//@ expect sectors <= 8*ceil(n/256)
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
//@ expect sectors <= n + 8
//  ^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
//@ expect sectors == 8*ceil(n/256)
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC501] "the most expensive warp, warp 0 of block (0, 0, 0), pays 2 where 8 is expected with n = 1"
__global__ void of_a_loop(const float *a, float *b, int n) {
    //@ expect sectors == 8*ceil(n/256) when n % 32 == 0
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
    //@ expect sectors <= 4*ceil(n/256)
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC501]
    for (int k = threadIdx.x; k < n; k += 256) {
        //@ expect sectors <= 4*ceil(n/256)
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC501]
        float x = a[k];
        b[k] = x;
    }
}

// What is called from a statement is paid there; another call is not.

__device__ float twice(const float *p, int i) { return p[i] + p[32 * i]; }
//                                                            ^^^^^^^^^ warn[WC101]
//                                                            ^^^^^^^^^ warn[WC101]

//@ launch block=(32) grid=(1)
__global__ void of_a_call(const float *a, float *b) {
    //@ expect sectors == 36
    //  ^^^^^^^^^^^^^^^^^^^^ none[WC501]
    float x = twice(a, threadIdx.x);
    //@ expect sectors <= 39
    //  ^^^^^^^^^^^^^^^^^^^^ warn[WC501] "pays 40"
    b[threadIdx.x] = x + twice(a, threadIdx.x + 32);
}

// Of code that is not analysed nothing holds.

//@ launch block=(32) grid=(1)
//@ expect conflicts == 0
//  ^^^^^^^^^^^^^^^^^^^^^ info[WC501] "Not shown that `conflicts == 0` holds: goto"
__global__ void not_analysed(float *b) {
    if (b[0] > 1.0f) goto end;
    //               ^^^^^^^^^ info[WC900]
    b[threadIdx.x] = 1.0f;
end:
    return;
}
