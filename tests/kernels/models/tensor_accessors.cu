// Views of tensors: a stride for each dimension but the innermost, which is contiguous by an assumption that is told.
#include <torch/extension.h>

//! unknown none
__global__ void rows(torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> out, const at::PackedTensorAccessor64<float, 2> in) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    for (int row = 0; row < in.size(0); row++) {
        out[row][column] = in[row][column] * 2;
//      ^^^^^^^^^^^^^^^^ access space=global rw=W bytes=4 worst=5 ideal=4
    }
}

//! unknown none
__global__ void flat(at::PackedTensorAccessor32<float, 1> out, at::TensorAccessor<const float, 1> in) {
    out[threadIdx.x] = in[8 * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//                     ^^^^^^^^^^^^^^^^^^^ access space=global rw=R bytes=4 worst=32 best=32
    out[(sizeof(at::PackedTensorAccessor32<float, 3>) == 32) * threadIdx.x] = in.size(0);
}
