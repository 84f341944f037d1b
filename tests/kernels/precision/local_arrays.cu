// Arrays of a thread that are indexed at run time lie in local memory: what they move is a part of the kernel's traffic.
// PARAM: --block 256

// A table that each thread makes for itself: 108 stores and 3 loads of 4 sectors beside three stores of single bytes.
__global__ void painted(unsigned char *out, const int *which, int shade) {
    int t[36][3];
    //  ^ info[WC103]
    for (int k = 0; k < 36; k++) {
        t[k][0] = k * shade;
        t[k][1] = 255 - k;
        t[k][2] = k * k;
    }
    int i = blockIdx.x * 256 + threadIdx.x;
    int w = which[i];
    for (int c = 0; c < 3; c++) out[16 * i + c] = t[w][c];
//                              ^^^^^^^^^^^^^^^ none[WC101]
}

// Constants are a table that is there once: nobody stores them.
__global__ void toned(unsigned char *out, const int *which) {
    const int t[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    int i = blockIdx.x * 256 + threadIdx.x;
    out[16 * i] = t[which[i]];
//  ^^^^^^^^^^^ warn[WC101]! "16 sectors where 1 would do (16x). 80% of this kernel's global traffic"
}

// All rounds are written out, and every element is a register.
__global__ void unrolled(float *out, const float *in) {
    float t[8];
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < 8; k++) t[k] = in[256 * k + threadIdx.x];
    for (int k = 0; k < 8; k++) out[8 * i + k] = t[7 - k] * t[k];
    //                          ^^^^^^^^^^^^^^ hint[WC104]
//                              ^^^^^^^^^^^^^^ info[WC101]! "89% of this kernel's global traffic"
}

// Rounds whose number nobody knows; lanes take the same element.
__global__ void counted(float *out, const float *in, int n) {
    float t[64];
    //    ^ info[WC103]
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < n; k++) t[k] = in[256 * k + threadIdx.x];
    for (int k = 0; k < n; k++) out[n * i + k] = t[n - 1 - k];
//                              ^^^^^^^^^^^^^^ warn[WC101]! "73% of this kernel's global and local traffic if n = "
}
