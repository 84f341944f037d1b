// Stencils: neighbours are read.
#define N 64
#define R 3

// free: absent
__global__ void radius(int *out, const int *in, int n) {
    __shared__ int s[N + 2 * R];
    int t = threadIdx.x, i = blockIdx.x * N + t;
    s[t + R] = in[i];
    if (t < R) {
        s[t] = i >= R ? in[i - R] : 0;
        s[t + R + N] = i + N < n ? in[i + N] : 0;
    }
    __syncthreads();
    int x = 0;
    for (int k = -R; k <= R; k++) x += s[t + R + k];
    out[i] = x;
}

// free: absent
__global__ void plane(int *out, const int *in) {
    __shared__ int s[10][10];
    int x = threadIdx.x, y = threadIdx.y;
    for (int j = y; j < 10; j += 8)
        for (int i = x; i < 10; i += 8) s[j][i] = in[j * 10 + i];
    __syncthreads();
    out[y * 8 + x] = s[y][x + 1] + s[y + 2][x + 1] + s[y + 1][x] + s[y + 1][x + 2];
}

// free: absent
__global__ void rounds_in_shared(int *a, int n) {
    __shared__ int s[N + 2];
    int t = threadIdx.x + 1;
    s[t] = a[t];
    if (t == 1) s[0] = s[N + 1] = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int x = s[t - 1] + s[t + 1];
        __syncthreads();
        s[t] = x;
        __syncthreads();
    }
    a[t] = s[t];
}

// free: absent
__global__ void from_another_array(int *out, const int *in, int n) {
    int i = blockIdx.x * N + threadIdx.x;
    if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i + 1];
}

// racy with n=256: certain
__global__ void in_place(int *a, int n) {
    int i = blockIdx.x * N + threadIdx.x;
    if (i > 0 && i < n - 1) a[i] = a[i - 1] + a[i + 1];
}

// racy: certain
__global__ void edges_not_awaited(int *out, const int *in) {
    __shared__ int s[N + 2];
    int t = threadIdx.x, i = blockIdx.x * N + t + 1;
    s[t + 1] = in[i];
    __syncthreads();
    if (t == 0) s[0] = in[i - 1];
    if (t == N - 1) s[N + 1] = in[i + 1];
    if (t > 30 && t < N) out[i] = s[t] + s[t + 2] + s[0];
}

// racy with n=3: certain
__global__ void one_barrier_a_round(int *a, int n) {
    __shared__ int s[N + 2];
    int t = threadIdx.x + 1;
    s[t] = a[t];
    if (t == 1) s[0] = s[N + 1] = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        int x = s[t - 1] + s[t + 1];
        s[t] = x;
        __syncthreads();
    }
    a[t] = s[t];
}

// racy: lock step
__global__ void halo_over_the_inner_part(int *out, const int *in) {
    __shared__ int s[N + 2 * R];
    int t = threadIdx.x;
    s[t + R] = in[t + R];
    if (t < 2 * R) s[t] = in[t] + 1;
    __syncthreads();
    out[t] = s[t] + s[t + 2 * R];
}

void run(int *a, int *b, int n) {
    radius<<<4, N>>>(a, b, n), plane<<<1, dim3(8, 8)>>>(a, b), rounds_in_shared<<<1, N>>>(a, n), from_another_array<<<4, N>>>(a, b, n);
    in_place<<<4, N>>>(a, n), edges_not_awaited<<<4, N>>>(a, b), one_barrier_a_round<<<1, N>>>(a, n), halo_over_the_inner_part<<<1, N>>>(a, b);
}
