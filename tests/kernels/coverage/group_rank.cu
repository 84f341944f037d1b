// ranks of cooperative groups: every kernel makes its index with it.  Numbers from tests/harness/concrete.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// COVERS: group_rank 1-D known
//! block (64)
//! unknown none
__global__ void group_rank_1d_known(float *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[blockIdx.x * 36 + 2 * warp.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
    out[blockIdx.x * 36 + 3 * block.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: group_rank 1-D symbolic
//! block (64)
//! unknown none
__global__ void group_rank_1d_symbolic(float *out, int p) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[blockIdx.x * p + 2 * warp.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
    out[blockIdx.x * p + 3 * block.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: group_rank 2-D known
//! block (16,4)
//! unknown none
__global__ void group_rank_2d_known(float *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[threadIdx.y * 36 + 2 * warp.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9 ideal=4 space=global rw=W bytes=4 times=1
    out[threadIdx.y * 36 + 3 * block.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=13 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: group_rank 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void group_rank_2d_symbolic(float *out, int p) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[threadIdx.y * p + 2 * warp.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=10 best=4 true_worst=10 true_best=8 ideal=4 space=global rw=W bytes=4 times=1
    out[threadIdx.y * p + 3 * block.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=14 best=6 true_worst=14 true_best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: group_rank 3-D known
//! block (8,4,2)
//! unknown none
__global__ void group_rank_3d_known(float *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[(threadIdx.z * 4 + threadIdx.y) * 36 + 2 * warp.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 best=10 ideal=4 space=global rw=W bytes=4 times=1
    out[(threadIdx.z * 4 + threadIdx.y) * 36 + 3 * block.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: group_rank 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void group_rank_3d_symbolic(float *out, int p) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[(threadIdx.z * 4 + threadIdx.y) * p + 2 * warp.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=12 best=2 true_worst=12 true_best=8 ideal=4 space=global rw=W bytes=4 times=1
    out[(threadIdx.z * 4 + threadIdx.y) * p + 3 * block.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=16 best=3 true_worst=16 true_best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: group_rank partial known
//! block (40)
//! unknown none
__global__ void group_rank_partial_known(float *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[blockIdx.x * 36 + 2 * warp.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
    out[blockIdx.x * 36 + 3 * block.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: group_rank partial symbolic
//! block (40)
//! unknown none
__global__ void group_rank_partial_symbolic(float *out, int p) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    out[blockIdx.x * p + 2 * warp.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
    out[blockIdx.x * p + 3 * block.thread_rank()] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    group_rank_1d_known<<<4, 64>>>(nullptr);
    group_rank_1d_symbolic<<<4, 64>>>(nullptr, p);
    group_rank_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    group_rank_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    group_rank_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    group_rank_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    group_rank_partial_known<<<4, 40>>>(nullptr);
    group_rank_partial_symbolic<<<4, 40>>>(nullptr, p);
}
