// Copies by one thread: whole sectors, 32 bytes a step.  Of tiles the host's map has the size: they are in no count.
#include <cuda/barrier>
#include <cuda/ptx>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

__device__ void wait(unsigned bar, int phase) {
    asm volatile("{\n.reg .pred P;\nLAB:\nmbarrier.try_wait.parity.shared::cta.b64 P, [%0], %1;\n@P bra DONE;\nbra LAB;\nDONE:\n}" ::"r"(bar), "r"(phase));
}

// 4,096 bytes are 128 sectors of one lane.
//! unknown none
//! bound conflicts "0" exact
//! bound divergences "1" exact
//@ launch block=(128)
__global__ void instructions(float *out, const float *in) {
    __shared__ alignas(128) float tile[1024];
    __shared__ unsigned long long ready;
    unsigned bar = __cvta_generic_to_shared(&ready), to = __cvta_generic_to_shared(tile);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(bar));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     ::"r"(to), "l"(in + 1024 * blockIdx.x), "r"(4096), "r"(bar) : "memory");
    }
    wait(bar, 0);
    out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x];
}

// In how many steps they come into shared memory is not known: that is an upper figure.
//! bound conflicts "0" exact
//@ launch block=(128)
__global__ void functions(const __grid_constant__ CUtensorMap map, float *out, const float *in) {
    __shared__ alignas(128) float tile[1024];
    __shared__ barrier ready;
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, 0, 0, ready);
        cde::cp_async_bulk_global_to_shared(tile, in, sizeof tile, ready);
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=32 worst=1 best=1
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access space=shared rw=W bytes=32 worst=2 best=1 exact=false
        token = cuda::device::barrier_arrive_tx(ready, 1, sizeof tile);
    } else {
        token = ready.arrive();
    }
    ready.wait(std::move(token));
    out[(sizeof map == 128) * threadIdx.x] = tile[threadIdx.x];
}
