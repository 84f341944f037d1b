// What is derived from a size that all launches pass is known with it: `lane % 2` leads to two elements, `lane / 4` to eight.

__global__ void predicted(int width, const double *in, double *out, int n) {
    int lane = threadIdx.x & 31;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int offset = 32 - (width - lane % width) - lane;
    if (i < n)
        out[8 * i] = in[i] - in[i + offset];
//      ^^^^^^^^^^ warn[WC101]! "32 sectors where 8 would do (4x). 78% of this kernel's global traffic if width = 2"
}

__global__ void in_cells(int size, const float *cells, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = cells[1024 * (threadIdx.x / size)];
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "8 sectors where 1 would do (8x). 67% of this kernel's global traffic if size = 4"
}

// Launches that pass several leave any width, 1 among them: nothing is said.
__global__ void in_columns(int width, const double *in, double *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[64 * (threadIdx.x % width)];
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

void run(const double *in, double *out, const float *cells, float *sums, int n) {
    predicted<<<(n + 255) / 256, 256>>>(2, in, out, n);
    in_cells<<<(n + 255) / 256, 256>>>(4, cells, sums, n);
    in_columns<<<(n + 255) / 256, 256>>>(2, in, out, n);
    in_columns<<<(n + 255) / 256, 256>>>(64, in, out, n);
}
