// Sectors are a part of sectors: in a kernel that computes, those too many have to be felt in its work, too.

// One half-warp of a block fetches records for all, beside a sum of many terms for each thread: nobody gains by laying the records out anew.
//@ launch block=(16, 64) grid=(512)
__global__ void many_terms(float *out, const float *where, const float *weight, int n) {
    __shared__ float at[48], part[64], sums[1024];
    int x = threadIdx.x, y = threadIdx.y;
    if (blockIdx.x * 16 + x >= n)
        return;
    if (y == 0)
        for (int k = 0; k < 3; k++)
            at[3 * x + k] = where[3 * (blockIdx.x * 16 + x) + k];
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 ideal=2
    if (x == 0)
        part[y] = weight[y];
    __syncthreads();
    float sum = 0.0f, a = at[3 * x] - part[y], b = at[3 * x + 1] - part[y], c = at[3 * x + 2] - part[y];
    for (int k = 1; k < 9; k++) {
        float r = sqrtf(a * a + b * b + c * c + k);
        sum += (1.0f + sqrtf(5.0f) * r / a + 5.0f * r * r / (3.0f * a * b)) * expf(-sqrtf(5.0f) * r / k) * logf(r) * part[y];
    }
    sums[x + 16 * y] = sum;
    __syncthreads();
    if (y == 0) {
        for (int k = 1; k < 64; k++)
            sum += sums[x + 16 * k];
        out[blockIdx.x * 16 + x] = sum;
    }
}

// With a term a thread they are felt.
//@ launch block=(16, 64) grid=(512)
__global__ void few_terms(float *out, const float *where) {
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 1024 + y * 16 + x;
    out[i] = where[3 * i];
//           ^^^^^^^^^^^^ warn[WC101]
}

// Three of five numbers are fetched for a tile, and each is used in 256 terms: true, and little of the work, so no warning.
//@ launch block=(256) grid=(512)
__global__ void tiles(float *out, const float *where, int n) {
    __shared__ float at[768];
    int t = threadIdx.x;
    float sum = 0.0f, x = out[blockIdx.x * 256 + t];
    for (int first = 0; first < n; first += 256) {
        for (int k = 0; k < 3; k++)
            at[t + 256 * k] = where[5 * (first + t) + 2 * k];
//                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "97% of this kernel's global traffic"
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float a = at[j] - x, b = at[j + 256] - x, c = at[j + 512] - x;
            sum += a * a + b * b + c * c;
        }
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = sum;
}
