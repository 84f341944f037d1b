// A loop that counts up to a number, and that what memory holds may end before, makes so many rounds at most.
// PARAM: --block 256

// The test asks for both.
__global__ void until_small(float *out, const float *a, int n, float least) {
    float rest = 1.0f;
    for (int k = 0; k < n && rest > least; k++)
//                  ^^^^^^^^^^^^^^^^^^^^^ info[WC302] "ested at most"
        rest *= a[32 * (k * 256 + threadIdx.x)];
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns at most n times per warp"
    out[threadIdx.x] = rest;
}

// What a loop within sums up decides for the one around.
__global__ void until_large(int *out, const float *a, float wanted) {
    float sum = 0.0f;
    int width = 0;
    while (sum < wanted && width < 100) {
//         ^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "ested at most"
        sum = 0.0f;
        for (int i = 0; i < 16; i++)
            sum += a[32 * ((width * 16 + i) * 256 + threadIdx.x)];
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns at most 1600 times per warp"
        width++;
    }
    out[threadIdx.x] = width;
}

// All lanes read the same number.
__global__ void until_all(float *a, const float *left, int n) {
    for (int k = 0; *left > 0.5f && k < n; k++) {
        a[32 * (k * 256 + threadIdx.x)] = *left;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns at most n times per warp"
        __syncthreads();
    }
}

// A way out of the body.
__global__ void until_found(int *out, const int *a, int n, int key) {
    int found = -1;
    for (int k = 0; k < n; k++) {
        if (a[32 * (k * 256 + threadIdx.x)] == key) {
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns at most n times per warp"
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "ested at most n times"
            found = k;
            break;
        }
        if (found > k)
            out[threadIdx.x + 256] = k;
    }
    out[threadIdx.x] = found;
}

// Sizes alone: so many rounds they are.
__global__ void of_both_sizes(float *out, const float *a, int n, int m) {
    float sum = 0.0f;
    for (int k = 0; k < n && k < m; k++)
        sum += a[32 * (k * 256 + threadIdx.x)];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns min(m, n) times per warp"
    out[threadIdx.x] = sum;
}

// In a loop of few rounds, too.
__global__ void until_found_of_six(int *out, const int *a, int key) {
    int found = -1;
    for (int k = 0; k < 6; k++) {
        if (a[32 * (k * 256 + threadIdx.x)] == key) {
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns at most 6 times per warp"
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302] "ested at most 6 times"
            found = k;
            break;
        }
    }
    out[threadIdx.x] = found;
}

// As many as a member in memory says, which has room for no more.
struct Leaves {
    unsigned count : 4;
    int leaf[12];
};

//@ launch block=(256)
__global__ void sums_of_leaves(const Leaves *cuts, int *out) {
    int i = blockIdx.x * 256 + threadIdx.x, sum = 0;
    for (int k = 0; k < cuts[i].count; k++)
//                  ^^^^^^^^^^^^^^^^^ info[WC302]! "ested at most 16 times per warp"
        sum += cuts[i].leaf[k];
//             ^^^^^^^^^^^^^^^ warn[WC101]! "uns at most 15 times per warp"
    out[i] = sum;
}
