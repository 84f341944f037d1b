// Asynchronous copies that a barrier object waits for.
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
#define N 128
#define MADE(bar, count)                     \
    __shared__ barrier bar;                  \
    if (threadIdx.x == 0) init(&bar, count); \
    __syncthreads();

// free: absent
__global__ void bound_to_a_barrier(int *out, const int *in) {
    __shared__ int s[N];
    MADE(bar, N);
    auto block = cg::this_thread_block();
    cuda::memcpy_async(block, s, in, sizeof s, bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// free by hand: absent
__global__ void bound_by_each_thread(int *out, const int *in, int n) {
    __shared__ int s[N];
    MADE(bar, N);
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        cuda::memcpy_async(s + t, in + k * N + t, cuda::aligned_size_t<4>(4), bar);
        auto token = bar.arrive();
        x *= 3;
        bar.wait(std::move(token));
        x += s[N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

// racy: certain
__global__ void bound_too_late(int *out, const int *in) {
    __shared__ int s[N];
    MADE(bar, N);
    int t = threadIdx.x;
    auto token = bar.arrive();
    cuda::memcpy_async(s + t, in + t, cuda::aligned_size_t<4>(4), bar);
    bar.wait(std::move(token));
    out[t] = s[N - 1 - t];
    bar.arrive_and_wait();
}

// racy by hand: undecided, another object waits for the copy
__global__ void bound_to_another(int *out, const int *in) {
    __shared__ int s[N];
    MADE(bar, N);
    MADE(other, N);
    int t = threadIdx.x;
    cuda::memcpy_async(s + t, in + t, cuda::aligned_size_t<4>(4), other);
    bar.arrive_and_wait();
    out[t] = s[N - 1 - t];
    other.arrive_and_wait();
}

// racy by hand: undecided, a barrier of the block does not wait for the copy
__global__ void bound_and_not_awaited(int *out, const int *in) {
    __shared__ int s[N];
    MADE(bar, N);
    int t = threadIdx.x;
    cuda::memcpy_async(s + t, in + t, cuda::aligned_size_t<4>(4), bar);
    __syncthreads();
    out[t] = s[N - 1 - t];
    bar.arrive_and_wait();
}

// racy with n=3: certain
__global__ void bound_for_the_next_round(int *out, const int *in, int n) {
    __shared__ int s[N];
    MADE(bar, N);
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        bar.arrive_and_wait();
        x += s[N - 1 - t];
        cuda::memcpy_async(s + t, in + k * N + t, cuda::aligned_size_t<4>(4), bar);
        __syncthreads();
    }
    out[t] = x;
}

// free by hand: absent
__global__ void bound_for_the_next_round_of_two(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    MADE(bar, N);
    int t = threadIdx.x, x = 0;
    cuda::memcpy_async(s[0] + t, in + t, cuda::aligned_size_t<4>(4), bar);
    for (int k = 0; k < n; k++) {
        bar.arrive_and_wait();
        cuda::memcpy_async(s[(k + 1) & 1] + t, in + k * N + t, cuda::aligned_size_t<4>(4), bar);
        x += s[k & 1][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
    bar.arrive_and_wait();
}

// free by hand: absent
__global__ void several_bound_to_one(int *out, const int *in) {
    __shared__ int s[2][N];
    MADE(bar, N);
    int t = threadIdx.x;
    cuda::memcpy_async(s[0] + t, in + t, cuda::aligned_size_t<4>(4), bar);
    auto token = bar.arrive();
    cuda::memcpy_async(s[1] + t, in + N + t, cuda::aligned_size_t<4>(4), bar);
    bar.wait(std::move(token));
    int x = s[0][N - 1 - t];
    bar.arrive_and_wait();
    out[t] = x + s[1][N - 1 - t];
}

// racy by hand: undecided, only some of the threads that copy bind what they have copied
__global__ void bound_by_some(int *out, const int *in, int n) {
    __shared__ int s[N];
    MADE(bar, N);
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    if (n > 3) cuda::memcpy_async(s + t, in + t, cuda::aligned_size_t<4>(0), bar);
    bar.arrive_and_wait();
    out[t] = s[N - 1 - t];
}

void run(int *a, int *b, int n) {
    bound_to_a_barrier<<<1, N>>>(a, b), bound_by_each_thread<<<1, N>>>(a, b, n), bound_too_late<<<1, N>>>(a, b), bound_to_another<<<1, N>>>(a, b);
    bound_and_not_awaited<<<1, N>>>(a, b), bound_for_the_next_round<<<1, N>>>(a, b, n), bound_for_the_next_round_of_two<<<1, N>>>(a, b, n);
    bound_by_some<<<1, N>>>(a, b, n), several_bound_to_one<<<1, N>>>(a, b);
}
