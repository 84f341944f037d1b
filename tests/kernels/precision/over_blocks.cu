// Where a row begins in a sector is a matter of the number of the block: what its requests cost on average is that over blocks.

//@ launch block=(8, 32)
__global__ void window(const char *in, float *out, int height) {
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    float sum = 0.0f;
    for (int k = 0; k < 8; k++)
        sum += in[(y + 1024 * k) * 8192 + x + 4 * k];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "4.5 sectors on average (up to 8) where 1 would do (4.5x)"
    out[y * 8192 + x] = sum;
}

// A size decides it: it may be any, and the worst counts.
//@ launch block=(8, 32)
__global__ void from_any_place(const char *in, float *out, int first) {
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    float sum = 0.0f;
    for (int k = 0; k < 8; k++)
        sum += in[(y + 1024 * k) * 8192 + x + 8 * first + 4 * k];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "6.0 sectors on average (up to 8) where 1 would do (6x)"
    out[y * 8192 + x] = sum;
}
