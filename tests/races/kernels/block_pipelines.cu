// Pipelines of a block: its threads commit a stage, wait for it, release it and acquire it anew.
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
#define N 64
#define MADE(stages)                                                                     \
    auto block = cg::this_thread_block();                                                \
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;      \
    auto pipe = cuda::make_pipeline(block, &state);                                      \
    int t = threadIdx.x, x = 0;
#define FETCHED(to, from)                                              \
    pipe.producer_acquire();                                           \
    cuda::memcpy_async(block, to, from, sizeof(int) * N, pipe);        \
    pipe.producer_commit();

// free: absent
__global__ void one_copy(int *out, const int *in) {
    __shared__ int s[N];
    MADE(1)
    FETCHED(s, in)
    pipe.consumer_wait();
    out[t] = s[N - 1 - t] + x;
    pipe.consumer_release();
}

// free: absent
__global__ void one_stage(int *out, const int *in, int n) {
    __shared__ int s[N];
    MADE(1)
    for (int k = 0; k < n; k++) {
        FETCHED(s, in + k * N)
        pipe.consumer_wait();
        x += s[N - 1 - t];
        pipe.consumer_release();
    }
    out[t] = x;
}

// free: absent
__global__ void two_stages(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    MADE(2)
    FETCHED(s[0], in)
    for (int k = 0; k < n; k++) {
        FETCHED(s[(k + 1) & 1], in + (k + 1) * N)
        pipe.consumer_wait();
        x += s[k & 1][N - 1 - t];
        pipe.consumer_release();
    }
    out[t] = x;
}

// free: absent
__global__ void two_stages_and_a_tail(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    MADE(2)
    FETCHED(s[0], in)
    for (int k = 1; k < n; k++) {
        FETCHED(s[k % 2], in + k * N)
        pipe.consumer_wait();
        x += s[(k - 1) % 2][N - 1 - t];
        pipe.consumer_release();
    }
    pipe.consumer_wait();
    x += s[(n - 1) % 2][N - 1 - t];
    pipe.consumer_release();
    out[t] = x;
}

// free: absent
__global__ void three_stages(int *out, const int *in, int n) {
    __shared__ int s[3][N];
    MADE(3)
    FETCHED(s[0], in)
    FETCHED(s[1], in + N)
    for (int k = 0; k < n; k++) {
        FETCHED(s[(k + 2) % 3], in + (k + 2) * N)
        pipe.consumer_wait();
        x += s[k % 3][N - 1 - t];
        pipe.consumer_release();
    }
    out[t] = x;
}

// free: absent
__global__ void stored_by_hand(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    MADE(2)
    for (int k = 0; k < n; k++) {
        pipe.producer_acquire();
        s[k & 1][t] = in[k * N + t];
        pipe.producer_commit();
        pipe.consumer_wait();
        x += s[k & 1][N - 1 - t];
        pipe.consumer_release();
    }
    out[t] = x;
}

// racy: certain
__global__ void not_waited_for(int *out, const int *in) {
    __shared__ int s[N];
    MADE(1)
    FETCHED(s, in)
    out[t] = s[N - 1 - t] + x;
}

// racy: certain
__global__ void waits_once_for_two(int *out, const int *in) {
    __shared__ int s[2][N];
    MADE(2)
    FETCHED(s[0], in)
    FETCHED(s[1], in + N)
    pipe.consumer_wait();
    out[t] = s[1][N - 1 - t] + x;
    pipe.consumer_release();
}

// racy with n=3: certain
__global__ void one_buffer_too_few(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    MADE(3)
    FETCHED(s[0], in)
    FETCHED(s[1], in + N)
    for (int k = 0; k < n; k++) {
        FETCHED(s[k & 1], in + (k + 2) * N)
        pipe.consumer_wait();
        x += s[k & 1][N - 1 - t];
        pipe.consumer_release();
    }
    out[t] = x;
}

