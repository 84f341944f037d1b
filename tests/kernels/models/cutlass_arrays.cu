// Arrays of CUTLASS move as their elements' records do; a division by a magic number is the division.
#include <cutlass/array.h>

//! unknown none
__global__ void converted(cutlass::Array<half, 4> *out, const cutlass::Array<float, 4> *in) {
    cutlass::NumericArrayConverter<half, float, 4> convert;
    cutlass::Array<float, 4> twice = in[threadIdx.x] * 2.0f;
    //                               ^^^^^^^^^^^^^^^ hint[WC104]
    cutlass::Array<half, 4> made = convert(twice);
    for (int i = 0; i < 4; i++) {
        out[threadIdx.x][i] = made[i];
//      ^^^^^^^^^^^^^^^^^^^ info[WC101] "8 sectors where 2 would do (4x)"
//      ^^^^^^^^^^^^^^^^^^^ access space=global rw=W bytes=2 worst=8
    }
}

// Four lanes are in each row.
//! unknown none
__global__ void divided(float *out, const float *in, int pitch, cutlass::FastDivmod unused) {
    cutlass::FastDivmod by(4);
    int row, column;
    by(row, column, threadIdx.x);
    out[threadIdx.x] = in[row * 64 + column];
//                     ^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 4 would do (2x)"
//                     ^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=8 best=8
}

//! unknown none
__global__ void tile(float *out) {
    using Shape = cutlass::gemm::GemmShape<64, 32, 8>;
    __shared__ cutlass::AlignedBuffer<float, Shape::kMK> buffer;
    buffer.data()[Shape::kN * threadIdx.x % 512] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "16-way, each request takes 16 wavefronts where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=shared rw=W bytes=4 worst=16 best=16
    __syncthreads();
    out[threadIdx.x] = buffer.data()[threadIdx.x];
}
