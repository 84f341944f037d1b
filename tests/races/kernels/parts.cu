// Barriers of a part of a block: numbered ones with a count, tiles of several warps, masks.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define N 128
#define SYNC(id, count) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory")

// free: absent
__global__ void the_whole_block_by_number(int *a) {
    __shared__ int s[N];
    s[threadIdx.x] = a[threadIdx.x];
    asm volatile("barrier.sync 1, 128;" ::: "memory");
    a[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// free: absent
__global__ void the_whole_block_in_each_round(int *a, int n) {
    __shared__ int s[N];
    int x = 0;
    for (int k = 0; k < n; k++) {
        s[threadIdx.x] = a[threadIdx.x + k];
        SYNC(3, N);
        x += s[N - 1 - threadIdx.x];
        __barrier_sync_count(3, N);
    }
    a[N + threadIdx.x + n] = x;
}

// free: absent
__global__ void half_of_the_warps(int *a) {
    __shared__ int s[N / 2];
    int t = threadIdx.x;
    if (t < 64) {
        s[t] = a[t];
        SYNC(1, 64);
        a[t] = s[63 - t];
    }
}

// free: absent
__global__ void pairs_of_warps(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    SYNC(1 + t / 64, 64);
    a[t] = s[t ^ 63];
}

// free: absent
__global__ void a_tile_of_two_warps(int *a) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = a[t];
    tile.sync();
    a[t] = s[t ^ 63];
}

// free: absent
__global__ void a_tile_that_is_the_block(int *a, int n) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    for (int k = 0; k < n; k++) {
        s[threadIdx.x] = a[threadIdx.x];
        tile.sync();
        a[N + threadIdx.x] += s[N - 1 - threadIdx.x];
        tile.sync();
    }
}

// free: absent
__global__ void rows_of_a_number(int *a, int n) {
    __shared__ int s[4 * N];
    int t = threadIdx.x;
    if (t < 64) {
        s[t] = a[t];
        SYNC(2, 64);
        a[t] = s[t * n & 63];
    }
}

// free: absent
__global__ void lanes_of_a_mask(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    if (t % 32 < 16) {
        s[t] = a[t];
        __syncwarp(0x0000ffff);
        a[t] = s[t ^ 15];
    }
}

// free: absent
__global__ void those_that_have_not_left(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    if (t % 32 >= 16) return;
    s[t] = a[t];
    __syncwarp();
    a[t] = s[t ^ 15];
}

// racy: certain
__global__ void beyond_the_tile_of_two_warps(int *a) {
    __shared__ int s[N];
    auto tile = cg::tiled_partition<64>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = a[t];
    tile.sync();
    a[t] = s[N - 1 - t];
}

// racy: certain
__global__ void beyond_the_pair(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    SYNC(1 + t / 64, 64);
    a[t] = s[(t + 64) % N];
}

// racy: certain
__global__ void other_warps_do_not_wait(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    if (t < 64) SYNC(1, 64);
    a[t] = s[t ^ 64];
}

// racy with n=3: undecided, some threads wait for each other between
__global__ void rows_beyond_the_pair(int *a, int n) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    SYNC(1 + t / 64, 64);
    a[t] = s[t * n % N];
}

// racy by hand: undecided, the first two warps meet one of the others there
__global__ void more_come_than_are_waited_for(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    SYNC(1, 64);
    a[t] = s[t ^ 32];
}

// racy by hand: undecided, a warp at one place meets one at the other
__global__ void one_number_at_two_places(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    if (t < 64) {
        s[t] = a[t];
        SYNC(1, 64);
        a[t] = s[t ^ 32];
    } else {
        s[t] = a[t];
        SYNC(1, 64);
        a[t] = s[t ^ 32];
    }
}

// racy by hand: undecided, those that arrive do not wait
__global__ void arrives_and_reads(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    if (t < 64) asm volatile("bar.arrive 1, 128;" ::: "memory");
    else SYNC(1, 128);
    a[t] = s[t ^ 64];
}

// racy by hand: undecided, lanes that skip the first barrier meet the others there from the second
__global__ void half_a_warp_waits_twice(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    if (t % 32 < 16) __syncwarp();
    s[t] = a[t];
    __syncwarp();
    a[t] = s[t ^ 31];
}

// racy by hand: undecided, the other lanes are named and do not come
__global__ void one_side_of_a_branch_waits(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    if (t % 32 < 16) {
        s[t] = a[t];
        __syncwarp();
    } else {
        a[t] = s[t ^ 31];
    }
}

// racy by hand: undecided, data decide which lanes come
__global__ void lanes_that_data_choose(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = 0;
    if (a[t] > 3) {
        s[t] = a[t];
        __syncwarp();
        a[t] = s[t ^ 1];
    }
    s[t ^ 2] = 3;
}

// racy by hand: undecided, rounds of one warp are not those of another
__global__ void rounds_of_each_warp(int *a, int n) {
    __shared__ int s[N];
    int t = threadIdx.x;
    if (t < 64) {
        for (int k = t / 32; k < n; k++) {
            s[t] = a[t];
            SYNC(1, 64);
        }
        a[t] = s[t ^ 32];
    }
}

// racy: certain
__global__ void a_part_of_a_warp_orders_no_other(int *a, int n) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncwarp(__activemask() & n);
    a[t] = s[t ^ 32];
}

void run(int *a, int n) {
    the_whole_block_by_number<<<1, N>>>(a), the_whole_block_in_each_round<<<1, N>>>(a, n), half_of_the_warps<<<1, N>>>(a);
    pairs_of_warps<<<1, N>>>(a), a_tile_of_two_warps<<<1, N>>>(a), a_tile_that_is_the_block<<<1, N>>>(a, n), rows_of_a_number<<<1, N>>>(a, n);
    lanes_of_a_mask<<<1, N>>>(a), those_that_have_not_left<<<1, N>>>(a), beyond_the_tile_of_two_warps<<<1, N>>>(a), beyond_the_pair<<<1, N>>>(a);
    other_warps_do_not_wait<<<1, N>>>(a), rows_beyond_the_pair<<<1, N>>>(a, n), more_come_than_are_waited_for<<<1, N>>>(a), one_number_at_two_places<<<1, N>>>(a);
    arrives_and_reads<<<1, N>>>(a), half_a_warp_waits_twice<<<1, N>>>(a), one_side_of_a_branch_waits<<<1, N>>>(a), lanes_that_data_choose<<<1, N>>>(a);
    rounds_of_each_warp<<<1, N>>>(a, n), a_part_of_a_warp_orders_no_other<<<1, N>>>(a, n);
}
