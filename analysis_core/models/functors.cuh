// Operations as objects, of one type or of any; NAMESPACE comes from `index.txt`.
namespace NAMESPACE {
template <class T = void> struct plus { template <class A, class B> __host__ __device__ auto operator()(const A &a, const B &b) const { return a + b; } };
template <class T = void> struct minus { template <class A, class B> __host__ __device__ auto operator()(const A &a, const B &b) const { return a - b; } };
template <class T = void> struct multiplies { template <class A, class B> __host__ __device__ auto operator()(const A &a, const B &b) const { return a * b; } };
template <class T = void> struct maximum { template <class A, class B> __host__ __device__ auto operator()(const A &a, const B &b) const { return a < b ? b : a; } };
template <class T = void> struct minimum { template <class A, class B> __host__ __device__ auto operator()(const A &a, const B &b) const { return b < a ? b : a; } };
template <class T = void> struct less { template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) const { return a < b; } };
template <class T = void> struct greater { template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) const { return a > b; } };
template <class T = void> struct equal_to { template <class A, class B> __host__ __device__ bool operator()(const A &a, const B &b) const { return a == b; } };
}
