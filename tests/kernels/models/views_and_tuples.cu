// Views of arrays and tuples of both libraries: what is read from them is followed.
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <tuple>

//! unknown none
__global__ void viewed(float *out, cuda::std::span<const float> in, std::tuple<char, int> unused) {
    cuda::std::tuple<int, float> t{8, 1.0f};
    auto [first, second] = std::make_tuple(2, 'c');
    out[first * threadIdx.x] = in[threadIdx.x * cuda::std::get<0>(t)];
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=32
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=W bytes=4 worst=8 best=8
    if (threadIdx.x < in.size()) out[(sizeof unused == 8) * threadIdx.x] = in.subspan(32)[threadIdx.x];
}

//! unknown none
__global__ void halves(at::Half *out, const cutlass::half_t *in) {
    out[threadIdx.x] = in[2 * threadIdx.x] + cutlass::half_t(1.0f);
//                     ^^^^^^^^^^^^^^^^^^^ info[WC101] "4 sectors where 2 would do (2x)"
//                     ^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=2 worst=4
}
