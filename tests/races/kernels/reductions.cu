// Sums, maxima and counts of a block or of the grid.
#define N 128

// free: absent
__global__ void two_per_thread(const int *in, int *out) {
    __shared__ int s[N];
    int t = threadIdx.x, i = blockIdx.x * 2 * N + t;
    s[t] = in[i] + in[i + N];
    __syncthreads();
    for (int k = N / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// free: absent
__global__ void sums_of_warps(const int *in, int *out) {
    __shared__ int sums[N / 32];
    int t = threadIdx.x, x = in[blockIdx.x * N + t];
    for (int k = 16; k > 0; k /= 2) x += __shfl_down_sync(~0u, x, k);
    if (t % 32 == 0) sums[t / 32] = x;
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < N / 32; w++) x += sums[w];
        out[blockIdx.x] = x;
    }
}

// free: absent
__global__ void rows_of_a_block(const int *in, int *out) {
    __shared__ int s[8][16];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[y * 16 + x];
    __syncthreads();
    for (int k = 8; k > 0; k /= 2) {
        if (x < k) s[y][x] += s[y][x + k];
        __syncthreads();
    }
    if (x == 0) out[y] = s[y][0];
}

// free: absent
__global__ void counted_for_the_grid(const int *in, int *bins, int n) {
    __shared__ int mine[64];
    int t = threadIdx.x;
    if (t < 64) mine[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * N + t; i < n; i += N * gridDim.x) atomicAdd(&mine[in[i] & 63], 1);
    __syncthreads();
    if (t < 64) atomicAdd(&bins[t], mine[t]);
}

// free: absent
__global__ void normalised(int *a, int n) {
    __shared__ int total;
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (t == 0) total = 0;
        __syncthreads();
        atomicAdd(&total, a[k * N + t]);
        __syncthreads();
        a[k * N + t] -= total;
        __syncthreads();
    }
}

// racy: certain
__global__ void first_round_too_early(const int *in, int *out) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    for (int k = N / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// racy: certain
__global__ void sums_read_too_early(const int *in, int *out) {
    __shared__ int sums[N / 32];
    int t = threadIdx.x, x = in[blockIdx.x * N + t];
    for (int k = 16; k > 0; k /= 2) x += __shfl_down_sync(~0u, x, k);
    if (t % 32 == 0) sums[t / 32] = x;
    if (t < N / 32) out[blockIdx.x * (N / 32) + t] = sums[t];
}

// racy: certain
__global__ void told_too_early(const int *in, int *out) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int k = N / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        if (k > 1) __syncthreads();
    }
    out[t] = s[0];
}

// racy with n=3: certain
__global__ void total_reset_too_early(int *a, int n) {
    __shared__ int total;
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (t == 0) total = 0;
        __syncthreads();
        atomicAdd(&total, a[k * N + t]);
        __syncthreads();
        a[k * N + t] -= total;
    }
}

// racy: certain
__global__ void sum_without_atomic(const int *in, int *out) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    __syncthreads();
    for (int k = N / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[0] += s[0];
}

void run(int *a, int *b, int n) {
    two_per_thread<<<4, N>>>(a, b), sums_of_warps<<<4, N>>>(a, b), rows_of_a_block<<<1, dim3(16, 8)>>>(a, b);
    counted_for_the_grid<<<4, N>>>(a, b, n), normalised<<<1, N>>>(a, n), first_round_too_early<<<4, N>>>(a, b);
    sums_read_too_early<<<4, N>>>(a, b), told_too_early<<<1, N>>>(a, b), total_reset_too_early<<<1, N>>>(a, n), sum_without_atomic<<<4, N>>>(a, b);
}
