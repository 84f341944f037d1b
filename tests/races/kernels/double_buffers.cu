// One buffer is filled while the other one is read.
#define N 64

// free: absent
__global__ void by_parity(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, x = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int k = 1; k <= n; k++) {
        s[k & 1][t] = in[k * N + t];
        x += s[(k - 1) & 1][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

// free: absent
__global__ void by_pointers(int *out, const int *in, int n) {
    __shared__ int one[N], two[N];
    int *now = one, *next = two, t = threadIdx.x, x = 0;
    now[t] = in[t];
    __syncthreads();
    for (int k = 1; k <= n; k++) {
        next[t] = in[k * N + t];
        x += now[t ^ 33];
        __syncthreads();
        int *was = now;
        now = next;
        next = was;
    }
    out[t] = x;
}

// free: absent
__global__ void under_a_guard(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, x = 0, now = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (k + 1 < n) s[now ^ 1][t] = in[(k + 1) * N + t];
        x += s[now][N - 1 - t];
        __syncthreads();
        now ^= 1;
    }
    out[t] = x;
}

// free: absent
__global__ void three_stages(int *out, const int *in, int n) {
    __shared__ int s[3][N];
    int t = threadIdx.x, x = 0;
    s[0][t] = in[t];
    s[1][t] = in[N + t];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        s[(k + 2) % 3][t] = in[(k + 2) * N + t];
        x += s[k % 3][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

// free: absent
__global__ void scan_to_a_size(int *a, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, now = 0;
    s[0][t] = a[t];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        s[1 - now][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    a[t] = s[now][t];
}

// racy with n=3: certain
__global__ void wrong_side_under_a_guard(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, x = 0, now = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (k + 1 < n) s[now ^ 1][t] = in[(k + 1) * N + t];
        x += s[now ^ 1][N - 1 - t];
        __syncthreads();
        now ^= 1;
    }
    out[t] = x;
}

// racy with n=64: certain
__global__ void scan_without_a_swap(int *a, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, now = 0;
    s[0][t] = s[1][t] = a[t];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        s[1 - now][t] = s[now][t] + (t >= d ? s[1 - now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    a[t] = s[now][t];
}

// racy with n=3: undecided, each thread swaps its pointers in rounds of its own
__global__ void swapped_by_all_but_some(int *out, const int *in, int n) {
    __shared__ int one[N], two[N];
    int *now = one, *next = two, t = threadIdx.x, x = 0;
    now[t] = in[t];
    __syncthreads();
    for (int k = 1; k <= n; k++) {
        next[t] = in[k * N + t];
        x += now[t ^ 33];
        int *was = now;
        now = next;
        next = was;
    }
    __syncthreads();
    out[t] = x;
}

// racy with n=3: certain
__global__ void reads_what_comes_next(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        s[k & 1][t] = in[k * N + t];
        __syncthreads();
        x += s[(k + 1) & 1][N - 1 - t];
    }
    out[t] = x;
}

// racy with n=3: certain
__global__ void reads_the_other_side(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, x = 0, now = 0;
    for (int k = 0; k < n; k++) {
        s[now][t] = in[k * N + t];
        __syncthreads();
        x += s[1 - now][N - 1 - t];
        now = 1 - now;
    }
    out[t] = x;
}

// racy with n=32: certain
__global__ void reads_the_next_power(int *out, const int *in, int n) {
    __shared__ int s[4 * N];
    int t = threadIdx.x, x = 0;
    for (int d = 1; d < n; d *= 2) {
        if (t == 0) s[d] = in[d];
        __syncthreads();
        x += s[2 * d];
    }
    out[t] = x;
}

// racy with n=3: certain
__global__ void one_buffer(int *out, const int *in, int n) {
    __shared__ int s[N];
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        s[t] = in[k * N + t];
        __syncthreads();
        x += s[N - 1 - t];
    }
    out[t] = x;
}

// racy with n=3: certain
__global__ void same_parity(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, x = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int k = 1; k <= n; k++) {
        s[k & 1][t] = in[k * N + t];
        x += s[k & 1][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

// racy with n=4: certain
__global__ void two_stages_for_three(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, x = 0;
    s[0][t] = in[t];
    s[1][t] = in[N + t];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        s[(k + 2) % 2][t] = in[(k + 2) * N + t];
        x += s[k % 2][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

// racy with n=3: undecided, pointers that are assigned in rounds are not known
__global__ void not_swapped(int *out, const int *in, int n) {
    __shared__ int one[N], two[N];
    int *now = one, *next = two, t = threadIdx.x, x = 0;
    now[t] = in[t];
    __syncthreads();
    for (int k = 1; k <= n; k++) {
        next[t] = in[k * N + t];
        x += now[t ^ 33];
        __syncthreads();
        now = next;
    }
    out[t] = x;
}

void run(int *a, int *b, int n) {
    by_parity<<<1, N>>>(a, b, n), by_pointers<<<1, N>>>(a, b, n), under_a_guard<<<1, N>>>(a, b, n), three_stages<<<1, N>>>(a, b, n);
    scan_to_a_size<<<1, N>>>(a, n), wrong_side_under_a_guard<<<1, N>>>(a, b, n), scan_without_a_swap<<<1, N>>>(a, n), swapped_by_all_but_some<<<1, N>>>(a, b, n);
    reads_what_comes_next<<<1, N>>>(a, b, n), reads_the_other_side<<<1, N>>>(a, b, n), reads_the_next_power<<<1, N>>>(a, b, n);
    one_buffer<<<1, N>>>(a, b, n), same_parity<<<1, N>>>(a, b, n), two_stages_for_three<<<1, N>>>(a, b, n), not_swapped<<<1, N>>>(a, b, n);
}
