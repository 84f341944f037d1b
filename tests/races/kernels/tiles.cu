// Tiles of a block: what their lanes did before a barrier of the tile is ordered, among themselves alone.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define N 64

// free: absent
__global__ void sums_of_tiles(int *a) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x, lane = tile.thread_rank();
    s[t] = a[t];
    tile.sync();
    for (int k = 8; k > 0; k /= 2) {
        int x = lane < k ? s[t + k] : 0;
        tile.sync();
        if (lane < k) s[t] += x;
        tile.sync();
    }
    a[t] = s[t - lane];
}

// free: absent
__global__ void tile_of_a_warp(int *a) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    s[threadIdx.x] = a[threadIdx.x];
    tile.sync();
    a[threadIdx.x] = s[threadIdx.x ^ 31];
}

// free: absent
__global__ void first_tile_alone(int *a) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    if (t < 8) {
        s[t] = a[t];
        tile.sync();
        a[t] = s[7 - t];
    }
}

// free: absent
__global__ void tiles_of_four_among_eight(int *a) {
    __shared__ int s[N];
    auto wide = cg::tiled_partition<8>(cg::this_thread_block());
    auto narrow = cg::tiled_partition<4>(wide);
    int t = threadIdx.x;
    s[t] = a[t];
    narrow.sync();
    int x = s[t ^ 3];
    wide.sync();
    s[t ^ 7] = x;
}

// racy: lock step
__global__ void beyond_the_tile(int *a) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = a[threadIdx.x];
    tile.sync();
    a[threadIdx.x] = s[threadIdx.x ^ 16];
}

// racy: certain
__global__ void beyond_the_warp(int *a) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    s[threadIdx.x] = a[threadIdx.x];
    tile.sync();
    a[threadIdx.x] = s[threadIdx.x ^ 32];
}

// racy: undecided, the other half is waited for and does not come
__global__ void half_a_tile_comes(int *a) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = a[t];
    if (t % 16 < 8) {
        tile.sync();
        a[t] = s[t ^ 15];
    }
}

// racy: lock step
__global__ void only_some_wait(int *a) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = a[t];
    if (t < 16) tile.sync();
    a[t] = s[t ^ 1];
}

// free by hand: undecided, which lanes are active together is not known
__global__ void lanes_that_met_are_not_known(int *a) {
    __shared__ int s[N];
    auto met = cg::coalesced_threads();
    int t = threadIdx.x;
    s[t] = a[t];
    met.sync();
    a[N + t] = s[t ^ 1];
}

// racy: certain
__global__ void stored_between_arrival_and_wait(int *a) {
    __shared__ int s[N];
    auto block = cg::this_thread_block();
    auto token = block.barrier_arrive();
    s[threadIdx.x] = a[threadIdx.x];
    block.barrier_wait(static_cast<decltype(token) &&>(token));
    a[threadIdx.x] = s[threadIdx.x ^ 32];
}

void run(int *a) {
    sums_of_tiles<<<1, N>>>(a), tile_of_a_warp<<<1, N>>>(a), first_tile_alone<<<1, N>>>(a), tiles_of_four_among_eight<<<1, N>>>(a);
    beyond_the_tile<<<1, N>>>(a), beyond_the_warp<<<1, N>>>(a), half_a_tile_comes<<<1, N>>>(a), only_some_wait<<<1, N>>>(a);
    lanes_that_met_are_not_known<<<1, N>>>(a), stored_between_arrival_and_wait<<<1, N>>>(a);
}
