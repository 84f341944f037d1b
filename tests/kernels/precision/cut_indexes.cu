// An index of the whole grid, cut to a row's by `% n`, is less than n: so many rounds it decides, however large the grid is.
// PARAM: --block 256

// Each warp sums what its row has up to its own place, four of eight at a time.
__global__ void up_to_me(float *out, const float *in, int rows, int n) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows * n)
        return;
    int fours = row % n / 4;
    const float *mine = in + (size_t)row * 2 * n;
    float sum = 0;
    for (int i = lane; i < fours; i += 32)
        for (int k = 0; k < 4; k++)
            sum += mine[8 * i + k];
            //     ^^^^^^^^^^^^^^^ hint[WC104]
//                 ^^^^^^^^^^^^^^^ warn[WC101] "uns 4*ceil(max(0, ceil(n/4) - 1)/32) times per warp"
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// What sizes say at once is the lesser of both.
__global__ void by_two_sizes(float *out, const float *in, int n, int m, int stride) {
    float sum = 0;
    for (int k = 0; k < n % m; k++)
        sum += in[(blockIdx.x * blockDim.x + threadIdx.x) * stride + k];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns min(n, m - 1) times per warp"
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
