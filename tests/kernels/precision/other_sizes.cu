// Shares that only hold while sizes, which nobody knows, are as large as each other, or a loop is as short as one that data decides.

struct Counts {
    int rows;
    float scale;
};

// One count for all threads is a size, wherever it is kept: what is done once is nothing beside its rounds.
__global__ void count_in_memory(float *out, const float *in, const Counts *counts) {
    float sum = 0;
    for (int k = 0; k < counts->rows; k++)
        sum += in[k];
    for (int k = 0; k < 2; k++)
        out[8 * (blockIdx.x * 256 + threadIdx.x) + 65536 * k] = sum;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// One of many counts is none: it may well be as small as it is taken for.
__global__ void count_of_each(float *out, const float *in, const int *counts) {
    float sum = 0;
    for (int k = 0; k < counts[blockIdx.x]; k++)
        sum += in[k];
    for (int k = 0; k < 2; k++)
        out[8 * (blockIdx.x * 256 + threadIdx.x) + 65536 * k] = sum;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "66% of this kernel's global traffic"
}

// A chunk is whole in all blocks but the last, however few elements the usual size gives one.
__global__ void chunks(float *out, const float *in, int size) {
    __shared__ float tile[4096];
    int mine = min(size - (int)blockIdx.x * 16384, 16384);
    float sum = 0;
    for (int k = 0; k < mine; k += 32)
        sum += tile[threadIdx.x + k % 1024];
    for (int k = 0; k < 7; k++)
        sum += tile[2 * threadIdx.x + 512 * k];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Rounds over a grid that was counted for the usual size.
__global__ void rounds(float *out, const float *in, int size) {
    __shared__ float tile[1024];
    float sum = 0;
    for (int row = blockIdx.x; row < size / 256; row += gridDim.x) {
        tile[threadIdx.x] = in[row * 256 + threadIdx.x];
        __syncthreads();
        sum += tile[threadIdx.x ^ 1];
        __syncthreads();
    }
    for (int k = 0; k < 2; k++)
        sum += tile[2 * threadIdx.x + 512 * k];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Steps and observations have nothing to do with each other.
__global__ void unrelated(float *out, const float *in, int steps, int observations) {
    float sum = 0;
    for (int k = 0; k < observations; k++)
        for (int j = 0; j < 32; j++)
            sum += in[32 * k + j];
            //     ^^^^^^^^^^^^^^ info[WC104]
    for (int k = 0; k < steps; k++)
        out[8 * (blockIdx.x * 256 + threadIdx.x) + 65536 * k] = sum;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// One size for both says how they stand to each other.
__global__ void related(float *out, const float *in, int steps) {
    float sum = 0;
    for (int k = 0; k < steps; k++)
        for (int j = 0; j < 32; j++)
            sum += in[32 * k + j];
            //     ^^^^^^^^^^^^^^ info[WC104]
    for (int k = 0; k < steps; k++)
        out[8 * (blockIdx.x * 256 + threadIdx.x) + 65536 * k] = sum;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "50% of this kernel's global traffic if steps = 1024"
}

void host(float *a, float *b, Counts *c, int *n, int size, int steps, int observations) {
    count_in_memory<<<32, 256>>>(a, b, c);
    count_of_each<<<32, 256>>>(a, b, n);
    chunks<<<32, 256>>>(a, b, size);
    rounds<<<size / 256, 256>>>(a, b, size);
    unrelated<<<32, 256>>>(a, b, steps, observations);
    related<<<32, 256>>>(a, b, steps);
}
