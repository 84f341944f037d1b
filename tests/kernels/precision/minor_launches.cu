// What threads do once along the boundary of a grid, or in a launch of far fewer threads than another beside it, the program does not notice.

__global__ void inner(double *p, const double *q, int w, int h) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h)
        p[y * w + x] = q[x * h + y];
//                     ^^^^^^^^^^^^ warn[WC101]
}

// h threads, beside w * h.
__global__ void left_side(double *p, int w, int h) {
    int y = blockIdx.x * 256 + threadIdx.x;
    if (y < h)
        p[y * w] = 0.0;
//      ^^^^^^^^ hint[WC101]
}

// As many threads, each of which goes through its row.
__global__ void rows(double *sum, const double *p, int w, int h) {
    int y = blockIdx.x * 256 + threadIdx.x;
    double all = 0.0;
    if (y < h)
        for (int x = 0; x < w; x++)
            all += p[y * w + x];
//                 ^^^^^^^^^^^^ warn[WC101]
    if (y < h) sum[y] = all;
}

__global__ void corners(double *p) {
    p[32 * threadIdx.x] = 0.0;
//  ^^^^^^^^^^^^^^^^^^^ hint[WC101]
}

__global__ void fixed(double *p) {
    p[8 * (blockIdx.x * 256 + threadIdx.x)] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}

// A sixteenth of the threads is no small part of them.
__global__ void a_sixteenth(double *p) {
    p[8 * (blockIdx.x * 256 + threadIdx.x)] = 2.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}

void steps(double *p, double *q, int w, int h, int n) {
    dim3 all((w + 15) / 16, (h + 15) / 16), side((h + 255) / 256);
    for (int i = 0; i < n; i++) {
        inner<<<all, dim3(16, 16)>>>(p, q, w, h);
        left_side<<<side, 256>>>(p, w, h);
        rows<<<side, 256>>>(q, p, w, h);
    }
}

void constants(double *p, int n) {
    dim3 grid(4096 / 16, 16);
    for (int i = 0; i < n; i++) {
        fixed<<<grid, 256>>>(p);
        a_sixteenth<<<256, 256>>>(p);
        corners<<<1, 64>>>(p);
    }
}
