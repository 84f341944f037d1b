// A grid that nobody states covers everything at its guess, and a loop over the grid then has a round.  The host may as well fill the device once.

// What is done once for the block is next to nothing beside rounds.
__global__ void columns(float *sums, const float *in, int rows) {
    float sum = 0;
    for (int r = blockIdx.x * 256 + threadIdx.x; r < rows; r += gridDim.x * 256)
        for (int k = 0; k < 32; k++)
            sum += in[r + k * rows * 32];
    sums[8 * (blockIdx.x * 256 + threadIdx.x)] = sum;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// In the loop it costs what it costs, whatever the grid is.
__global__ void inside(float *sums, const float *in, int rows) {
    for (int r = blockIdx.x * 256 + threadIdx.x; r < rows; r += gridDim.x * 256)
        sums[8 * r] = in[r];
//      ^^^^^^^^^^^ warn[WC101]! "89% of this kernel's global traffic"
}

// A grid that is stated is no guess.
__global__ void stated(float *sums, const float *in) {
    float sum = 0;
    for (int r = blockIdx.x * 256 + threadIdx.x; r < 1024; r += gridDim.x * 256)
        for (int k = 0; k < 32; k++)
            sum += in[r + k * 8192];
    sums[8 * (blockIdx.x * 256 + threadIdx.x)] = sum;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "20% of this kernel's global traffic"
}

void host(float *a, float *b, int rows, int blocks) {
    columns<<<blocks, 256>>>(a, b, rows);
    inside<<<blocks, 256>>>(a, b, rows);
    stated<<<4, 256>>>(a, b);
}
