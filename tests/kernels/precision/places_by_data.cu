// Memory decides where a block's lanes begin, or which of them run, and not how far apart they are: what is dear is dear for any contents.
// PARAM: --block 256

// Every fourth float of a segment: 16 sectors, or 17 where it begins in the middle of one.
__global__ void strided_segments(float *out, const float *in, const int *first) {
    int begin = first[blockIdx.x];
    out[blockIdx.x * 256 + threadIdx.x] = in[begin + 4 * threadIdx.x];
//                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 17 sectors"
}

// Elements of 8 bytes: a sector each, wherever they begin.  Which lanes are left at the end is no matter of scatter, though lanes may lack.
__global__ void strided_pairs(double *out, const double *in, const int *first) {
    int begin = first[blockIdx.x], end = first[blockIdx.x + 1];
    int i = begin + 4 * threadIdx.x;
    if (i < end)
        out[i] = in[i];
//      ^^^^^^ info[WC101] "up to 32 sectors where 8 would do (4x). Runs at most once per warp. With 1 more access"
}

// Where memory decides the distances the condition stays.
__global__ void gathered(float *out, const float *in, const int *at) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[at[i]];
//           ^^^^^^^^^ hint[WC101] "if the values of `at[i]` scatter"
}

// A pitch from memory may be 1, too: the figure is not sure, and nothing scatters.
__global__ void pitched(float *out, const float *in, const int *pitch) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i * pitch[0]];
//           ^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors"
}

// Banks: two words of a bank for each pair of lanes, wherever the tile begins.
__global__ void tiles(float *out, const int *first) {
    __shared__ float tile[4096];
    for (int k = 0; k < 64; k++)
        tile[first[blockIdx.x] + 2 * threadIdx.x + k] = k;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "2-way, each request takes 2 wavefronts"
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = tile[threadIdx.x];
}

// Rows of a lane's own, of which it takes an element that memory says: a sector each, whatever that is.
__global__ void last_of_each(int *out, const int *in, const int *length, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[n * i + length[i]];
//           ^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do (8x)"
}

// Elements side by side but for what memory says: that is what scatters them.
__global__ void moved_by_data(int *out, const int *in, const int *by) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i + by[i]];
//           ^^^^^^^^^^^^^ hint[WC101]! "if the values of `by[i]` scatter"
}

// Not all of these kernels wait where they should.
