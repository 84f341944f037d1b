// The sides of a grid lie across its rows. What is launched over one dimension is no warning beside kernels that do n times as much.

__global__ void inner(float *next, const float *now, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        next[y * w + x] = 0.5f * now[y * w + x];
}

// h threads, beside w * h.
__global__ void left_side(float *next, int w, int h) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < h)
        next[y * w] = 1.0f;
//      ^^^^^^^^^^^ info[WC101] "`rows` does 2000 times as much"
}

// h threads, of which each goes over a row: all of the grid.
__global__ void rows(float *next, int w, int h) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < h)
        for (int x = 0; x < w; x++)
            next[y * w + x] += 1.0f;
//          ^^^^^^^^^^^^^^^ warn[WC101]
}

// In more rounds than the kernel beside it.
__global__ void often(float *next, int w, int h) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < h)
        next[y * w] = 2.0f;
//      ^^^^^^^^^^^ warn[WC101]
}

// A sum of sizes is no dimension more.
__global__ void padded(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[8 * i] = 1.0f;
//  ^^^^^^^^ warn[WC101]
}

__global__ void with_room(float *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] = 1.0f;
}

void steps(float *next, float *now, int w, int h, int count) {
    const int cells = w * h;
    dim3 block(16, 16), all((cells + 255) / 256 / 4), tiles((w + 15) / 16, (h + 15) / 16), side((h + 255) / 256);
    for (int i = 0; i < count; i++) {
        inner<<<tiles, block>>>(next, now, w, h);
        left_side<<<side, 256>>>(next, w, h);
        rows<<<side, 256>>>(next, w, h);
        for (int k = 0; k < count; k++)
            often<<<side, 256>>>(next, w, h);
    }
}

void sums(float *p, int n, int room) {
    padded<<<n / 256, 256>>>(p, n);
    with_room<<<(n + room) / 256, 256>>>(p, n);
}
