/* Half precision as far as kernels name it; `cuda_bf16.h` is the same. */
#pragma once
#define HALF(name, pair)                                                                                                 \
    struct __attribute__((aligned(2))) name {                                                                            \
        unsigned short bits;                                                                                             \
        name() = default;                                                                                                \
        __host__ __device__ name(float);                                                                                 \
        __host__ __device__ operator float() const;                                                                      \
    };                                                                                                                   \
    struct __attribute__((aligned(4))) pair {                                                                            \
        name x, y;                                                                                                       \
    };                                                                                                                   \
    __host__ __device__ pair operator+(pair, pair);                                                                      \
    __host__ __device__ pair operator-(pair, pair);                                                                      \
    __host__ __device__ pair operator*(pair, pair);
HALF(__half, __half2)
HALF(__nv_bfloat16, __nv_bfloat162)
#undef HALF
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
__host__ __device__ __half __float2half(float);
__host__ __device__ float __half2float(__half);
__host__ __device__ __nv_bfloat16 __float2bfloat16(float);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rn(float);
__host__ __device__ float __bfloat162float(__nv_bfloat16);
__host__ __device__ __half __float2half_rn(float);
__host__ __device__ __half2 __float2half2_rn(float);
__host__ __device__ float2 __half22float2(__half2);
__host__ __device__ __half2 __float22half2_rn(float2);
__host__ __device__ __half2 __hadd2(__half2, __half2);
__host__ __device__ __half2 __hmul2(__half2, __half2);
__host__ __device__ __half2 __hfma2(__half2, __half2, __half2);
__host__ __device__ __half2 __halves2half2(__half, __half);
__host__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2);
__host__ __device__ float2 __bfloat1622float2(__nv_bfloat162);
