// A share of what memory decides is an upper bound only where the rest of the kernel costs what it costs.

__global__ void beside_rows(const int *index, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[index[i]];
//               ^^^^^^^^^^^^ hint[WC101] "up to 32 sectors per request, ideal 4 (8.0x), if the values of `index[i]` scatter; executed once per warp; up to 80%"
}

// Runs of words that follow each other, each from where memory says to where it says: what stands beside each may be as cheap, or dearer.
__global__ void beside_runs(const int *start, const int *other, const int *length, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = start[i];
    int from = other[i];
    for (int k = 0; k < length[i]; k++)
//                  ^^^^^^^^^^^^^ info[WC302] "lanes of a warp may leave this loop at different iterations (decided by data: `length[i]`)"
        out[at + k] = in[from + 8 * k];
//      ^^^^^^^^^^^ info[WC101] "up to 32 sectors per request, ideal 4 (8.0x); each lane's next rounds fill the same sectors; executed T17 times per warp; about 47%"
}
