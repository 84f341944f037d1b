// 8-bit floats, the bits of 16-bit ones and room for objects, whose headers are not here: records of one or two bytes that move as such.
#include <cuda_fp8.h>

//! unknown none
__global__ void single(__nv_fp8_e4m3 *out, const float *in) {
    out[threadIdx.x] = __nv_fp8_e4m3(fminf(in[threadIdx.x], 448.0f));
//  ^^^^^^^^^^^^^^^^ access! space=global rw=W bytes=1 worst=1 best=1 pattern=coalesced
}

//! unknown none
__global__ void fours(float4 *out, const __nv_fp8x4_e5m2 *in) {
    out[threadIdx.x] = float4(in[2 * threadIdx.x]);
//                            ^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 4 would do (2x)"
//                            ^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=8 best=8
}

//! unknown none
__global__ void storage(__nv_fp8_storage_t *out, const half *in, float *sums) {
    out[threadIdx.x] = __nv_cvt_halfraw_to_fp8(in[threadIdx.x], __NV_SATFINITE, __NV_E4M3);
    half back = __nv_cvt_fp8_to_halfraw(out[8 * threadIdx.x], __NV_E4M3);
//                                      ^^^^^^^^^^^^^^^^^^^^ info[WC101] "8 sectors where 1 would do (8x)"
//                                      ^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=1 worst=8 best=8
    __half_raw bits = back;
    constexpr __half2_raw both = {0x7C00, 0x7C00};
    static_assert(both.x == 0x7C00, "");
    sums[bits.x] = 1.0f;
//  ^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `out[8 * threadIdx.x]` scatter"
    sums[(sizeof(std::aligned_storage<24, 8>::type) == 24) * threadIdx.x] = float(back);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=W bytes=4 worst=4 best=4
}