// racy with n=3: certain
__global__ void reads_the_next_stage(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    MADE(2)
    FETCHED(s[0], in)
    for (int k = 0; k < n; k++) {
        FETCHED(s[(k + 1) & 1], in + (k + 1) * N)
        pipe.consumer_wait();
        x += s[(k + 1) & 1][N - 1 - t];
        pipe.consumer_release();
    }
    out[t] = x;
}

// racy with n=3: certain
__global__ void read_behind_the_release(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    MADE(2)
    FETCHED(s[0], in)
    for (int k = 0; k < n; k++) {
        FETCHED(s[(k + 1) & 1], in + (k + 1) * N)
        pipe.consumer_wait();
        pipe.consumer_release();
        x += s[k & 1][N - 1 - t];
    }
    out[t] = x;
}

// racy with n=3: certain
__global__ void filled_before_it_is_acquired(int *out, const int *in, int n) {
    __shared__ int s[N];
    MADE(1)
    for (int k = 0; k < n; k++) {
        cuda::memcpy_async(block, s, in + k * N, sizeof(int) * N, pipe);
        pipe.producer_acquire();
        pipe.producer_commit();
        pipe.consumer_wait();
        x += s[N - 1 - t];
        pipe.consumer_release();
    }
    out[t] = x;
}

