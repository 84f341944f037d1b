// Loops of few rounds in which most lanes of each warp idle, though all leave within two neighbouring rounds.

// Seven entries a row, of which 32 lanes take care: 25 of them wait in each row.
__global__ void short_rows(float *out, const float *in, int rows) {
    int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    float sum = 0;
    for (int row = 0; row < rows; row++)
        for (int i = lane; i < 7; i += 32)
            //             ^^^^^ warn[WC302] "idle in 75% of them"
            for (int k = 0; k < 16; k++) sum += in[((warp * rows + row) * 16 + k) * 7 + i];
    out[warp * 32 + lane] = sum;
}

// Rows that all lanes share, and a last round in which a few of them do.
__global__ void longer_rows(float *out, const float *in, int rows) {
    int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    float sum = 0;
    for (int row = 0; row < rows; row++)
        for (int i = lane; i < 103; i += 32)
            //             ^^^^^^^ none[WC302]
            sum += in[(warp * rows + row) * 104 + i];
    out[warp * 32 + lane] = sum;
}

// Seven entries for a whole block: they stand side by side in one of its warps, and no other arrangement needs less.
__global__ void once_a_block(float *out, const float *in, int n) {
    for (int i = threadIdx.x; i < 7; i += blockDim.x) {
        //                    ^^^^^ none[WC302]
        float sum = 0;
        for (int k = 0; k < 64; k++) sum += in[k * 7 + i];
        out[i] = sum;
    }
}

void run(float *out, const float *in, int rows, int n) {
    short_rows<<<n / 8, 256>>>(out, in, rows);
    longer_rows<<<n / 8, 256>>>(out, in, rows);
    once_a_block<<<n, 256>>>(out, in, n);
}
