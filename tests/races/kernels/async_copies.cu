// Copies that the kernel does not wait for at once.
#include <cuda_pipeline.h>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
#define N 64

// free by hand: absent
__global__ void awaited_by_all(int *out, const int *in) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[N - 1 - t];
}

// free by hand: absent
__global__ void own_piece(int *out, const int *in) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[t];
}

// free by hand: absent
__global__ void copied_by_the_group(int *out, const int *in) {
    __shared__ int s[N];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof s);
    cg::wait(block);
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// free: absent
__global__ void arrives_and_waits(int *out, const int *in) {
    __shared__ int s[N];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, N);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    bar.arrive_and_wait();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// free by hand: absent
__global__ void awaited_in_each_round(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        __pipeline_memcpy_async(&s[k & 1][t], &in[k * N + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        x += s[k & 1][N - 1 - t];
    }
    out[t] = x;
}

// free by hand: absent
__global__ void two_stages(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    int t = threadIdx.x, x = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (int k = 0; k < n; k++) {
        __pipeline_memcpy_async(&s[(k + 1) & 1][t], &in[(k + 1) * N + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        x += s[k & 1][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

// free by hand: absent
__global__ void three_stages(int *out, const int *in, int n) {
    __shared__ int s[3][N];
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < 2; k++) {
        __pipeline_memcpy_async(&s[k][t], &in[k * N + t], 4);
        __pipeline_commit();
    }
    for (int k = 0; k < n; k++) {
        if (k + 2 < n) __pipeline_memcpy_async(&s[(k + 2) % 3][t], &in[(k + 2) * N + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        x += s[k % 3][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

// racy by hand: undecided, a copy may still be under way
__global__ void three_stages_and_one_wait_too_few(int *out, const int *in, int n) {
    __shared__ int s[4][N];
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < 2; k++) {
        __pipeline_memcpy_async(&s[k][t], &in[k * N + t], 4);
        __pipeline_commit();
    }
    for (int k = 0; k < n; k++) {
        if (k + 2 < n) __pipeline_memcpy_async(&s[(k + 2) % 4][t], &in[(k + 2) * N + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(3);
        __syncthreads();
        x += s[k % 4][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

// racy by hand: undecided, a copy may still be under way
__global__ void not_committed(int *out, const int *in) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[N - 1 - t];
}

// racy by hand: undecided, a copy may still be under way
__global__ void first_copy_needed_later(int *out, const int *in, int n) {
    __shared__ int s[4][N];
    int t = threadIdx.x, x = 0;
    __pipeline_memcpy_async(&s[2][t], &in[t], 4);
    for (int k = 0; k < n; k++) {
        __syncthreads();
        x += s[k % 4][N - 1 - t];
    }
    out[t] = x;
}

// racy by hand: undecided, a copy may still be under way
__global__ void half_of_the_threads_wait(int *out, const int *in) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    if (t < N / 2) __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[N - 1 - t];
}

// racy by hand: undecided, a copy may still be under way
__global__ void waits_if_told(int *out, const int *in, int n) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    if (n > 3) __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[N - 1 - t];
}

// racy by hand: undecided, a copy may still be under way
__global__ void waits_in_each_round_of_none(int *out, const int *in, int n) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    for (int k = 0; k < n; k++) __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = s[N - 1 - t];
}

// racy by hand: certain
__global__ void not_awaited_by_others(int *out, const int *in) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[N - 1 - t];
}

// racy by hand: undecided
__global__ void not_awaited_at_all(int *out, const int *in) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __syncthreads();
    out[t] = s[N - 1 - t];
    __pipeline_wait_prior(0);
}

// racy by hand: undecided, a copy may still be under way
__global__ void read_two_rounds_later(int *out, const int *in, int n) {
    __shared__ int s[3][N];
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        __pipeline_memcpy_async(&s[k % 3][t], &in[k * N + t], 4);
        __pipeline_commit();
        __syncthreads();
        x += s[(k + 1) % 3][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

// racy by hand: lock step
__global__ void not_awaited_in_a_warp(int *out, const int *in) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __syncwarp();
    out[t] = s[t ^ 1];
    __pipeline_wait_prior(0);
}

// racy by hand: lock step
__global__ void awaited_by_each_lane(int *out, const int *in) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __syncwarp();
    __pipeline_wait_prior(0);
    out[t] = s[t ^ 1];
}

// free by hand: absent
__global__ void awaited_by_a_warp(int *out, const int *in) {
    __shared__ int s[N];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    out[t] = s[t ^ 1];
}

// racy with n=3: certain
__global__ void copied_over(int *out, const int *in, int n) {
    __shared__ int s[N];
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        __pipeline_memcpy_async(&s[t], &in[k * N + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        x += s[N - 1 - t];
    }
    out[t] = x;
}

// racy: certain
__global__ void arrives_too_early(int *out, const int *in) {
    __shared__ int s[N];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, N);
    __syncthreads();
    auto token = bar.arrive();
    s[threadIdx.x] = in[threadIdx.x];
    bar.wait(std::move(token));
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}

void run(int *a, int *b, int n) {
    awaited_by_all<<<1, N>>>(a, b), own_piece<<<1, N>>>(a, b), copied_by_the_group<<<1, N>>>(a, b), arrives_and_waits<<<1, N>>>(a, b);
    not_awaited_by_others<<<1, N>>>(a, b), not_awaited_at_all<<<1, N>>>(a, b), awaited_in_each_round<<<1, N>>>(a, b, n),
    read_two_rounds_later<<<1, N>>>(a, b, n), three_stages<<<1, N>>>(a, b, n),
    three_stages_and_one_wait_too_few<<<1, N>>>(a, b, n), not_committed<<<1, N>>>(a, b), first_copy_needed_later<<<1, N>>>(a, b, n), not_awaited_in_a_warp<<<1, N>>>(a, b), awaited_by_each_lane<<<1, N>>>(a, b), awaited_by_a_warp<<<1, N>>>(a, b);
    two_stages<<<1, N>>>(a, b, n), half_of_the_threads_wait<<<1, N>>>(a, b), waits_if_told<<<1, N>>>(a, b, n), waits_in_each_round_of_none<<<1, N>>>(a, b, n), copied_over<<<1, N>>>(a, b, n), arrives_too_early<<<1, N>>>(a, b);
}
