// Blocks of a cluster: ranks are the same for all threads of a block, and arrays of other blocks have banks as the block's own.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

//! unknown none
//! bound divergences "0" exact
//@ launch block=(256)
__global__ void __cluster_dims__(2, 1, 1) exchanged(float *out, const float *in) {
    __shared__ float tile[256];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = in[cluster.thread_rank()];
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=4 best=4
    cluster.sync();
    float *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    if (cluster.block_rank() == 0) out[blockIdx.x * 256 + threadIdx.x] = other[8 * threadIdx.x % 256];
//                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "8-way, each request takes 8 wavefronts where 1 would do (8x)"
//                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=shared rw=R bytes=4 worst=8 best=8
    cluster.sync();
}
