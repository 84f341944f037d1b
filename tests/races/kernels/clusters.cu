// Barriers of clusters: all threads of a block wait there, and those of other blocks.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define N 128

// free: absent
__global__ void waits_for_the_cluster(int *a) {
    __shared__ int s[N];
    s[threadIdx.x] = a[threadIdx.x];
    cg::this_cluster().sync();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// free: absent
__global__ void arrives_and_then_waits(int *a, int *b) {
    __shared__ int s[N];
    auto cluster = cg::this_cluster();
    s[threadIdx.x] = a[threadIdx.x];
    cluster.barrier_arrive();
    int x = b[threadIdx.x];
    cluster.barrier_wait();
    a[threadIdx.x] = s[N - 1 - threadIdx.x] + x;
}

// racy: certain
__global__ void stored_behind_the_arrival(int *a) {
    __shared__ int s[N];
    auto cluster = cg::this_cluster();
    cluster.barrier_arrive();
    s[threadIdx.x] = a[threadIdx.x];
    cluster.barrier_wait();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: undecided, not all may come
__global__ void some_wait_for_the_cluster(int *a) {
    __shared__ int s[N];
    s[threadIdx.x] = a[threadIdx.x];
    if (a[threadIdx.x] > 40000) cg::this_cluster().sync();
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// racy: undecided, the blocks may be of one cluster
__global__ void blocks_of_a_cluster(int *a) {
    if (blockIdx.x == 0) a[threadIdx.x] = 1;
    cg::this_cluster().sync();
    if (blockIdx.x == 1) a[threadIdx.x] = 2;
}

void run(int *a, int *b) {
    waits_for_the_cluster<<<1, N>>>(a), arrives_and_then_waits<<<1, N>>>(a, b), stored_behind_the_arrival<<<1, N>>>(a);
    some_wait_for_the_cluster<<<1, N>>>(a), blocks_of_a_cluster<<<2, N>>>(a);
}
