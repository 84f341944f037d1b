// Blocks that hand something to each other: barriers of the grid, flags, counters, launches of one block.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#define N 64

// free: absent
__global__ void grid_barrier(int *a, int *b) {
    int i = blockIdx.x * N + threadIdx.x;
    a[i] = i;
    cg::this_grid().sync();
    b[i] = a[(i + N) % (4 * N)];
}

// free: absent
__global__ void rounds_of_the_grid(int *a, int *b, int n) {
    int i = blockIdx.x * N + threadIdx.x;
    for (int k = 0; k < n; k++) {
        b[i] = a[(i + 1) % (4 * N)];
        cg::this_grid().sync();
        a[i] = b[i] + k;
        cg::this_grid().sync();
    }
}

// free by hand: undecided
__global__ void last_block_sums(int *part, int *out, unsigned *count) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicAdd(count, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int x = 0;
        for (int k = 0; k < gridDim.x; k++) x += ((volatile int *)part)[k];
        *out = x;
    }
}

// free: absent
__global__ void a_cell_a_block(int *part, const int *in) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, in[blockIdx.x * N + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) part[blockIdx.x] = s;
}

// racy: certain
__global__ void block_barrier_for_the_grid(int *a, int *b) {
    int i = blockIdx.x * N + threadIdx.x;
    a[i] = i;
    __syncthreads();
    b[i] = a[(i + N) % (4 * N)];
}

// racy with n=3: certain
__global__ void one_grid_barrier_a_round(int *a, int *b, int n) {
    int i = blockIdx.x * N + threadIdx.x;
    for (int k = 0; k < n; k++) {
        b[i] = a[(i + 1) % (4 * N)];
        cg::this_grid().sync();
        a[i] = b[i] + k;
    }
}

// racy: certain
__global__ void cell_of_all_blocks(int *part, const int *in) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, in[blockIdx.x * N + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) part[0] = s;
}

// racy: certain
__global__ void neighbour_block(int *a) {
    int i = blockIdx.x * N + threadIdx.x;
    if (blockIdx.x > 0) a[i] = a[i - N];
    else a[i] = 0;
}

void run(int *a, int *b, unsigned *u, int n) {
    grid_barrier<<<4, N>>>(a, b), rounds_of_the_grid<<<4, N>>>(a, b, n), last_block_sums<<<4, N>>>(a, b, u), a_cell_a_block<<<4, N>>>(a, b);
    block_barrier_for_the_grid<<<4, N>>>(a, b), one_grid_barrier_a_round<<<4, N>>>(a, b, n), cell_of_all_blocks<<<4, N>>>(a, b), neighbour_block<<<4, N>>>(a);
}
