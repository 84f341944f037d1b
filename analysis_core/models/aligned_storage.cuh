// Room for an object (libstdc++ of GCC 12; CCCL 3); LEAST comes from `index.txt`.
namespace NAMESPACE {
template <unsigned long N, unsigned long A = LEAST> struct aligned_storage { struct type { alignas(A) unsigned char data[N]; }; };
template <unsigned long N, unsigned long A = LEAST> using aligned_storage_t = typename aligned_storage<N, A>::type;
}
