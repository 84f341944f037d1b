// Layouts of CuTe are index arithmetic: what threads have of tiles, swizzles, copies of what lies side by side.
#include <cute/tensor.hpp>
using namespace cute;

//! unknown none
//@ launch block=(256) grid=(4)
__global__ void rows_through_columns(float *out, const float *in) {
    auto matrix = make_layout(make_shape(Int<64>{}, Int<64>{}), GenRowMajor{});
    auto threads = make_layout(make_shape(Int<32>{}, Int<8>{}));
    Tensor tile = local_tile(make_tensor(make_gmem_ptr(in), matrix), Shape<_32, _32>{}, make_coord(blockIdx.x / 2, blockIdx.x % 2));
    Tensor mine = local_partition(tile, threads, threadIdx.x);
    for (int i = 0; i < size<1>(mine); i++) out[threadIdx.x + 256 * i] = mine(0, i);
//                                                                       ^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//                                                                       ^^^^^^^^^^ access! space=global rw=R bytes=4 worst=32 best=32
}

//! unknown none
//@ launch block=(32) grid=(1)
__global__ void swizzled(float *out) {
    auto plain = make_layout(make_shape(Int<32>{}, Int<32>{}));
    auto mixed = composition(Swizzle<5, 0, 5>{}, plain);
    __shared__ float room[cosize_v<decltype(plain)>];
    auto a = make_tensor(make_smem_ptr(room), plain);
    auto b = make_tensor(make_smem_ptr(room), mixed);
    a(3, threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^ warn[WC201] "32-way, each request takes 32 wavefronts where 1 would do (32x)"
//  ^^^^^^^^^^^^^^^^^ access! space=shared rw=W bytes=4 worst=32 best=32
    __syncthreads();
    b(3, threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^ access! space=shared rw=W bytes=4 worst=1 best=1
    __syncthreads();
    out[threadIdx.x] = b(threadIdx.x, 3);
}
