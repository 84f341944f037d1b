// Rows of a block that are parts of a warp: what memory decides for a row it decides for all lanes of it.
// PARAM: --block 16,16

// A row takes part, or it does not: sixteen lanes of a warp, not one.
__global__ void kept(float *out, const float *keep, const float *v, int n) {
    __shared__ float row[16];
    if (threadIdx.x == 0)
        row[threadIdx.y] = keep[blockIdx.x * 16 + threadIdx.y];
    __syncthreads();
    if (row[threadIdx.y] != -1.0f) {
//      ^^^^^^^^^^^^^^^^^^^^^^^^^ branch! divergence=possible active=16,16
        for (int j = threadIdx.x; j < n; j += blockDim.x)
            if (v[j] > 0.3f)
                atomicAdd(&out[threadIdx.y], 1.0f);
                //         ^^^^^^^^^^^^^^^^ info[WC202]
    }
}

// Two whole numbers of a row, of which one holds back the other.
__global__ void kept_twice(int *out, const int *first, const int *second) {
    int n = second[threadIdx.y];
    if (first[threadIdx.y] > 0)
        if (n > 7 && threadIdx.x < 9)
//          ^^^^^^^^^^^^^^^^^^^^^^^^ branch! divergence=possible active=7,25
            out[threadIdx.y * 16 + threadIdx.x] = n;
}

// Two rows leave at two times, and half of the lanes wait while the longer one goes on: a quarter of the work if lengths are any.
__global__ void lengths(float *out, const int *size, const float *v) {
    float sum = 0.0f;
    for (int j = 0; j < size[threadIdx.y]; j++)
//                  ^^^^^^^^^^^^^^^^^^^^^ branch! divergence=possible spread=none
//                  ^^^^^^^^^^^^^^^^^^^^^ info[WC302] "2 different iterations (depends on data: `size[threadIdx.y]`). Tested 1 + T31 times per warp, where T31 counts the iterations of the loop at line 31. Costs up to about 24"
        sum += v[j * 256 + threadIdx.y * 16 + threadIdx.x];
    out[threadIdx.y * 16 + threadIdx.x] = sum;
}

// In steps of the row each has one more, ragged time to leave at.
__global__ void strided_rows(float *out, const int *size, const float *v) {
    float sum = 0.0f;
    int n = size[threadIdx.y];
    for (int j = threadIdx.x; j < n; j += blockDim.x)
//                            ^^^^^ branch! divergence=possible spread=none
//                            ^^^^^ info[WC302] "at up to 4 different iterations"
        sum += v[j * 16 + threadIdx.y];
//             ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    out[threadIdx.y * 16 + threadIdx.x] = sum;
}
