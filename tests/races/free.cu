// Kernels whose threads never meet in shared memory without a barrier between, or only where their order does not matter.
#define N 256

__global__ void own_cells(float *a) {
    __shared__ float s[N];
    s[threadIdx.x] = a[threadIdx.x];
    s[threadIdx.x] *= 2.0f;
    a[threadIdx.x] = s[threadIdx.x];
}

__global__ void reversed(float *a) {
    __shared__ float s[N];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

__global__ void tree(const float *in, float *out) {
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    for (int k = N / 2; k > 0; k /= 2) {
        __syncthreads();
        if (t < k) s[t] += s[t + k];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void interleaved_tree(const float *in, float *out) {
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    __syncthreads();
    for (int k = 1; k < N; k *= 2) {
        if (t % (2 * k) == 0) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void grid_stride_tree(const float *in, float *out, int n) {
    __shared__ float s[N];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * N + t; i < n; i += gridDim.x * N) sum += in[i];
    s[t] = sum;
    __syncthreads();
    for (int k = N / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void scan(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        int add = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += add;
        __syncthreads();
    }
    a[t] = s[t];
}

__global__ void scan_of_two_buffers(int *a) {
    __shared__ int s[2][N];
    int t = threadIdx.x, in = 0;
    s[0][t] = a[t];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        s[1 - in][t] = s[in][t] + (t >= d ? s[in][t - d] : 0);
        in = 1 - in;
        __syncthreads();
    }
    a[t] = s[in][t];
}

__global__ void product(float *c, const float *a, const float *b, int n) {
    __shared__ float x[16][16], y[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int m = 0; m < n / 16; m++) {
        x[ty][tx] = a[row * n + m * 16 + tx];
        y[ty][tx] = b[(m * 16 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += x[ty][k] * y[k][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void two_buffers(float *c, const float *a, int rounds) {
    __shared__ float s[2][N];
    float sum = 0;
    for (int m = 0; m < rounds; m++) {
        s[m % 2][threadIdx.x] = a[m * N + threadIdx.x];
        __syncthreads();
        sum += s[m % 2][N - 1 - threadIdx.x];
    }
    c[threadIdx.x] = sum;
}

__global__ void halo(float *b, const float *a, int n) {
    __shared__ float s[N + 2];
    int t = threadIdx.x, i = blockIdx.x * N + t;
    if (i < n) s[t + 1] = a[i];
    if (t == 0 && i > 0) s[0] = a[i - 1];
    if (t == N - 1 && i + 1 < n) s[N + 1] = a[i + 1];
    __syncthreads();
    if (i > 0 && i + 1 < n) b[i] = s[t] + s[t + 1] + s[t + 2];
}

__global__ void transposed(float *out, const float *in, int w) {
    __shared__ float tile[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = in[(blockIdx.y * 16 + ty) * w + blockIdx.x * 16 + tx];
    __syncthreads();
    out[(blockIdx.x * 16 + ty) * w + blockIdx.y * 16 + tx] = tile[tx][ty];
}

__global__ void uniform_choice(float *a, int n) {
    __shared__ float s[N];
    s[threadIdx.x] = a[threadIdx.x];
    if (n > 7) {
        __syncthreads();
        a[threadIdx.x] = s[N - 1 - threadIdx.x];
    } else {
        a[threadIdx.x] = s[threadIdx.x];
    }
}

__global__ void uniform_break(float *a, const int *stop, int n) {
    __shared__ float s[N];
    for (int k = 0; k < n; k++) {
        s[threadIdx.x] = a[k * N + threadIdx.x];
        if (stop[k]) break;
        __syncthreads();
        a[k * N + threadIdx.x] = s[N - 1 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void early_return(float *a, int n) {
    __shared__ float s[N];
    int i = blockIdx.x * N + threadIdx.x;
    if (i >= n) return;
    s[threadIdx.x] = a[i];
    __syncthreads();
    a[i] = s[threadIdx.x ^ 1];
}

__global__ void one_value(int *a, const int *in) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (in[threadIdx.x] > 0) found = 1;
    __syncthreads();
    a[threadIdx.x] = found;
}

__global__ void counted(int *bins, const int *in, int n) {
    __shared__ int local[N];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += N) atomicAdd(&local[in[i] & 255], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void rows_of_warps(float *a) {
    __shared__ float s[8][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    s[warp][lane] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[warp][31 - lane];
}

__global__ void halves(float *a) {
    __shared__ float s[2 * N];
    float *low = s, *high = s + N;
    low[threadIdx.x] = a[threadIdx.x];
    high[N - 1 - threadIdx.x] = a[N + threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = low[N - 1 - threadIdx.x] + high[threadIdx.x];
}

__global__ void strided_fill(float *a, int n) {
    __shared__ float s[4 * N];
    for (int i = threadIdx.x; i < 4 * N; i += N) s[i] = a[i];
    __syncthreads();
    a[threadIdx.x] = s[4 * threadIdx.x];
}

__global__ void swizzled(float *a) {
    __shared__ float s[16][16];
    s[threadIdx.y][threadIdx.x ^ threadIdx.y] = a[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    a[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y ^ threadIdx.x];
}

__global__ void columns_apart(float *a, int n) {
    __shared__ float s[8 * 260];
    int column = threadIdx.x / 2 + threadIdx.x % 2 * 130;
    for (int row = 0; row < n && row < 8; row++) s[column + row * 260] = a[row];
    __syncthreads();
    a[threadIdx.x] = s[column];
}

__global__ void short_rows(float *a, int n) {
    __shared__ float s[8 * N];
    for (int row = 0; row < n && row < 8; row++) s[8 * threadIdx.x + row] = a[row];
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x];
}

__global__ void grid_stride(float *a, const float *b, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = b[i] + a[i];
}

__global__ void grid_stride_rows(float *a, int w, int h) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x) a[y * w + x] *= 2;
}

__global__ void narrower_than_its_pitch(float *a, int w, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < w && w <= pitch) a[blockIdx.y * pitch + x] = 1;
}

void run(float *a, float *b, int *i, const int *j, int n) {
    own_cells<<<1, N>>>(a), reversed<<<1, N>>>(a), tree<<<n, N>>>(a, b), interleaved_tree<<<n, N>>>(a, b);
    grid_stride_tree<<<n, N>>>(a, b, n), scan<<<1, N>>>(i), scan_of_two_buffers<<<1, N>>>(i);
    product<<<dim3(n, n), dim3(16, 16)>>>(a, b, b, n), two_buffers<<<1, N>>>(a, b, n), halo<<<n, N>>>(a, b, n);
    transposed<<<dim3(n, n), dim3(16, 16)>>>(a, b, n), uniform_choice<<<1, N>>>(a, n), uniform_break<<<1, N>>>(a, j, n);
    early_return<<<n, N>>>(a, n), one_value<<<1, N>>>(i, j), counted<<<1, N>>>(i, j, n), rows_of_warps<<<1, N>>>(a);
    halves<<<1, N>>>(a), strided_fill<<<1, N>>>(a, n), swizzled<<<1, dim3(16, 16)>>>(a);
    columns_apart<<<1, N>>>(a, n), short_rows<<<1, N>>>(a, n), grid_stride<<<n, N>>>(a, b, n);
    grid_stride_rows<<<dim3(n, n), dim3(16, 16)>>>(a, n, n), narrower_than_its_pitch<<<dim3(n, n), N>>>(a, n, n);
}
