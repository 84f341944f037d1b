// An array that is an object.
namespace NAMESPACE {
template <class T, unsigned long N> struct array {
  typedef T value_type;
  T elements_[N];
  __host__ __device__ constexpr T &operator[](unsigned long i) const { return elements_[i]; }
  __host__ __device__ constexpr T &at(unsigned long i) const { return elements_[i]; }
  __host__ __device__ constexpr T &front() const { return elements_[0]; }
  __host__ __device__ constexpr T &back() const { return elements_[N - 1]; }
  __host__ __device__ constexpr T *data() const { return elements_; }
  __host__ __device__ constexpr T *begin() const { return elements_; }
  __host__ __device__ constexpr T *end() const { return elements_ + N; }
  __host__ __device__ constexpr unsigned long size() const { return N; }
  __host__ __device__ constexpr unsigned long max_size() const { return N; }
  __host__ __device__ constexpr bool empty() const { return N == 0; }
  __host__ __device__ void fill(T value) { for (unsigned long i = 0; i < N; i++) elements_[i] = value; }
};
template <class T> struct array<T, 0> {
  typedef T value_type;
  alignas(ALIGNED) char nothing_[BYTES];
  __host__ __device__ constexpr unsigned long size() const { return 0; }
  __host__ __device__ constexpr bool empty() const { return true; }
};
}
