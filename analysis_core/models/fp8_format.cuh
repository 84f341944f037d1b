// The 8-bit floats of one format, alone, in pairs and fours (cuda_fp8.hpp); FORMAT and KIND come from `index.txt`.
struct alignas(1) __nv_fp8_FORMAT {
  __nv_fp8_storage_t __x;
  __host__ __device__ __nv_fp8_FORMAT() = default;
  __host__ __device__ explicit __nv_fp8_FORMAT(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_KIND)) {}
  __host__ __device__ explicit __nv_fp8_FORMAT(double x) : __nv_fp8_FORMAT((float)x) {}
  __host__ __device__ explicit __nv_fp8_FORMAT(int x) : __nv_fp8_FORMAT((float)x) {}
  __host__ __device__ explicit __nv_fp8_FORMAT(unsigned x) : __nv_fp8_FORMAT((float)x) {}
  __host__ __device__ explicit __nv_fp8_FORMAT(__half x) : __x(__nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, __NV_KIND)) {}
  __host__ __device__ explicit __nv_fp8_FORMAT(__nv_bfloat16 x) : __x(__nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, __NV_KIND)) {}
  __host__ __device__ explicit operator float() const { return warpcost::function<float>("fp8_to_float", __x, (int)__NV_KIND); }
  __host__ __device__ explicit operator double() const { return (float)*this; }
  __host__ __device__ explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, __NV_KIND); }
  __host__ __device__ explicit operator __nv_bfloat16() const { return __float2bfloat16((float)*this); }
  __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }
  __host__ __device__ explicit operator int() const { return (int)(float)*this; }
  __host__ __device__ explicit operator unsigned() const { return (unsigned)(float)*this; }
};
struct alignas(2) __nv_fp8x2_FORMAT {
  __nv_fp8x2_storage_t __x;
  __host__ __device__ __nv_fp8x2_FORMAT() = default;
  __host__ __device__ explicit __nv_fp8x2_FORMAT(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, __NV_KIND)) {}
  __host__ __device__ explicit __nv_fp8x2_FORMAT(__half2 x) : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, __NV_KIND)) {}
  __host__ __device__ explicit __nv_fp8x2_FORMAT(__nv_bfloat162 x) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, __NV_KIND)) {}
  __host__ __device__ explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, __NV_KIND); }
  __host__ __device__ explicit operator float2() const { return warpcost::function<float2>("fp8x2_to_float2", __x, (int)__NV_KIND); }
};
struct alignas(4) __nv_fp8x4_FORMAT {
  __nv_fp8x4_storage_t __x;
  __host__ __device__ __nv_fp8x4_FORMAT() = default;
  __host__ __device__ explicit __nv_fp8x4_FORMAT(float4 x) : __x(warpcost::function<unsigned>("to_fp8x4", x, (int)__NV_KIND)) {}
  __host__ __device__ explicit __nv_fp8x4_FORMAT(__half2 low, __half2 high) : __x(warpcost::function<unsigned>("half_to_fp8x4", low, high, (int)__NV_KIND)) {}
  __host__ __device__ explicit __nv_fp8x4_FORMAT(__nv_bfloat162 low, __nv_bfloat162 high) : __x(warpcost::function<unsigned>("bfloat16_to_fp8x4", low, high, (int)__NV_KIND)) {}
  __host__ __device__ explicit operator float4() const { return warpcost::function<float4>("fp8x4_to_float4", __x, (int)__NV_KIND); }
};
