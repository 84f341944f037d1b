// A loop whose counter is an index into an array has no more rounds than the array has elements, wherever its bound comes from.
// PARAM: --block 256

// Pairs of neighbours, of which there are at most eight.
__global__ void pairs(float *out, const short *edge, const int *degree, const float *x) {
    __shared__ short near[256][8];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    for (int k = 0; k < 8; k++)
        near[t][k] = edge[2048 * blockIdx.x + 256 * k + t];
//      ^^^^^^^^^^ info[WC201]
    float sum = 0;
    int count = degree[i];
    for (char j = 0; j < count; j++)
//                   ^^^^^^^^^ info[WC302]
        sum += x[near[t][j]];
//             ^^^^^^^^^^^^^ hint[WC101] "of this kernel's global traffic, assuming 8 iterations of the loop at line 13"
    out[i] = sum;
}

// What nobody bounds is taken to run 32 times.
__global__ void listed(float *out, const int *first, const int *to, const float *x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = first[i]; k < first[i + 1]; k++)
//                         ^^^^^^^^^^^^^^^^ info[WC302]
        sum += x[to[k]];
//               ^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x)"
    out[i] = sum;
}
