// Kernels in which threads of several warps meet in shared memory, whatever memory holds.
#define N 256

__global__ void reversed(float *a) {
    __shared__ float s[N];
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

__global__ void tree(const float *in, float *out) {
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    __syncthreads();
    for (int k = N / 2; k > 0; k /= 2)
        if (t < k) s[t] += s[t + k];
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void late_barrier(const float *in, float *out) {
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    for (int k = N / 2; k > 0; k /= 2) {
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
        if (t >= d) s[t] += s[t - d];
        __syncthreads();
    }
    a[t] = s[t];
}

__global__ void scan_of_two_buffers(int *a) {
    __shared__ int s[2][N];
    int t = threadIdx.x, in = 0;
    s[0][t] = a[t];
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
    }
    c[row * n + col] = sum;
}

__global__ void two_buffers(float *c, const float *a, int rounds) {
    __shared__ float s[2][N];
    float sum = 0;
    for (int m = 0; m < rounds; m++) {
        s[m / 2 % 2][threadIdx.x] = a[m * N + threadIdx.x];
        __syncthreads();
        sum += s[m / 2 % 2][N - 1 - threadIdx.x];
    }
    c[threadIdx.x] = sum;
}

__global__ void halo(float *b, const float *a, int n) {
    __shared__ float s[N + 2];
    int t = threadIdx.x, i = blockIdx.x * N + t;
    s[t + 1] = i < n ? a[i] : 0.0f;
    if (t == 0) s[0] = i > 0 ? a[i - 1] : 0.0f;
    if (t == 0) s[N] = i + N < n ? a[i + N] : 0.0f;
    __syncthreads();
    if (i < n) b[i] = s[t] + s[t + 1] + s[t + 2];
}

__global__ void transposed(float *out, const float *in, int w) {
    __shared__ float tile[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = in[(blockIdx.y * 16 + ty) * w + blockIdx.x * 16 + tx];
    out[(blockIdx.x * 16 + ty) * w + blockIdx.y * 16 + tx] = tile[tx][ty];
}

__global__ void one_side_waits(float *a, int n) {
    __shared__ float s[N];
    s[threadIdx.x] = a[threadIdx.x];
    if (n > 7) __syncthreads();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

__global__ void breaks_before_the_barrier(float *a, int last, int n) {
    __shared__ float s[N];
    for (int k = 0; k < n; k++) {
        s[threadIdx.x] = a[k * N + threadIdx.x];
        if (k == last) break;
        __syncthreads();
    }
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

__global__ void different_values(int *a) {
    __shared__ int last;
    if (threadIdx.x % 32 == 0) last = threadIdx.x;
    __syncthreads();
    a[threadIdx.x] = last;
}

__global__ void too_early(int *a) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    atomicAdd(&count, 1);
    __syncthreads();
    a[threadIdx.x] = count;
}

__global__ void rows_of_warps(float *a) {
    __shared__ float s[8][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    s[warp][lane] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[7 - warp][lane];
}

__global__ void halves(float *a) {
    __shared__ float s[2 * N];
    float *low = s, *high = s + N / 2;
    low[threadIdx.x] = a[threadIdx.x];
    high[threadIdx.x] = a[N + threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = low[threadIdx.x];
}

__global__ void strided_fill(float *a) {
    __shared__ float s[4 * N];
    for (int i = threadIdx.x; i < 4 * N; i += N) s[i] = a[i];
    a[threadIdx.x] = s[4 * threadIdx.x];
}

__global__ void folded(float *a) {
    __shared__ float s[16][16];
    s[threadIdx.y & threadIdx.x][threadIdx.x] = a[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    a[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}

__global__ void wide(float4 *a) {
    __shared__ float s[4 * N];
    *(float4 *)(s + 4 * threadIdx.x) = a[threadIdx.x];
    s[2 * threadIdx.x] = 1.0f + threadIdx.x;
    __syncthreads();
    a[threadIdx.x].x = s[threadIdx.x];
}

__global__ void own_numbers(int *a) {
    __shared__ int last;
    last = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = last;
}

__global__ void columns_that_meet(float *a, int n) {
    __shared__ float s[8 * 260];
    int column = threadIdx.x / 2 + threadIdx.x % 2 * 130;
    for (int row = 0; row < n && row < 8; row++) s[column + row * 257] = a[row];
    __syncthreads();
    a[threadIdx.x] = s[column];
}

__global__ void rows_that_meet(float *a, int n) {
    __shared__ float s[8 * N + 8];
    for (int row = 0; row < n && row < 8; row++) s[7 * threadIdx.x + row] = a[row] + threadIdx.x;
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x];
}

__global__ void grid_stride_to_the_next(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = a[i + 1] + 1;
}

__global__ void stride_of_a_smaller_grid(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (gridDim.x - 1) * blockDim.x) a[i] += 1 + threadIdx.x + blockIdx.x;
}

void run(float *a, float *b, int *i, float4 *q, int n) {
    reversed<<<1, N>>>(a), tree<<<n, N>>>(a, b), late_barrier<<<n, N>>>(a, b), scan<<<1, N>>>(i);
    scan_of_two_buffers<<<1, N>>>(i), product<<<dim3(n, n), dim3(16, 16)>>>(a, b, b, n), two_buffers<<<1, N>>>(a, b, n);
    halo<<<n, N>>>(a, b, n), transposed<<<dim3(n, n), dim3(16, 16)>>>(a, b, n), one_side_waits<<<1, N>>>(a, n);
    breaks_before_the_barrier<<<1, N>>>(a, n, n), different_values<<<1, N>>>(i), too_early<<<1, N>>>(i), rows_of_warps<<<1, N>>>(a);
    halves<<<1, N>>>(a), own_numbers<<<1, N>>>(i), strided_fill<<<1, N>>>(a), folded<<<1, dim3(16, 16)>>>(a), wide<<<1, N>>>(q);
    columns_that_meet<<<1, N>>>(a, n), rows_that_meet<<<1, N>>>(a, n), grid_stride_to_the_next<<<n, N>>>(a, n);
    stride_of_a_smaller_grid<<<n + 1, N>>>(a, n);
}
