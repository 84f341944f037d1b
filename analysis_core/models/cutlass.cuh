// What CUTLASS has for kernels of others: arrays in registers, sizes of tiles, conversions, fast division (CUTLASS 4, array.h, aligned_buffer.h,
// numeric_conversion.h, matrix_shape.h, gemm.h, fast_math.h).  A division by its magic number is the division itself.
namespace cutlass {
template <class T> struct sizeof_bits { static constexpr int value = 8 * sizeof(T); };
template <class T> constexpr int sizeof_bits_v = sizeof_bits<T>::value;
// Elements of less than 4 bytes lie in words of 4, 2 or 1 bytes (array_subbyte.h).
template <class T, int N, bool RegisterSized = sizeof(T) >= 4> struct Array {
  using Element = T;
  using value_type = T;
  using Storage = T;
  using reference = T &;
  using const_reference = const T &;
  static constexpr int kElements = N;
  static constexpr int kStorageElements = N;
  static constexpr size_t size() { return N; }
  static constexpr size_t max_size() { return N; }
  static constexpr bool empty() { return N == 0; }
  alignas(sizeof(T) >= 4 ? alignof(T) : sizeof(T) * N % 4 == 0 ? 4 : sizeof(T) * N % 2 == 0 ? 2 : 1) T storage[N];
  __host__ __device__ constexpr T &operator[](size_t i) { return storage[i]; }
  __host__ __device__ constexpr const T &operator[](size_t i) const { return storage[i]; }
  __host__ __device__ constexpr T &at(size_t i) { return storage[i]; }
  __host__ __device__ constexpr const T &at(size_t i) const { return storage[i]; }
  __host__ __device__ constexpr T &front() { return storage[0]; }
  __host__ __device__ constexpr T &back() { return storage[N - 1]; }
  __host__ __device__ constexpr T *data() { return storage; }
  __host__ __device__ constexpr const T *data() const { return storage; }
  __host__ __device__ constexpr T *raw_data() { return storage; }
  __host__ __device__ constexpr const T *raw_data() const { return storage; }
  __host__ __device__ constexpr T *begin() { return storage; }
  __host__ __device__ constexpr T *end() { return storage + N; }
  __host__ __device__ constexpr void clear() { fill(T(0)); }
  __host__ __device__ constexpr void fill(const T &value) {
    for (int i = 0; i < N; i++) storage[i] = value;
  }
};
template <class T, int N, int A = sizeof(T) * N> class alignas(A) AlignedArray : public Array<T, N> {};
template <class T, int N> __device__ Array<T, N> operator+(const Array<T, N> &a, const Array<T, N> &b) {
  Array<T, N> made;
  for (int i = 0; i < N; i++) made[i] = a[i] + b[i];
  return made;
}
template <class T, int N> __device__ Array<T, N> operator-(const Array<T, N> &a, const Array<T, N> &b) {
  Array<T, N> made;
  for (int i = 0; i < N; i++) made[i] = a[i] - b[i];
  return made;
}
template <class T, int N> __device__ Array<T, N> operator*(const Array<T, N> &a, const Array<T, N> &b) {
  Array<T, N> made;
  for (int i = 0; i < N; i++) made[i] = a[i] * b[i];
  return made;
}
template <class T, int N> __device__ Array<T, N> operator*(const Array<T, N> &a, T b) {
  Array<T, N> made;
  for (int i = 0; i < N; i++) made[i] = a[i] * b;
  return made;
}
template <class T, int N> __device__ Array<T, N> operator*(T a, const Array<T, N> &b) { return b * a; }
template <class T, int N> __device__ Array<T, N> operator/(const Array<T, N> &a, const Array<T, N> &b) {
  Array<T, N> made;
  for (int i = 0; i < N; i++) made[i] = a[i] / b[i];
  return made;
}
template <class T, int N, int A = 16> struct AlignedBuffer {
  using value_type = T;
  using pointer = T *;
  static constexpr int kCount = N;
  static constexpr int kAlign = A;
  alignas(A) unsigned char storage[sizeof(T) * N];
  __host__ __device__ T *data() { return (T *)storage; }
  __host__ __device__ const T *data() const { return (const T *)storage; }
  __host__ __device__ constexpr size_t size() const { return N; }
};

enum class FloatRoundStyle { round_indeterminate, round_toward_zero, round_to_nearest, round_to_nearest_satfinite, round_toward_infinity, round_toward_neg_infinity };
template <class T, class S, FloatRoundStyle R = FloatRoundStyle::round_to_nearest> struct NumericConverter {
  using result_type = T;
  using source_type = S;
  __host__ __device__ static T convert(const S &value) { return (T)value; }
  __host__ __device__ T operator()(const S &value) const { return (T)value; }
};
template <class T, class S, int N, FloatRoundStyle R = FloatRoundStyle::round_to_nearest> struct NumericArrayConverter {
  using result_type = Array<T, N>;
  using source_type = Array<S, N>;
  __host__ __device__ static Array<T, N> convert(const Array<S, N> &values) {
    Array<T, N> made;
    for (int i = 0; i < N; i++) made[i] = (T)values[i];
    return made;
  }
  __host__ __device__ Array<T, N> operator()(const Array<S, N> &values) const { return convert(values); }
};

template <int ROWS, int COLUMNS> struct MatrixShape {
  static constexpr int kRow = ROWS;
  static constexpr int kColumn = COLUMNS;
  static constexpr int kCount = ROWS * COLUMNS;
};
namespace gemm {
template <int M = 1, int N = 1, int K = 1> struct GemmShape {
  static constexpr int kM = M;
  static constexpr int kN = N;
  static constexpr int kK = K;
  static constexpr int kMN = M * N;
  static constexpr int kMK = M * K;
  static constexpr int kKN = N * K;
  static constexpr int kMNK = M * N * K;
  static constexpr int kCount = kMNK;
};
}

struct FastDivmod {
  int divisor = 1;
  unsigned multiplier = 0, shift_right = 0;
  __host__ __device__ FastDivmod() {}
  __host__ __device__ FastDivmod(int by) : divisor(by) {}
  __host__ __device__ void fast_divmod(int &quotient, int &remainder, int dividend) const {
    quotient = dividend / divisor;
    remainder = dividend % divisor;
  }
  __host__ __device__ void operator()(int &quotient, int &remainder, int dividend) const { fast_divmod(quotient, remainder, dividend); }
  __host__ __device__ int div(int dividend) const { return dividend / divisor; }
  __host__ __device__ int rem(int dividend) const { return dividend % divisor; }
  __host__ __device__ int divmod(int &remainder, int dividend) const {
    remainder = dividend % divisor;
    return dividend / divisor;
  }
  __host__ __device__ operator int() const { return divisor; }
};
struct FastDivmodU64 {
  unsigned long divisor = 0, multiplier = 0;
  unsigned shift_right = 0, round_up = 0;
  __host__ __device__ FastDivmodU64() {}
  __host__ __device__ FastDivmodU64(unsigned long by) : divisor(by) {}
  __host__ __device__ unsigned long divide(unsigned long dividend) const { return dividend / divisor; }
  __host__ __device__ unsigned long modulus(unsigned long quotient, unsigned long dividend) const { return dividend - quotient * divisor; }
  __host__ __device__ unsigned long divmod(unsigned long &remainder, unsigned long dividend) const {
    remainder = dividend % divisor;
    return dividend / divisor;
  }
  __host__ __device__ unsigned long operator()(unsigned long dividend) const { return dividend / divisor; }
};
template <class A, class B> __host__ __device__ constexpr auto ceil_div(A a, B b) { return (a + b - 1) / b; }
template <class A, class B> __host__ __device__ constexpr auto round_up(A a, B b) { return (a + b - 1) / b * b; }
__host__ __device__ inline int canonical_lane_idx() { return threadIdx.x % 32; }
__host__ __device__ inline int canonical_warp_idx() { return __shfl_sync(0xffffffff, threadIdx.x / 32, 0); }
__host__ __device__ inline int canonical_warp_idx_sync() { return __shfl_sync(0xffffffff, threadIdx.x / 32, 0); }
__host__ __device__ inline int canonical_warp_group_idx() { return __shfl_sync(0xffffffff, threadIdx.x / 128, 0); }
}
