// Loops that have a name for their length, though launches tell it: a quotient of two sizes that are passed.

__device__ void products(float *p, const float *q, int size, int pitch) {
    for (int s = 0; s < size; ++s)
        p[0] += q[8 * threadIdx.x + s * pitch];
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns once per iteration of the loop at line 4. 67% of this kernel's global traffic if channels = 768, assuming 64 iterations of the loop at line 4"
}

// 64 rounds: what is stored once is a third and not a half.
__global__ void heads(float *out, const float *in, int channels, int heads) {
    int size = channels / heads;
    float sum = 0;
    products(&sum, in, size, channels);
    for (int k = 0; k < 32; k++)
        out[blockIdx.x * 32768 + 256 * threadIdx.x + 8 * k] = sum;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns 32 times per warp. 33% of this kernel's global traffic if channels = 768, assuming 64 iterations of the loop at line 4"
}

// A size that nobody passes leaves the length open, and so does a counter that the loop changes itself.
__global__ void open(float *out, const float *in, int channels, int heads, int step) {
    int size = channels / heads;
    for (int s = 0; s < size / step; ++s)
        out[8 * threadIdx.x] += in[8 * threadIdx.x + s * channels];
//      ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "67% of this kernel's global traffic if channels = 768, assuming 32 iterations of the loop at line 22"
}

void host(float *a, float *b, int step) {
    int channels = 768, count = 12;
    heads<<<8, 128>>>(a, b, channels, count);
    open<<<8, 128>>>(a, b, channels, count, step);
}

// Down to where something was found: no further than to the first, so that twenty neighbours are moved on by nineteen at most.
__global__ void inserted(float *best, const float *next, int width, int count, int neighbours) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int l = neighbours; l < count; l++) {
        float value = next[l * width + at];
        int place = (int)best[at];
        for (int j = neighbours - 1; j > place; j--)
//                                   ^^^^^^^^^ info[WC302] "count = 1024, neighbours = 20, assuming 19 iterations of the loop at line 39"
            best[j * width + at * 8] = best[(j - 1) * width + at * 8];
//          ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "neighbours = 20, assuming 19 iterations of the loop at line 39"
        best[place * width + at] = value;
    }
}

// From the counter of the loop around: the same.
__global__ void begun(float *best, const float *next, int width, int neighbours) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    for (int l = 1; l < neighbours; l++) {
        float value = next[l * width + at];
        int place = (int)best[at];
        for (int j = l; j > place; j--)
//                      ^^^^^^^^^ info[WC302]
            best[j * width + at * 8] = best[(j - 1) * width + at * 8];
//          ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "neighbours = 20, assuming 19 iterations of the loop at line 53"
        best[place * width + at] = value;
    }
}

void chosen(float *a, float *b, int width, int count) {
    inserted<<<8, 128>>>(a, b, width, count, 20);
    begun<<<8, 128>>>(a, b, width, 20);
}

// Over all of a stated grid: 4096 rows of threads that are 2048 in all, in two rounds. A grid that somebody states at run time is any.
__global__ void over_a_grid(float *out, const float *in, unsigned long bytes) {
    int threads = gridDim.x * blockDim.x;
    unsigned long rows = bytes / 4096;
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += threads)
        for (int k = 0; k < 32; k++)
            out[32 * r + k] += in[r];
//          ^^^^^^^^^^^^^^^ warn[WC101] ", assuming 2 iterations of the loop at line 70"
}

__global__ void over_any_grid(float *out, const float *in, unsigned long bytes) {
    int threads = gridDim.x * blockDim.x;
    unsigned long rows = bytes / 4096;
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < rows; r += threads)
        for (int k = 0; k < 32; k++)
            out[32 * r + k] += in[r];
//          ^^^^^^^^^^^^^^^ warn[WC101] ", assuming 32 iterations of the loop at line 79"
}

void host_of_grids(float *a, float *b, int blocks) {
    unsigned long bytes = 16UL * 1024 * 1024;
    over_a_grid<<<16, 128>>>(a, b, bytes);
    over_any_grid<<<blocks, 128>>>(a, b, bytes);
}
