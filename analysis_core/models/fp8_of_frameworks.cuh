// 8-bit floats of PyTorch (c10/util/Float8_*.h) and CUTLASS (cutlass/float8.h): one byte that is a float; NAMESPACE and NAME come from `index.txt`.
namespace NAMESPACE {
struct alignas(1) NAME {
  unsigned char MEMBER;
  __host__ __device__ NAME() = default;
  __host__ __device__ NAME(float value) : MEMBER(warpcost::function<unsigned char>("to_NAME", value)) {}
  __host__ __device__ operator float() const { return warpcost::function<float>("from_NAME", MEMBER); }
};
}
