// What cuda_fp8.h of the CUDA toolkit 13 has for all formats: bits of 8-bit floats, and their conversions.
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, int s, int k) { return warpcost::function<unsigned char>("to_fp8", x, s, k); }
inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, int s, int k) { return warpcost::function<unsigned char>("to_fp8", x, s, k); }
inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, int s, int k) { return warpcost::function<unsigned char>("half_to_fp8", x, s, k); }
inline __host__ __device__ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, int s, int k) { return warpcost::function<unsigned char>("bfloat16_to_fp8", x, s, k); }
inline __host__ __device__ __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, int s, int k) { return warpcost::function<unsigned short>("to_fp8x2", x, s, k); }
inline __host__ __device__ __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, int s, int k) { return warpcost::function<unsigned short>("to_fp8x2", x, s, k); }
inline __host__ __device__ __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, int s, int k) { return warpcost::function<unsigned short>("half_to_fp8x2", x, s, k); }
inline __host__ __device__ __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, int s, int k) { return warpcost::function<unsigned short>("bfloat16_to_fp8x2", x, s, k); }
inline __host__ __device__ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, int k) { return warpcost::function<__half>("fp8_to_half", x, k); }
inline __host__ __device__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, int k) { return warpcost::function<__half2>("fp8x2_to_half2", x, k); }
