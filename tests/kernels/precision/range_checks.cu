// Threads that leave the kernel at once because their element lies outside of a range are few: several such tests, one for each coordinate,
// hold back no more than one of them does. What stands behind them is all that the kernel is for.

__device__ unsigned mixed(unsigned key) {
    key ^= key >> 15;
    key *= 0x2c1b3c6d;
    key ^= key >> 12;
    return key;
}

//@ launch block=(256)
__global__ void cells(const float *points, float low, float high, int width, unsigned *counts, unsigned size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = points[4 * i], y = points[4 * i + 2];
//            ^^^^^^^^^^^^^ warn[WC101]! "16 sectors per request, ideal 4 (4.0x); executed once per warp; with 1 more access of `points` 67% of this kernel's sectors"
    if (x < low || x >= high || y < low || y >= high)
        return;
    int column = floorf(x - low);
    if (column >= width)
        return;
    int row = floorf(y - low);
    if (row >= width)
        return;
    atomicAdd(&counts[mixed(row * width + column) % size], 1);
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors per request, ideal 4 (8.0x); executed at most once per warp; up to 33%"
}

// Tests of kinds are none of ranges: each of them lets a part pass.
//@ launch block=(256)
__global__ void kinds(const int *kind, const int *state, const float *points, unsigned *counts, unsigned size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (kind[i] != 3)
        return;
    if (state[i] != 1)
        return;
    atomicAdd(&counts[mixed(i) % size], 1);
//             ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}
