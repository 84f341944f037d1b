// A value and, behind it, whether there is one.
namespace NAMESPACE {
template <class T> struct optional_payload_ { T value; bool engaged; };
template <class T> struct optional {
  typedef T value_type;
  optional_payload_<T> held_;
  __host__ __device__ constexpr optional() { held_.engaged = false; }
  __host__ __device__ constexpr optional(const T value) { held_.value = value; held_.engaged = true; }
  __host__ __device__ constexpr bool has_value() const { return held_.engaged; }
  __host__ __device__ constexpr T &value() const { return held_.value; }
  __host__ __device__ constexpr T &operator*() const { return held_.value; }
  __host__ __device__ constexpr T value_or(T other) const { return held_.engaged ? held_.value : other; }
  __host__ __device__ constexpr operator bool() const { return held_.engaged; }
};
}
