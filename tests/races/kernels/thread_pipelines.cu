// Pipelines of each thread: stages are waited for in the order in which they were committed.
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
#define N 64

// free by hand: absent
__global__ void waits_for_the_oldest_stage(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    auto pipe = cuda::make_pipeline();
    auto block = cg::this_thread_block();
    int t = threadIdx.x, x = 0;
    pipe.producer_acquire();
    cuda::memcpy_async(block, s[0], in, sizeof(int) * N, pipe);
    pipe.producer_commit();
    for (int k = 0; k < n; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, s[(k + 1) & 1], in + (k + 1) * N, sizeof(int) * N, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        x += s[k & 1][N - 1 - t];
        pipe.consumer_release();
        __syncthreads();
    }
    out[t] = x;
}

// free by hand: absent
__global__ void one_stage(int *out, const int *in, int n) {
    __shared__ int s[N];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < n; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(s + t, in + k * N + t, sizeof(int), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        x += s[N - 1 - t];
        pipe.consumer_release();
        __syncthreads();
    }
    out[t] = x;
}

// racy by hand: undecided, of two stages only the older one is waited for
__global__ void waits_once_for_two_stages(int *out, const int *in) {
    __shared__ int s[2][N];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    cuda::memcpy_async(s[0] + t, in + t, sizeof(int), pipe);
    pipe.producer_commit();
    cuda::memcpy_async(s[1] + t, in + N + t, sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    out[t] = s[1][N - 1 - t];
}

// free by hand: absent
__global__ void waits_twice_for_two_stages(int *out, const int *in) {
    __shared__ int s[2][N];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    cuda::memcpy_async(s[0] + t, in + t, sizeof(int), pipe);
    pipe.producer_commit();
    cuda::memcpy_async(s[1] + t, in + N + t, sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    pipe.consumer_wait();
    __syncthreads();
    out[t] = s[1][N - 1 - t];
}

// racy by hand: undecided, a wait without a stage waits for nothing, and what comes behind is not waited for
__global__ void waits_for_no_stage(int *out, const int *in) {
    __shared__ int s[N];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    cuda::memcpy_async(s + t, in + t, sizeof(int), pipe);
    pipe.consumer_wait();
    __syncthreads();
    out[t] = s[N - 1 - t];
}

// racy by hand: undecided, how many stages are ahead is not known
__global__ void commits_if_told(int *out, const int *in, int n) {
    __shared__ int s[N];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    cuda::memcpy_async(s + t, in + t, sizeof(int), pipe);
    pipe.producer_commit();
    if (n > 3) pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    out[t] = s[N - 1 - t];
}

// racy by hand: undecided, a wait for no stage does not count
__global__ void waits_too_early(int *out, const int *in) {
    __shared__ int s[2][N];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    pipe.consumer_wait();
    for (int k = 0; k < 2; k++) {
        cuda::memcpy_async(s[k] + t, in + k * N + t, sizeof(int), pipe);
        pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    out[t] = s[1][N - 1 - t];
}

// racy by hand: undecided, as before, as often as told
__global__ void waits_too_often(int *out, const int *in, int n) {
    __shared__ int s[N];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    for (int k = 0; k < n; k++) pipe.consumer_wait();
    cuda::memcpy_async(s + t, in + t, sizeof(int), pipe);
    for (int k = 0; k < n + 1; k++) pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    out[t] = s[N - 1 - t];
}

// racy by hand: undecided, one stage is still under way
__global__ void waits_too_late(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, x = 0;
    cuda::memcpy_async(s[0] + t, in + t, sizeof(int), pipe);
    pipe.producer_commit();
    for (int k = 0; k < n; k++) {
        cuda::memcpy_async(s[(k + 1) & 1] + t, in + (k + 1) * N + t, sizeof(int), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        x += s[(k + 1) & 1][N - 1 - t];
        __syncthreads();
    }
    out[t] = x;
}

void run(int *a, int *b, int n) {
    waits_for_the_oldest_stage<<<1, N>>>(a, b, n), one_stage<<<1, N>>>(a, b, n), waits_once_for_two_stages<<<1, N>>>(a, b);
    waits_twice_for_two_stages<<<1, N>>>(a, b), waits_for_no_stage<<<1, N>>>(a, b), commits_if_told<<<1, N>>>(a, b, n);
    waits_too_early<<<1, N>>>(a, b), waits_too_often<<<1, N>>>(a, b, n), waits_too_late<<<1, N>>>(a, b, n);
}