// racy with n=3: certain
__global__ void never_acquired(int *out, const int *in, int n) {
    __shared__ int s[N];
    MADE(1)
    for (int k = 0; k < n; k++) {
        cuda::memcpy_async(block, s, in + k * N, sizeof(int) * N, pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        x += s[N - 1 - t];
        pipe.consumer_release();
    }
    out[t] = x;
}

// racy with n=3: undecided, each round leaves one stage more ahead
__global__ void never_released(int *out, const int *in, int n) {
    __shared__ int s[2][N];
    MADE(2)
    FETCHED(s[0], in)
    for (int k = 0; k < n; k++) {
        FETCHED(s[(k + 1) & 1], in + (k + 1) * N)
        pipe.consumer_wait();
        x += s[k & 1][N - 1 - t];
    }
    out[t] = x;
}

// racy: undecided, only the first stage is waited for
__global__ void released_and_not_waited_for(int *out, const int *in) {
    __shared__ int s[2][N];
    MADE(2)
    FETCHED(s[0], in)
    FETCHED(s[1], in + N)
    pipe.consumer_wait();
    pipe.consumer_release();
    pipe.consumer_release();
    out[t] = s[1][N - 1 - t] + x;
}

// racy: undecided, a thread may commit twice before another one does once
__global__ void committed_again_without_a_wait(int *out, const int *in) {
    __shared__ int s[N];
    MADE(1)
    s[t] = in[t];
    pipe.producer_commit();
    pipe.consumer_release();
    pipe.producer_commit();
    pipe.consumer_wait();
    out[t] = s[N - 1 - t] + x;
    pipe.consumer_release();
}

// racy: undecided, as before
__global__ void more_ahead_than_stages(int *out, const int *in) {
    __shared__ int s[N];
    MADE(1)
    s[t] = in[t];
    pipe.producer_commit();
    pipe.producer_commit();
    pipe.consumer_wait();
    pipe.consumer_release();
    pipe.consumer_wait();
    out[t] = s[N - 1 - t] + x;
    pipe.consumer_release();
}

// racy: undecided, each half of the block makes it
__global__ void made_for_half(int *out, const int *in) {
    __shared__ int s[N];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto half = cg::tiled_partition<N / 2>(cg::this_thread_block());
    auto pipe = cuda::make_pipeline(half, &state);
    int t = threadIdx.x;
    s[t] = in[t];
    pipe.producer_commit();
    pipe.consumer_wait();
    out[t] = s[N - 1 - t];
    pipe.consumer_release();
}

// racy by hand: undecided, a copy may still be under way two rounds later
__global__ void read_two_rounds_later_and_not_waited_for(int *out, const int *in, int n) {
    __shared__ int s[4][N];
    MADE(3)
    FETCHED(s[0], in)
    FETCHED(s[1], in + N)
    for (int k = 0; k < n; k++) {
        FETCHED(s[(k + 2) % 4], in + (k + 2) * N)
        if (k > 1) x += s[k % 4][N - 1 - t];
        pipe.consumer_wait();
        pipe.consumer_release();
    }
    out[t] = x;
}

// racy by hand: undecided, a barrier of the block does not wait for the copy
__global__ void a_barrier_instead_of_the_wait(int *out, const int *in) {
    __shared__ int s[N];
    MADE(1)
    FETCHED(s, in)
    __syncthreads();
    out[t] = s[N - 1 - t] + x;
    pipe.consumer_wait();
    pipe.consumer_release();
}

// racy with n=3: undecided, threads may leave the loop in the middle
__global__ void breaks_between(int *out, const int *in, int n) {
    __shared__ int s[N];
    MADE(1)
    for (int k = 0; k < 7; k++) {
        s[t] = in[k * N + t];
        pipe.producer_commit();
        if (k == n) break;
        pipe.consumer_wait();
        x += s[N - 1 - t];
        pipe.consumer_release();
        __syncthreads();
    }
    out[t] = x + s[N - 1 - t];
}

// racy by hand: undecided, another pipeline waits for the copy
__global__ void bound_to_another(int *out, const int *in) {
    __shared__ int s[N];
    MADE(1)
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(block, s, in, sizeof s, own);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[t] = s[N - 1 - t] + x;
    pipe.consumer_release();
}

// racy with n=3: undecided, it may not be committed
__global__ void committed_if(int *out, const int *in, int n) {
    __shared__ int s[N];
    MADE(1)
    pipe.producer_acquire();
    s[t] = in[t];
    if (n > 3) pipe.producer_commit();
    pipe.consumer_wait();
    out[t] = s[N - 1 - t] + x;
    pipe.consumer_release();
}

// free by hand: undecided, some produce and others consume
__global__ void parts_of_threads(int *out, const int *in) {
    __shared__ int s[N];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    auto role = t < N / 2 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (t < N / 2) {
        pipe.producer_acquire();
        s[t] = in[t];
        pipe.producer_commit();
    } else {
        pipe.consumer_wait();
        out[t] = s[N - 1 - t];
        pipe.consumer_release();
    }
}

void run(int *a, int *b, int n) {
    one_copy<<<1, N>>>(a, b), one_stage<<<1, N>>>(a, b, n), two_stages<<<1, N>>>(a, b, n), two_stages_and_a_tail<<<1, N>>>(a, b, n);
    three_stages<<<1, N>>>(a, b, n), stored_by_hand<<<1, N>>>(a, b, n), not_waited_for<<<1, N>>>(a, b), waits_once_for_two<<<1, N>>>(a, b);
    one_buffer_too_few<<<1, N>>>(a, b, n), reads_the_next_stage<<<1, N>>>(a, b, n), read_behind_the_release<<<1, N>>>(a, b, n);
    filled_before_it_is_acquired<<<1, N>>>(a, b, n), never_acquired<<<1, N>>>(a, b, n), never_released<<<1, N>>>(a, b, n);
    released_and_not_waited_for<<<1, N>>>(a, b), bound_to_another<<<1, N>>>(a, b), committed_if<<<1, N>>>(a, b, n);
    parts_of_threads<<<1, N>>>(a, b), committed_again_without_a_wait<<<1, N>>>(a, b), more_ahead_than_stages<<<1, N>>>(a, b);
    made_for_half<<<1, N>>>(a, b), read_two_rounds_later_and_not_waited_for<<<1, N>>>(a, b, n), breaks_between<<<1, N>>>(a, b, n);
    a_barrier_instead_of_the_wait<<<1, N>>>(a, b);
}
