// Room for an object (libstdc++ of GCC 12).
namespace NAMESPACE {
template <unsigned long N, unsigned long A = 16> struct aligned_storage { struct type { alignas(A) unsigned char data[N]; }; };
template <unsigned long N, unsigned long A = 16> using aligned_storage_t = typename aligned_storage<N, A>::type;
}
