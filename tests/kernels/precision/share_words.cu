// A share of what memory decides is an upper bound only where the rest of the kernel costs what it costs.

__global__ void beside_rows(const int *index, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[index[i]];
//               ^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `index[i]` scatter. Up to 80%"
}

// Runs of words that follow each other, each from where memory says to where it says: what stands beside each may be as cheap, or dearer.
__global__ void beside_runs(const int *start, const int *other, const int *length, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = start[i];
    int from = other[i];
    for (int k = 0; k < length[i]; k++)
//                  ^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `length[i]`)"
        out[at + k] = in[from + 8 * k];
//      ^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x). Each thread fills the rest of these sectors in its next iterations. Runs once per iteration of the loop at line 17. About 47"
}
