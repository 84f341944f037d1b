// A side that asks a loop's counter to be one number is come to in one of its rounds.
// PARAM: --block 256

// The first rounds of a scheme with stages: what each stage does it does once, and the rest in all rounds.
__global__ void stages(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) {
        if (j == 0)
            for (int k = 0; k < 300; k++)
                out[i * 91 + k] = in[i + k * 4096];
//              ^^^^^^^^^^^^^^^ access! worst=32 times=300
        else if (j == n - 1)
            for (int k = 0; k < 300; k++)
                out[i * 91 + k] = in[i + k * 4096] * 2.0f;
//              ^^^^^^^^^^^^^^^ access! worst=32 times=300
        out[8 * i + j * 8192] = in[i];
//      ^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "uns n times per warp. 56% of this kernel's global traffic if n = 1024"
    }
}

// The stages of each of several attempts.
__global__ void attempts(float *out, const float *in, int m, float least) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int x = 0; x < m; x++)
        for (int t = 0; t < 12 && out[i] > least; t++)
//                      ^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]
            for (int j = 0; j < 600; j++)
                if (j == 5 || j == 7)
                    for (int k = 0; k < 91; k++)
                        out[i * 91 + k] += in[i * 91 + k] * j;
//                      ^^^^^^^^^^^^^^^ warn[WC101]! "2184*m times per warp (2 requests each). With 1 more access to `in`"
}

// The arms of a `switch`, one of which falls through to the next.
__global__ void switched(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++)
        switch (j) {
        case 1:
        case 3:
            out[i * 92] = in[i * 92];
//          ^^^^^^^^^^^ access! worst=32 times=2
        case 5:
            out[i * 93] = in[i * 93];
//          ^^^^^^^^^^^ access! worst=32 times=3
            break;
        default:
            out[8 * i + j * 8192] = in[i];
//          ^^^^^^^^^^^^^^^^^^^^^ access! worst=32 times=n
//          ^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "88% of this kernel's global traffic"
        }
}

// The round of a warp's own, and of the loop around.
__global__ void in_turn(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int x = 0; x < n; x++)
        for (int j = 0; j < n; j++) {
            if (j == threadIdx.x / 32)
                out[i * 92 + j] = in[i * 92 + j];
//              ^^^^^^^^^^^^^^^ access! worst=32 times=n
            if (j == x)
                out[i * 91 + j] = in[i * 91 + j];
//              ^^^^^^^^^^^^^^^ access! worst=32 times=n
            out[i] += j;
        }
}

// Each lane has a round of its own, which are many for a warp; the number may be another in each round; and other rounds are all but one.
__global__ void in_many(float *out, const float *in, const int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) {
        if (j == threadIdx.x)
            out[i * 92 + j] = in[i * 92 + j];
//          ^^^^^^^^^^^^^^^ access! worst=1 times=n
        if (j == at[j])
            out[i * 91 + j] = in[i * 91 + j];
//          ^^^^^^^^^^^^^^^ access! worst=32 times=n
//          ^^^^^^^^^^^^^^^ info[WC101]! "uns n times per warp"
        if (j != 4)
            out[i * 90 + j] = in[i * 90 + j];
//          ^^^^^^^^^^^^^^^ access! worst=32 times=n
//          ^^^^^^^^^^^^^^^ info[WC101]! "uns n times per warp"
        if (j % 8 == 4)
            out[i * 89 + j] = in[i * 89 + j];
//          ^^^^^^^^^^^^^^^ access! worst=32 times=n
//          ^^^^^^^^^^^^^^^ info[WC101]! "uns n times per warp"
        if (j == 2 || i < n)
            out[i * 88 + j] = in[i * 88 + j];
//          ^^^^^^^^^^^^^^^ access! worst=32 times=n
//          ^^^^^^^^^^^^^^^ info[WC101]! "uns n times per warp"
    }
}
