// Launches that say some extents of the block and leave others open: what is said holds, and no default speaks against it.

// One row of a block is a warp, whatever its length.
__global__ void rows(unsigned char *out, const unsigned char *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[y * width + x] = in[y * width + x];
//  ^^^^^^^^^^^^^^^^^^ none[WC101]
//  ^^^^^^^^^^^^^^^^^^ access! worst=2
}

// One column.
__global__ void columns(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[y * width + x] = in[y * width + x];
//  ^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x). With 1 more access to `in`: 100% of this kernel's global traffic if width = 1024. Assumes block 1x256"
//  ^^^^^^^^^^^^^^^^^^ access! worst=32
}

// A narrow block with as many rows as the host likes.
__global__ void narrow(float *out, const float *in, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = in[x];
//  ^^^^^^^^^^^^^^^^^^ info[WC101] "8 (2x) when width % 4 == 0"
}

// Launches that agree on nothing say nothing.
__global__ void several(float *out, const float *in, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = in[x];
}

// No block has an extent of 0, whatever somebody has half typed.
__global__ void nothing(float *out, const float *in) {
    out[threadIdx.x] = in[threadIdx.x];
//  ^^^^^^^^^^^^^^^^ none[WC101]
}

void host(unsigned char *a, unsigned char *b, float *p, float *q, int width, int height, int long_side, int *shapes) {
    dim3 row, column;
    int one = 1;
    row.x = long_side;
    row.y = one;
    column.x = one;
    column.y = shapes[0];
    rows<<<dim3(width / long_side, height), row>>>(a, b, width, height);
    columns<<<dim3(width, height / long_side), column>>>(p, q, width, height);
    narrow<<<dim3(width / 4, height), dim3(4, shapes[1])>>>(p, q, width);
    several<<<dim3(width / 4, height), dim3(4, shapes[1])>>>(p, q, width);
    several<<<dim3(width / 4, height), dim3(shapes[1], 8)>>>(p, q, width);
    nothing<<<1, dim3(0, shapes[1])>>>(p, q);
}
