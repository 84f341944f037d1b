// Lanes that load from one address hold one value: what they address by it is one place.

// Four rows in a warp: four columns of the matrix, whatever is in memory.
//@ launch block=(8, 4, 8)
__global__ void by_row(float *out, const int *column, const float *weights, int n) {
    int row = blockIdx.x * 32 + threadIdx.y + 4 * threadIdx.z, c = column[row];
    out[row * n + threadIdx.x] = weights[c];
//                               ^^^^^^^^^^ access! worst=4
//                               ^^^^^^^^^^ none[WC101]
}

// Through another array too, and beside what the lanes add themselves: two runs of 16 words.
//@ launch block=(16, 16)
__global__ void blocks(float *out, const int *first, const int *order, const float *in) {
    int y = blockIdx.x * 16 + threadIdx.y, start = first[order[y]];
    out[16 * y + threadIdx.x] = in[start + threadIdx.x];
//                              ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6
//                              ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// In shared memory: two words, on one bank at worst.
//@ launch block=(16, 16)
__global__ void words(float *out, const int *at) {
    __shared__ float table[1024];
    int t = threadIdx.y * 16 + threadIdx.x, where = at[blockIdx.x * 16 + threadIdx.y];
    table[t] = out[t];
    __syncthreads();
    out[t] = table[where & 1023];
//           ^^^^^^^^^^^^^^^^^^^ access! worst=2
//           ^^^^^^^^^^^^^^^^^^^ hint[WC201] "up to 2-way"
}

// What changed in between is another value, and lanes of an atomic wait for each other.
//@ launch block=(8, 32)
__global__ void queues(int *count, const int *bin) {
    int where = bin[blockIdx.x * 32 + threadIdx.y];
    atomicAdd(&count[where], 1);
//             ^^^^^^^^^^^^ access! worst=4
}

// Rows of a sector that begin where memory says have one too many, as unaligned rows have.
//@ launch block=(256)
__global__ void segments(const int *first, float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x, lane = i & 7, start = first[i >> 3];
    out[i] = in[start + lane] + in[start + lane + 8];
//           ^^^^^^^^^^^^^^^^ access! worst=8 ideal=4
//           ^^^^^^^^^^^^^^^^ none[WC101]
}

// Shorter rows are as many sectors more as they are shorter, and others have gaps.
//@ launch block=(256)
__global__ void short_segments(const int *first, float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x, lane = i & 3, start = first[i >> 2];
    out[i] = in[start + lane];
//           ^^^^^^^^^^^^^^^^ hint[WC101] "about 11 sectors (up to 16) where 4 would do"
}

//@ launch block=(256)
__global__ void open_segments(const int *first, float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x, lane = i & 7, start = first[i >> 3];
    out[i] = in[start + 4 * lane];
//           ^^^^^^^^^^^^^^^^^^^^ hint[WC101] "about 18 sectors (up to 20) where 4 would do"
}

// Two rows of a warp's sixteen threads, each of them named by a number of its own, in floating point too: rows do not scatter a request.
//@ launch block=(16, 16)
__global__ void rows_by_data(double *out, const double *p, const double *rows, const double *step, int w) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int row = floor(w - rows[y] / step[0]);
    out[y * w + x] = p[row * w + x];
//                   ^^^^^^^^^^^^^^ none[WC101]
//                   ^^^^^^^^^^^^^^ access! worst=10 ideal=8
}

// What decides is the column, of which there are sixteen.
//@ launch block=(16, 16)
__global__ void columns_by_data(double *out, const double *p, const double *rows, const double *columns, int w) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int row = floor(rows[y] / 3), column = floor(columns[x] / 3);
    out[y * w + x] = p[row * w + column];
//                   ^^^^^^^^^^^^^^^^^^^ hint[WC101]! "if the values of `rows[y]` and `columns[x]` scatter"
}
