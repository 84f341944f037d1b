// Two objects, the first one first.
namespace NAMESPACE {
template <class A, class B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  __host__ __device__ constexpr pair() : first(), second() {}
  __host__ __device__ constexpr pair(const A a, const B b) : first(a), second(b) {}
};
template <class A, class B> __host__ __device__ pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }
}
