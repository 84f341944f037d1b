// Barriers that are objects: made for a number of threads, arrived at, waited for.
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
#define N 128
#define MADE(bar, count)                     \
    __shared__ barrier bar;                  \
    if (threadIdx.x == 0) init(&bar, count); \
    __syncthreads();
__device__ barrier everywhere;
__device__ void both(barrier &b, int *s, int x) {
    s[threadIdx.x] = x;
    b.arrive_and_wait();
}

// free: absent
__global__ void arrives_and_waits(int *a) {
    __shared__ int s[N];
    MADE(bar, blockDim.x);
    s[threadIdx.x] = a[threadIdx.x];
    bar.arrive_and_wait();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// free: absent
__global__ void arrives_first(int *a, int *b) {
    __shared__ int s[N];
    MADE(bar, N);
    s[threadIdx.x] = a[threadIdx.x];
    barrier::arrival_token token = bar.arrive();
    int x = b[threadIdx.x];
    bar.wait(std::move(token));
    a[threadIdx.x] = s[N - 1 - threadIdx.x] + x;
}

// free: absent
__global__ void by_turns(int *a, int n) {
    __shared__ int s[N];
    MADE(bar, N);
    int x = 0;
    for (int k = 0; k < n; k++) {
        s[threadIdx.x] = a[threadIdx.x + k];
        bar.wait(bar.arrive());
        x += s[N - 1 - threadIdx.x];
        auto token = bar.arrive();
        x *= 3;
        bar.wait(std::move(token));
    }
    a[N + threadIdx.x + n] = x;
}

// free: absent
__global__ void of_half_the_block(int *a) {
    __shared__ int s[N / 2];
    MADE(bar, N / 2);
    int t = threadIdx.x;
    if (t < N / 2) {
        s[t] = a[t];
        bar.arrive_and_wait();
        a[t] = s[N / 2 - 1 - t];
    }
}

// free: absent
__global__ void the_block_arrives_first(int *a, int *b) {
    __shared__ int s[N];
    auto block = cg::this_thread_block();
    s[threadIdx.x] = a[threadIdx.x];
    auto token = block.barrier_arrive();
    int x = b[threadIdx.x];
    block.barrier_wait(std::move(token));
    a[threadIdx.x] = s[N - 1 - threadIdx.x] + x;
}

// racy: certain
__global__ void stored_behind_the_arrival(int *a) {
    __shared__ int s[N];
    MADE(bar, N);
    auto token = bar.arrive();
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
    bar.wait(std::move(token));
}

// racy: certain
__global__ void stored_before_the_wait(int *a) {
    __shared__ int s[N];
    MADE(bar, N);
    auto token = bar.arrive();
    s[threadIdx.x] = a[threadIdx.x];
    bar.wait(std::move(token));
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: certain
__global__ void stored_too_early_in_the_next_round(int *a, int n) {
    __shared__ int s[N];
    MADE(bar, N);
    int x = 0;
    for (int k = 0; k < n; k++) {
        s[threadIdx.x] = a[threadIdx.x + k];
        auto token = bar.arrive();
        bar.wait(std::move(token));
        x += s[N - 1 - threadIdx.x];
    }
    a[N + threadIdx.x + n] = x;
}

// racy: undecided, it does not wait for all
__global__ void made_for_fewer(int *a) {
    __shared__ int s[N];
    MADE(bar, N / 2);
    s[threadIdx.x] = a[threadIdx.x];
    bar.arrive_and_wait();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: undecided, the token is that of an arrival before
__global__ void an_old_token(int *a) {
    __shared__ int s[N];
    MADE(bar, N);
    auto first = bar.arrive();
    s[threadIdx.x] = a[threadIdx.x];
    auto second = bar.arrive();
    bar.wait(std::move(first));
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
    bar.wait(std::move(second));
}

// racy: undecided, each thread arrives for two
__global__ void arrives_for_two(int *a) {
    __shared__ int s[N];
    MADE(bar, N);
    s[threadIdx.x] = a[threadIdx.x];
    auto token = bar.arrive(2);
    bar.wait(std::move(token));
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: undecided, half of the threads wait at another object
__global__ void one_of_two_objects(int *a) {
    __shared__ int s[N];
    __shared__ barrier bars[2];
    if (threadIdx.x < 2) init(&bars[threadIdx.x], N / 2);
    __syncthreads();
    s[threadIdx.x] = a[threadIdx.x];
    bars[threadIdx.x / (N / 2)].arrive_and_wait();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: undecided, nothing says for how many it is made
__global__ void never_made(int *a) {
    __shared__ int s[N];
    __shared__ barrier bar;
    s[threadIdx.x] = a[threadIdx.x];
    bar.arrive_and_wait();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: undecided, half of the threads wait elsewhere
__global__ void waits_on_both_sides(int *a) {
    __shared__ int s[N];
    MADE(bar, N);
    int t = threadIdx.x;
    s[t] = a[t];
    if (t < N / 2) {
        bar.arrive_and_wait();
        s[N - 1 - t] = 3;
    } else {
        s[N - 1 - t] = 4;
        bar.arrive_and_wait();
    }
}

// free: absent
__global__ void by_reference(int *a) {
    __shared__ int s[N];
    MADE(bar, N);
    both(bar, s, a[threadIdx.x]);
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// free: absent
__global__ void all_of_it_in_a_branch(int *a, int n) {
    __shared__ int s[N];
    if (n > 3) {
    MADE(bar, N);
    both(bar, s, a[threadIdx.x]);
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
    }
}

// racy: undecided, some may come before it is made
__global__ void made_without_sync(int *a) {
    __shared__ int s[N];
    __shared__ barrier bar;
    if (threadIdx.x == 0) init(&bar, N);
    both(bar, s, a[threadIdx.x]);
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy with n=3: undecided, it may not be made
__global__ void made_if(int *a, int n) {
    __shared__ int s[N];
    __shared__ barrier bar;
    if (threadIdx.x == 0 && n > 3) init(&bar, N);
    __syncthreads();
    both(bar, s, a[threadIdx.x]);
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy with n=9: undecided, some may come before it is made
__global__ void made_and_not_awaited(int *a, int n) {
    __shared__ int s[N];
    __shared__ barrier bar;
    if (threadIdx.x == 0) init(&bar, N);
    do { if (n > 3) break; __syncthreads(); } while (0);
    both(bar, s, a[threadIdx.x]);
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy with n=9: undecided, who breaks has arrived already
__global__ void breaks_between(int *a, int n) {
    __shared__ int s[N];
    MADE(bar, N);
    for (int k = 0; k < n; k++) {
        auto token = bar.arrive();
        if (k == 7) break;
        bar.wait(std::move(token));
    }
    both(bar, s, a[threadIdx.x]);
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy with n=7: undecided, as before
__global__ void breaks_once(int *a, int n) {
    __shared__ int s[N];
    MADE(bar, N);
    do {
        auto token = bar.arrive();
        if (n == 7) break;
        bar.wait(std::move(token));
    } while (0);
    both(bar, s, a[threadIdx.x]);
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: undecided, nobody waits for the first arrivals
__global__ void arrives_once_more(int *a) {
    __shared__ int s[N];
    MADE(bar, N);
    (void)bar.arrive();
    both(bar, s, a[threadIdx.x]);
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: undecided, half of the threads are no longer waited for
__global__ void dropped(int *a) {
    __shared__ int s[N];
    MADE(bar, N);
    if (threadIdx.x >= N / 2) bar.arrive_and_drop();
    else both(bar, s, a[threadIdx.x]);
    if (threadIdx.x < N / 2) a[threadIdx.x] = s[N / 2 - 1 - threadIdx.x];
    s[N - 1 - threadIdx.x] = 3;
}

// racy: undecided, several blocks come to one object
__global__ void of_the_device(int *a) {
    __shared__ int s[N];
    if (threadIdx.x == 0) init(&everywhere, N);
    __syncthreads();
    both(everywhere, s, a[threadIdx.x]);
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: undecided, data decide who comes
__global__ void diverges(int *a) {
    __shared__ int s[N];
    MADE(bar, N);
    s[threadIdx.x] = a[threadIdx.x];
    if (a[threadIdx.x] > 3) bar.arrive_and_wait();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy with n=3: undecided, the token is of the round before
__global__ void token_of_the_round_before(int *a, int n) {
    __shared__ int s[N];
    MADE(bar, N);
    auto old = bar.arrive();
    bar.wait(std::move(old));
    int x = 0;
    for (int k = 0; k < n; k++) {
        s[threadIdx.x] = a[threadIdx.x + k];
        auto token = bar.arrive();
        bar.wait(std::move(old));
        old = token;
        x += s[N - 1 - threadIdx.x];
        __syncthreads();
    }
    a[N + threadIdx.x + n] = x;
}

void run(int *a, int *b, int n) {
    arrives_and_waits<<<1, N>>>(a), arrives_first<<<1, N>>>(a, b), by_turns<<<1, N>>>(a, n), of_half_the_block<<<1, N>>>(a);
    the_block_arrives_first<<<1, N>>>(a, b), stored_behind_the_arrival<<<1, N>>>(a), stored_before_the_wait<<<1, N>>>(a);
    stored_too_early_in_the_next_round<<<1, N>>>(a, n), made_for_fewer<<<1, N>>>(a), an_old_token<<<1, N>>>(a), arrives_for_two<<<1, N>>>(a);
    one_of_two_objects<<<1, N>>>(a), never_made<<<1, N>>>(a), waits_on_both_sides<<<1, N>>>(a);
    by_reference<<<1, N>>>(a), all_of_it_in_a_branch<<<1, N>>>(a, n), made_without_sync<<<1, N>>>(a), made_if<<<1, N>>>(a, n);
    made_and_not_awaited<<<1, N>>>(a, n), breaks_between<<<1, N>>>(a, n), breaks_once<<<1, N>>>(a, n), arrives_once_more<<<1, N>>>(a);
    dropped<<<1, N>>>(a), of_the_device<<<4, N>>>(a), diverges<<<1, N>>>(a), token_of_the_round_before<<<1, N>>>(a, n);
}
