// Atomic built-in functions of the compiler (CUDA C++ programming guide, "Atomic functions").
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };
inline __device__ void __nv_atomic_thread_fence(int, int = 4) { __threadfence(); }
template <class T> inline __device__ T __nv_atomic_load_n(const T *p, int, int = 4) { return *(const volatile T *)p; }
template <class T> inline __device__ void __nv_atomic_load(const T *p, T *to, int, int = 4) { *to = *(const volatile T *)p; }
template <class T, class V> inline __device__ void __nv_atomic_store_n(T *p, V v, int, int = 4) { *(volatile T *)p = v; }
template <class T> inline __device__ void __nv_atomic_store(T *p, T *v, int, int = 4) { *(volatile T *)p = *v; }
template <class T, class V> inline __device__ T __nv_atomic_exchange_n(T *p, V v, int, int = 4) { return atomicExch(p, (T)v); }
template <class T> inline __device__ void __nv_atomic_exchange(T *p, T *v, T *old, int, int = 4) { *old = atomicExch(p, *v); }
template <class T, class V>
inline __device__ bool __nv_atomic_compare_exchange_n(T *p, T *expected, V v, bool, int, int, int = 4) {
  T wanted = *expected, old = atomicCAS(p, wanted, (T)v);
  *expected = old;
  return old == wanted;
}
template <class T>
inline __device__ bool __nv_atomic_compare_exchange(T *p, T *expected, T *v, bool, int, int, int = 4) {
  T wanted = *expected, old = atomicCAS(p, wanted, *v);
  *expected = old;
  return old == wanted;
}
template <class T, class V> inline __device__ T __nv_atomic_fetch_add(T *p, V v, int, int = 4) { return atomicAdd(p, (T)v); }
template <class T, class V> inline __device__ T __nv_atomic_fetch_sub(T *p, V v, int, int = 4) { return atomicAdd(p, (T)-(T)v); }
template <class T, class V> inline __device__ T __nv_atomic_fetch_and(T *p, V v, int, int = 4) { return atomicAnd(p, (T)v); }
template <class T, class V> inline __device__ T __nv_atomic_fetch_or(T *p, V v, int, int = 4) { return atomicOr(p, (T)v); }
template <class T, class V> inline __device__ T __nv_atomic_fetch_xor(T *p, V v, int, int = 4) { return atomicXor(p, (T)v); }
template <class T, class V> inline __device__ T __nv_atomic_fetch_min(T *p, V v, int, int = 4) { return atomicMin(p, (T)v); }
template <class T, class V> inline __device__ T __nv_atomic_fetch_max(T *p, V v, int, int = 4) { return atomicMax(p, (T)v); }
template <class T, class V> inline __device__ void __nv_atomic_add(T *p, V v, int, int = 4) { atomicAdd(p, (T)v); }
template <class T, class V> inline __device__ void __nv_atomic_sub(T *p, V v, int, int = 4) { atomicAdd(p, (T)-(T)v); }
template <class T, class V> inline __device__ void __nv_atomic_and(T *p, V v, int, int = 4) { atomicAnd(p, (T)v); }
template <class T, class V> inline __device__ void __nv_atomic_or(T *p, V v, int, int = 4) { atomicOr(p, (T)v); }
template <class T, class V> inline __device__ void __nv_atomic_xor(T *p, V v, int, int = 4) { atomicXor(p, (T)v); }
template <class T, class V> inline __device__ void __nv_atomic_min(T *p, V v, int, int = 4) { atomicMin(p, (T)v); }
template <class T, class V> inline __device__ void __nv_atomic_max(T *p, V v, int, int = 4) { atomicMax(p, (T)v); }
