// A pointer and a number of elements, which a type may have instead; NAMESPACE comes from `index.txt`.
namespace NAMESPACE {
constexpr unsigned long dynamic_extent = ~0ul;
template <class T, unsigned long E = ~0ul> class span {
  T *data_;
 public:
  typedef T element_type;
  typedef unsigned long size_type;
  __host__ __device__ constexpr span(T *data, unsigned long size) : data_(data) {}
  template <class U> __host__ __device__ constexpr span(U (&array)[E]) : data_(array) {}
  __host__ __device__ constexpr T *data() const { return data_; }
  __host__ __device__ constexpr unsigned long size() const { return E; }
  __host__ __device__ constexpr unsigned long size_bytes() const { return E * sizeof(T); }
  __host__ __device__ constexpr bool empty() const { return E == 0; }
  __host__ __device__ constexpr T &operator[](unsigned long i) const { return data_[i]; }
  __host__ __device__ constexpr T &front() const { return data_[0]; }
  __host__ __device__ constexpr T &back() const { return data_[E - 1]; }
  __host__ __device__ constexpr T *begin() const { return data_; }
  __host__ __device__ constexpr T *end() const { return data_ + E; }
};
template <class T> class span<T, ~0ul> {
  T *data_;
  unsigned long size_;
 public:
  typedef T element_type;
  typedef unsigned long size_type;
  __host__ __device__ constexpr span() : data_(nullptr), size_(0) {}
  __host__ __device__ constexpr span(T *data, unsigned long size) : data_(data), size_(size) {}
  template <class U, unsigned long N> __host__ __device__ constexpr span(U (&array)[N]) : data_(array), size_(N) {}
  template <class U> __host__ __device__ constexpr span(const span<U> &other) : data_(other.data()), size_(other.size()) {}
  __host__ __device__ constexpr T *data() const { return data_; }
  __host__ __device__ constexpr unsigned long size() const { return size_; }
  __host__ __device__ constexpr unsigned long size_bytes() const { return size_ * sizeof(T); }
  __host__ __device__ constexpr bool empty() const { return size_ == 0; }
  __host__ __device__ constexpr T &operator[](unsigned long i) const { return data_[i]; }
  __host__ __device__ constexpr T &front() const { return data_[0]; }
  __host__ __device__ constexpr T &back() const { return data_[size_ - 1]; }
  __host__ __device__ constexpr T *begin() const { return data_; }
  __host__ __device__ constexpr T *end() const { return data_ + size_; }
  __host__ __device__ constexpr span first(unsigned long count) const { return span(data_, count); }
  __host__ __device__ constexpr span last(unsigned long count) const { return span(data_ + size_ - count, count); }
  __host__ __device__ constexpr span subspan(unsigned long from, unsigned long count) const { return span(data_ + from, count); }
  __host__ __device__ constexpr span subspan(unsigned long from) const { return span(data_ + from, size_ - from); }
};
}
