// Stencils with halos.
#define RADIUS 3

//@ launch block=(128) grid=((n+127)/128)
__global__ void stencil_1d(const int *in, int *out, int n) {
    __shared__ int line[128 + 2 * RADIUS];
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + RADIUS;
    line[at] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        line[at - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0;
        line[at + 128] = i + 128 < n ? in[i + 128] : 0;
    }
    __syncthreads();
    if (i >= n) return;
    int sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++) sum += line[at + k];
    out[i] = sum;
}

__global__ void five_point(const float *u, float *v, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    int i = y * w + x;
    v[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w]) - u[i];
}

// A tile with a halo of one, loaded by all threads in turn.
__global__ void blur_tile(const float *in, float *out, int w, int h) {
    __shared__ float tile[18 * 18];
    int x0 = blockIdx.x * 16 - 1, y0 = blockIdx.y * 16 - 1;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
        int x = min(max(x0 + i % 18, 0), w - 1), y = min(max(y0 + i / 18, 0), h - 1);
        tile[i] = in[y * w + x];
    }
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) sum += tile[(threadIdx.y + dy) * 18 + threadIdx.x + dx];
    out[y * w + x] = sum / 9.0f;
}

// Seven points, a plane after the other with the column in registers.
__global__ void seven_point(const float *in, float *out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1) return;
    int plane = nx * ny, i = y * nx + x;
    float below = in[i], here = in[i + plane];
    for (int z = 1; z < nz - 1; z++) {
        i += plane;
        float above = in[i + plane];
        out[i] = below + above + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] - 6.0f * here;
        below = here;
        here = above;
    }
}
