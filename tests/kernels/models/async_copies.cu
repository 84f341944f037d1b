// Copies of groups from global to shared memory, pieces of the alignment that types tell; barriers and pipelines pass no bank.
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

// 1,024 floats by 256 threads: four rounds of 4 bytes a lane.
//! unknown none
//! bound conflicts "0" exact
//@ launch block=(256)
__global__ void block(float *out, const float *in) {
    __shared__ float tile[1024];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    auto group = cg::this_thread_block();
    if (group.thread_rank() == 0) init(&ready, group.size());
    group.sync();
    cuda::memcpy_async(group, tile, in + blockIdx.x * 1024, sizeof(float) * 1024, ready);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=4 best=4 ideal=4
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=shared rw=W bytes=4 worst=1 best=1
    ready.arrive_and_wait();
    out[blockIdx.x * 256 + threadIdx.x] = tile[threadIdx.x];
}

// Sizes that are said to be aligned go by 16 bytes.
//! unknown none
//@ launch block=(256)
__global__ void staged(float *out, const float *in, int n) {
    __shared__ alignas(16) float tile[2][1024];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto group = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(group, &state);
    for (int i = 0; i < n; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(group, tile[i & 1], in + i * 1024, cuda::aligned_size_t<16>(4096), pipe);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=16 worst=16 best=16
        pipe.producer_commit();
        pipe.consumer_wait();
        out[i * 256 + threadIdx.x] = tile[i & 1][threadIdx.x] * (sizeof state == 40);
        pipe.consumer_release();
    }
}

//! unknown none
//@ launch block=(256)
__global__ void warps(float *out, const float4 *in) {
    __shared__ float4 tile[8][64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::memcpy_async(warp, tile[threadIdx.x / 32], 64, in + threadIdx.x / 32 * 64, 64);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=16 worst=16 best=16
    cg::wait(warp);
    out[threadIdx.x] = tile[threadIdx.x / 32][threadIdx.x % 32].x;
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201] "4-way, each request takes 4 wavefronts where 1 would do (4x)"
}
