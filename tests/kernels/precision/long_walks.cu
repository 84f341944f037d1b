// Rows that lanes go along from round to round: the message says that what is left of a sector is used then, and leaves the level as it is.

#define WIDTH 5

struct Complex {
    double re, im;
};

// Children of a node, until one is no node.
//@ launch block=(256)
__global__ void children(const int *__restrict__ child, int *out, int nodes) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int found = 0;
    for (int k = 0; k < 40; k++) {
        int one = child[i * 40 + k];
//                ^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this)"
        if (one >= nodes) break;
//          ^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `child[i * 40 + k]`)"
        found += one;
    }
    out[i] = found;
}

// From the end of a row of a length in memory.
__global__ void from_the_end(const int *__restrict__ level, const int *__restrict__ length, int *out, int pitch) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int left = length[i] - 2, border = level[i * pitch + left];
    for (left--; left >= 0; left--) {
//               ^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `length[i]`)"
        if (level[i * pitch + left] != border) break;
//          ^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this)"
    }
    out[i] = left;
}

// Both parts of the numbers of a row.
//@ launch block=(256)
__global__ void parts(const Complex *__restrict__ a, double *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    double sum = 0;
    for (int k = 0; k < 36; k++) {
        sum += a[i * 36 + k].re * (k + 1);
//             ^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 8 would do (4x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this)"
        __syncwarp();
        sum += a[i * 36 + k].im;
    }
    out[i] = sum;
}

// One part of them: the other half of each sector is used by nobody.
//@ launch block=(256)
__global__ void one_part(const Complex *__restrict__ a, double *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    double sum = 0;
    for (int k = 0; k < 36; k++) sum += a[i * 36 + k].re * (k + 1);
//                                      ^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 8 would do (4x)"
    out[i] = sum;
}

// Two loops that go through all of a row, one of them by steps.
//@ launch block=(256)
__global__ void by_features(const float *__restrict__ points, const int *__restrict__ count, float *__restrict__ mean, int most) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int n = count[i];
    for (int f = 0; f < WIDTH; f++) {
        float sum = 0;
        for (int p = 0; p < n; p++) sum += points[(i * most + p) * WIDTH + f];
//                      ^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `count[i]`)"
//                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this)"
        mean[WIDTH * i + f] = sum / n;
    }
}

// The next element is the next lane's, one round before.
//@ launch block=(256)
__global__ void turned(const float *__restrict__ a, float *__restrict__ out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[(i + k) * n + n - 1 - i];
//                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this)"
    out[i] = sum;
}

// The next lane never comes there: down a diagonal of blocks.
//@ launch block=(256)
__global__ void diagonal(const float *__restrict__ a, float *__restrict__ out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[(i + 4 * k) * n + i];
//                                     ^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x)"
    out[i] = sum;
}
