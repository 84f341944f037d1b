// What the host tests before a launch holds in it: findings are those of the sizes that lead to the launch.

// Narrow blocks are for narrow rows: the others have whole warps along a row.
template <int X, int Y>
__global__ void by_width(const float *in, float *out, int rows, int width) {
    float sum = 0;
    for (int r = threadIdx.y; r < rows; r += Y)
        for (int c = threadIdx.x; c < width; c += X)
            sum += in[r * width + c];
//                 ^^^^^^^^^^^^^^^^^ warn[WC101]! "if rows = 1024, width = 31"
    out[(blockIdx.x * Y + threadIdx.y) * X + threadIdx.x] = sum;
}

void sums(const float *in, float *out, int rows, int width) {
    if (width >= 128)
        by_width<128, 1><<<rows, dim3(128, 1)>>>(in, out, rows, width);
    else if (width >= 32)
        by_width<32, 4><<<rows, dim3(32, 4)>>>(in, out, rows, width);
    else
        by_width<4, 32><<<rows, dim3(4, 32)>>>(in, out, rows, width);
}

// Where the usual sizes lead to the launch, its findings are what they are.
__global__ void strided(const float *in, float *out, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * 8];
//           ^^^^^^^^^ warn[WC101]! "32 sectors"
}

void run(const float *in, float *out, int width) {
    if (width > 0 && width <= 4096)
        strided<<<width, 256>>>(in, out, width);
}
