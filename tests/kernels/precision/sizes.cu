// How large parameters are for shares: what the host counts up is small, and what arrays and assertions have room for is a cap.
// PARAM: --block 256

// In most rounds the chain has no links yet.
__global__ void chained(int round, const int *ids, const int *links, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int row = ids[i];
    for (int k = 0; k < round / 64; k++)
        row = links[row];
//            ^^^^^^^^^^ none[WC101]
    out[i] = row;
}

void chains(const int *ids, const int *links, int *out, int n) {
    int round = 0;
    while (n > 0) {
        chained<<<n / 256, 256>>>(round, ids, links, out, n);
        round++;
        n = remaining(out);
    }
}

// Counted up to the end of something, it still is none of its sizes.
__global__ void eliminated(float *matrix, const float *column, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < step; k++)
        matrix[i * 8 + k] -= column[k];
//      ^^^^^^^^^^^^^^^^^ warn[WC101]! "if step = 32"
}

void eliminate(float *matrix, const float *column, int n) {
    for (int step = 0; step < n; step += 16)
        eliminated<<<n / 256, 256>>>(matrix, column, step);
}

// A row of registers has room for sixteen.
__global__ void rows(const float *in, float *out, int width) {
    float row[16];
    //    ^^^ info[WC103]
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < width; k++)
        row[k] = in[i * width + k];
//               ^^^^^^^^^^^^^^^^^ warn[WC101]! "if width = 16"
    float sum = 0;
    for (int k = 0; k < width; k++)
        sum += row[k] * row[width - 1 - k];
    out[i] = sum;
}

// Asserted outright.
__global__ void asserted(const float *in, float *out, int width) {
    assert(width > 0 && width < 50);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; k++)
        sum += in[i * 8 + k];
//             ^^^^^^^^^^^^^ warn[WC101]! "if width = 49"
    out[i] = sum;
}
