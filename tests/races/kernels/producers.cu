// Some warps write what others read.
#define N 128

// free: absent
__global__ void first_warp_loads(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) s[t] = in[t];
    __syncthreads();
    out[t] = s[t % 32];
}

// free: absent
__global__ void one_warp_a_round(int *out, const int *in, int n) {
    __shared__ int s[32];
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        if (t < 32) s[t] = in[k * 32 + t];
        __syncthreads();
        if (t >= 32) x += s[t % 32];
        __syncthreads();
    }
    out[t] = x;
}

// free: data, what a counter gives is not known to differ
__global__ void queue_of_a_block(int *out, const int *in) {
    __shared__ int queue[N], length;
    int t = threadIdx.x;
    if (t == 0) length = 0;
    __syncthreads();
    if (in[t] > 0) queue[atomicAdd(&length, 1)] = t;
    __syncthreads();
    if (t < length) out[t] = queue[t];
}

// free: absent
__global__ void two_queues(int *out, const int *in) {
    __shared__ int low[N], high[N];
    int t = threadIdx.x;
    if (t < 64) low[t] = in[t];
    else high[t] = in[t];
    __syncthreads();
    out[t] = t < 64 ? high[t + 64] : low[t - 64];
}

// racy: certain
__global__ void not_awaited(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) s[t] = in[t];
    __syncwarp();
    out[t] = s[t % 32];
}

// racy with n=3: certain
__global__ void overtaken(int *out, const int *in, int n) {
    __shared__ int s[32];
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        if (t < 32) s[t] = in[k * 32 + t];
        __syncthreads();
        if (t >= 32) x += s[t % 32];
    }
    out[t] = x;
}

// racy: certain
__global__ void length_read_too_early(int *out, const int *in) {
    __shared__ int length;
    int t = threadIdx.x;
    if (t == 0) length = 0;
    __syncthreads();
    atomicAdd(&length, in[t]);
    out[t] = length;
}

// racy with n=3: certain
__global__ void rounds_of_their_own(int *out, const int *in, int n) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    for (int k = 0; k < n; k++) s[(t + 32 * k) % N] += in[k * N + t];
    __syncthreads();
    out[t] = s[t];
}

// racy: certain
__global__ void one_side_writes(int *out, int n) {
    __shared__ int last;
    int t = threadIdx.x;
    if (t < n) last = 5;
    else out[t] = last;
}

// racy: certain
__global__ void both_fill(int *out, const int *in) {
    __shared__ int s[96];
    int t = threadIdx.x;
    if (t < 64) s[t] = in[t];
    else s[t - 32] = in[t];
    __syncthreads();
    out[t] = s[t % 96];
}

void run(int *a, int *b, int n) {
    first_warp_loads<<<1, N>>>(a, b), one_warp_a_round<<<1, N>>>(a, b, n), queue_of_a_block<<<1, N>>>(a, b), two_queues<<<1, N>>>(a, b);
    rounds_of_their_own<<<1, N>>>(a, b, n), one_side_writes<<<1, N>>>(a, n), not_awaited<<<1, N>>>(a, b), overtaken<<<1, N>>>(a, b, n), length_read_too_early<<<1, N>>>(a, b), both_fill<<<1, N>>>(a, b);
}
