// The last element of each row, one row a lane: whoever filled the rows had as many times more to do as they are long.

__global__ void last_of_rows(float2 *image, size_t rows, size_t columns) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < columns; i += blockDim.x * gridDim.x)
        image[i * rows + (rows - 1)] = make_float2(0, 0);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors where 8 would do"
}

// And the one before it.
//@ launch block=(256)
__global__ void mirrored(float *u, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    u[i * n + n - 1] = -u[i * n + n - 2];
//  ^^^^^^^^^^^^^^^^ hint[WC101]!
}

// What a scan of blocks leaves for the next level.
//@ launch block=(256)
__global__ void tops(const int *scanned, int *sums, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) sums[i] = scanned[1024 * i + 1023];
//                       ^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "32 sectors where 4 would do (8x)"
}

// Short rows are records.
//@ launch block=(256)
__global__ void last_members(const int *records, int *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = records[16 * i + 15];
//           ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
}

// A stride by itself says nothing of rows.
//@ launch block=(256)
__global__ void strided(const float *in, float *out, int stride) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i * stride];
//           ^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x)"
}

// Nor does a place that a parameter says, of which launches may go through all.
//@ launch block=(256)
__global__ void column(float *a, const float *b, int n, int k) {
    int i = blockIdx.x * 256 + threadIdx.x;
    a[i * n + k - 1] = b[i];
//  ^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x)"
}

// From the end to the begin: all of each row.
//@ launch block=(256)
__global__ void backwards(float *a, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = n - 1; k >= 0; k--) a[i * n + k] = 0;
//                                   ^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x)"
}
