// Prefix sums.
#define N 128

// free: absent
__global__ void up_and_down(int *a) {
    __shared__ int s[2 * N];
    int t = threadIdx.x, d = 1;
    s[2 * t] = a[2 * t];
    s[2 * t + 1] = a[2 * t + 1];
    for (int k = N; k > 0; k >>= 1) {
        __syncthreads();
        if (t < k) s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1];
        d *= 2;
    }
    if (t == 0) s[2 * N - 1] = 0;
    for (int k = 1; k < 2 * N; k *= 2) {
        d >>= 1;
        __syncthreads();
        if (t < k) {
            int low = d * (2 * t + 1) - 1, high = d * (2 * t + 2) - 1, x = s[low];
            s[low] = s[high];
            s[high] += x;
        }
    }
    __syncthreads();
    a[2 * t] = s[2 * t];
    a[2 * t + 1] = s[2 * t + 1];
}

// free: absent
__global__ void offsets_of_warps(int *a) {
    __shared__ int sums[N / 32];
    int t = threadIdx.x, lane = t & 31, x = a[t];
    for (int k = 1; k < 32; k *= 2) {
        int y = __shfl_up_sync(~0u, x, k);
        if (lane >= k) x += y;
    }
    if (lane == 31) sums[t >> 5] = x;
    __syncthreads();
    for (int w = 0; w < t >> 5; w++) x += sums[w];
    a[t] = x;
}

// free: absent
__global__ void columns(int *a, int n) {
    int x = 0;
    for (int k = 0; k < n; k++) {
        x += a[k * N + threadIdx.x];
        a[k * N + threadIdx.x] = x;
    }
}

// free: absent
__global__ void by_registers(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x, x = a[t];
    for (int d = 1; d < N; d *= 2) {
        s[t] = x;
        __syncthreads();
        if (t >= d) x += s[t - d];
        __syncthreads();
    }
    a[t] = x;
}

// racy: certain
__global__ void down_without_barrier(int *a) {
    __shared__ int s[2 * N];
    int t = threadIdx.x, d = N;
    s[2 * t] = a[2 * t];
    s[2 * t + 1] = a[2 * t + 1];
    __syncthreads();
    for (int k = 1; k < 2 * N; k *= 2) {
        if (t < k) {
            int low = d * (2 * t + 1) - 1, high = d * (2 * t + 2) - 1, x = s[low];
            s[low] = s[high];
            s[high] += x;
        }
        d >>= 1;
    }
    __syncthreads();
    a[t] = s[t];
}

// racy: certain
__global__ void one_barrier_a_round(int *a) {
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

// racy: certain
__global__ void offsets_too_early(int *a) {
    __shared__ int sums[N / 32];
    int t = threadIdx.x, lane = t & 31, x = a[t];
    for (int k = 1; k < 32; k *= 2) {
        int y = __shfl_up_sync(~0u, x, k);
        if (lane >= k) x += y;
    }
    if (lane == 31) sums[t >> 5] = x;
    for (int w = 0; w < t >> 5; w++) x += sums[w];
    a[t] = x;
}

// racy: certain
__global__ void in_place_without_shared(int *a) {
    int i = blockIdx.x * N + threadIdx.x;
    for (int d = 1; d < N; d *= 2) {
        int x = i >= d ? a[i - d] : 0;
        __syncthreads();
        a[i] += x;
        __syncthreads();
    }
}

void run(int *a, int n) {
    up_and_down<<<1, N>>>(a), offsets_of_warps<<<1, N>>>(a), columns<<<1, N>>>(a, n), by_registers<<<1, N>>>(a);
    down_without_barrier<<<1, N>>>(a), one_barrier_a_round<<<1, N>>>(a), offsets_too_early<<<1, N>>>(a), in_place_without_shared<<<2, N>>>(a);
}
