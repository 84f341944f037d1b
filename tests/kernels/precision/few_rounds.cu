// The rounds of a loop use what the first of them fetched, where all launches pass how many there are, and how far lanes are apart.

__global__ void pool(const float *in, float *out, int step, int width, int height, int w, int ow) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow)
        return;
    float most = 0;
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++)
            most = fmaxf(most, in[(step * y + r) * w + step * x + c]);
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    out[y * ow + x] = most;
}

// Two of every four: the others are nobody's.
__global__ void pool_with_gaps(const float *in, float *out, int step, int width, int w, int ow) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow)
        return;
    float most = 0;
    for (int c = 0; c < width; c++)
        most = fmaxf(most, in[y * w + step * x + c]);
//                         ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    out[y * ow + x] = most;
}

// Rounds that wait for each other.
__global__ void pool_in_turns(const float *in, float *out, int step, int width, int w, int ow) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float most = 0;
    for (int c = 0; c < width; c++) {
        most = fmaxf(most, in[y * w + step * x + c]);
//                         ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
        __syncthreads();
    }
    out[y * ow + x] = most;
}

// The other half of the pairs in a loop of its own.
__global__ void pool_in_loops(const float *in, float *out, int step, int width, int w, int ow) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float most = 0;
    for (int c = 0; c < width; c++)
        most = fmaxf(most, in[y * w + step * x + 2 * c]);
//                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    for (int c = 0; c < width; c++)
        most = fmaxf(most, in[y * w + step * x + 2 * c + 1]);
    out[y * ow + x] = most;
}

// Long rows, one of each lane.
__global__ void pool_of_rows(const float *in, float *out, int step, int width, int w, int ow) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float most = 0;
    for (int c = 0; c < width; c++)
        most = fmaxf(most, in[y * w + step * x + c]);
//                         ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    out[y * ow + x] = most;
}

// Of one of these launches nobody knows how many rounds there are.
__global__ void pool_of_any(const float *in, float *out, int step, int width, int w, int ow) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float most = 0;
    for (int c = 0; c < width; c++)
        most = fmaxf(most, in[y * w + step * x + c]);
//                         ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    out[y * ow + x] = most;
}

void run(float *in, float *out, int w, int h, int any) {
    int step = 2, width = 2, height = 2;
    int ow = w / step, oh = h / step;
    dim3 block(32, 8), grid(ow / 32, oh / 8);
    pool<<<grid, block>>>(in, out, step, width, height, w, ow);
    pool_with_gaps<<<grid, block>>>(in, out, 4, 2, w, ow);
    pool_in_turns<<<grid, block>>>(in, out, 2, 2, w, ow);
    pool_in_loops<<<grid, block>>>(in, out, 4, 2, w, ow);
    pool_of_rows<<<grid, block>>>(in, out, 32, 32, w, ow);
}

void run_any(float *in, float *out, int w, int h, int any) {
    pool_of_any<<<dim3(w / 64, h / 16), dim3(32, 8)>>>(in, out, 2, any, w, w / 2);
}
