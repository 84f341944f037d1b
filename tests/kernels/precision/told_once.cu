// What has one cause is told once, and what a compiler makes of arms that differ by a constant is no branch.

// Real and imaginary parts lie in arrays of their own: one gather.
//@ launch block=(256)
__global__ void neighbours(float *out, const float *re, const float *im, const double *weight, const int *list, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        int j = list[k * 4096 + i];
        sum += re[j];
//             ^^^^^ hint[WC101]! "up to 32 sectors where 4 would do (8x) if the values of `list[k * 4096 + i]` scatter. Runs n times per warp. With 2 more accesses to `im` and `weight`"
        sum -= im[j] * weight[j];
//             ^^^^^ none[WC101]
//             ^^^^^ access! worst=32 ideal=4
//                     ^^^^^^^^^ none[WC101]
//                     ^^^^^^^^^ access! worst=32 ideal=8
    }
    out[i] = sum;
}

// Two indexes are two gathers.
//@ launch block=(256)
__global__ void edges(float *out, const float *from, const float *to, const int *head, const int *tail) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float x = from[head[i]];
//            ^^^^^^^^^^^^^ hint[WC101]! "bout 42%"
    out[i] = x - to[tail[i]];
//               ^^^^^^^^^^^ hint[WC101]! "bout 42%"
}

// A step of a scan within rows of four: 24 and 16 of 32 lanes have somebody before them, and nobody else has anything to do.
//@ launch block=(4, 64)
__global__ void rows_of_four(float *a) {
    int row = (blockIdx.x * 64 + threadIdx.y) * 4;
    for (int s = 1; s < 4; s *= 2) {
        float before = 0.0f;
        int at = threadIdx.x - s;
        if (at >= 0)
//          ^^^^^^^ none[WC301]
            before = a[row + at];
        if (at >= 0)
//          ^^^^^^^ none[WC301]
            a[row + threadIdx.x] += before;
    }
}

// The odd lanes load, and the odd lanes store: one question, asked twice, and told twice.
//@ launch block=(256)
__global__ void odd(float *a, const float *b) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float x = 0.0f;
    if (threadIdx.x % 2 == 1)
//      ^^^^^^^^^^^^^^^^^^^^ info[WC301]! "16 of 32 threads active"
        x = b[i - 1] + b[i + 1];
    __syncthreads();
    if (threadIdx.x % 2 == 1)
//      ^^^^^^^^^^^^^^^^^^^^ info[WC301] "the warp splits, 16 of 32 threads active"
        a[i] = a[i + 1] * x;
}

// Letters become numbers: a store of what is picked.
//@ launch block=(256)
__global__ void numbers(char *text) {
    int i = blockIdx.x * 256 + threadIdx.x;
    switch (text[i]) {
//          ^^^^^^^ none[WC301]
    case 'A':
        text[i] = 0;
        break;
    case 'C':
        text[i] = 1;
        break;
    case 'G':
        text[i] = 2;
        break;
    case 'T':
        text[i] = 3;
        break;
    default:
        text[i] = 4;
    }
}

// The same by even and odd lanes, which surely differ.
//@ launch block=(256)
__global__ void signs(int *sign) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x % 2)
//      ^^^^^^^^^^^^^^^ none[WC301]
        sign[i] = -1;
//      ^^^^^^^ none[WC101]
    else
        sign[i] = 1;
}

// Two places are two stores.
//@ launch block=(256)
__global__ void sides(int *left, int *right) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x % 2)
//      ^^^^^^^^^^^^^^^ warn[WC301]! "16 of 32 threads active"
        left[i] = 1;
    else
        right[i] = 1;
}

// The first lane of each row of sixteen loads for the row, and nobody has anything else to do meanwhile: no warning.
//@ launch block=(16, 16)
__global__ void leaders(float *out, const float *sources, const float *targets) {
    __shared__ float from[128];
    int x = threadIdx.x, y = threadIdx.y;
    if (x == 0)
//      ^^^^^^ info[WC301]! "2 of 32 threads active"
        for (int i = 0; i < 8; i++)
            from[y * 8 + i] = sources[y * 8 + i];
            //                ^^^^^^^^^^^^^^^^^^ info[WC104]
    __syncthreads();
    out[blockIdx.x * 256 + y * 16 + x] = from[y * 8 + x % 8] * targets[blockIdx.x * 16 + x];
}

// One question with four answers.
__device__ bool is_odd(int x) { return x & 1; }
//@ launch block=(256)
__global__ void four_ways(int *out, const int *a, const int *b, int n) {
    int i = blockIdx.x * 256 + threadIdx.x, x = a[i], y = b[i];
    if (!is_odd(x) && !is_odd(y))
//      ^^^^^^^^^^^^^^^^^^^^^^^^ info[WC301]! "osts up to about 72% of this kernel's work"
        for (int k = 0; k < n; k++) out[n * k + i] += k;
    else if (is_odd(x) && !is_odd(y))
//           ^^^^^^^^^^^^^^^^^^^^^^^ none[WC301]
        for (int k = 0; k < n; k++) out[n * k + i] -= k;
    else if (!is_odd(x) && is_odd(y))
//           ^^^^^^^^^^^^^^^^^^^^^^^ none[WC301]
        for (int k = 0; k < n; k++) out[n * k + i] ^= k;
    else
        for (int k = 0; k < n; k++) out[n * k + i] |= k;
}

// Four calls of one function make one line dear: it has the share of all four.
__device__ void count_one(unsigned *bins, unsigned value) {
    atomicAdd(bins + value, 1);
//            ^^^^^^^^^^^^ hint[WC201] ". Runs 4*ceil("
}

//@ launch block=(256)
__global__ void bytes(unsigned *out, const unsigned *data, unsigned n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        unsigned four = data[i];
        count_one(bins, four & 255);
        count_one(bins, four >> 8 & 255);
        count_one(bins, four >> 16 & 255);
        count_one(bins, four >> 24);
    }
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = bins[threadIdx.x];
}

// Both ends of an edge are read, and one of them is written, by the lanes that found something better: one gather of both, one line.
//@ launch block=(256)
__global__ void relaxed(int *count, const int *first, const int *second, int *changed, int edges) {
    for (int e = threadIdx.x; e < edges; e += 256) {
        int a = first[e], b = second[e];
        int here = count[a], there = count[b];
//                 ^^^^^^^^ hint[WC101]! "`first[e]` scatter. Runs ceil(edges/256) times per warp. With 3 more accesses to `count`"
        if (here + 1 < there) {
            count[b] = here + 1;
            *changed = 1;
        } else if (there + 1 < here) {
            count[a] = there + 1;
            *changed = 1;
        }
    }
}
