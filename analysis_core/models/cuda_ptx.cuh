// Instructions by the functions of libcu++ (CCCL 3, cuda/ptx): barrier objects, fences and copies by one thread.
namespace cuda {
namespace ptx {
enum __name { space_global, space_shared, space_cluster, sem_acquire, sem_release, sem_acq_rel, sem_relaxed, sem_sc,
              scope_cta, scope_cluster, scope_gpu, scope_sys };
template <int N> struct n32_t { static constexpr int value = N; };
template <int N> constexpr n32_t<N> n32{};
template <class... A> __device__ void fence_proxy_async(A... spaces) { __threadfence_block(); }
template <class... A> __device__ void fence_proxy_alias(A... spaces) { __threadfence_block(); }
template <class... A> __device__ void fence_mbarrier_init(A... how) { __threadfence_block(); }
template <class... A> __device__ void fence(A... how) { __threadfence(); }
template <class... A> __device__ void mbarrier_init(A... what) { __threadfence_block(); }
template <class... A> __device__ unsigned long mbarrier_arrive(A... what) { __threadfence_block(); return 0; }
template <class... A> __device__ unsigned long mbarrier_arrive_expect_tx(A... what) { __threadfence_block(); return 0; }
template <class... A> __device__ void mbarrier_expect_tx(A... what) { __threadfence_block(); }
template <class... A> __device__ bool mbarrier_test_wait(A... what) { warpcost::wait("mbarrier"); return true; }
template <class... A> __device__ bool mbarrier_try_wait(A... what) { warpcost::wait("mbarrier"); return true; }
template <class... A> __device__ bool mbarrier_test_wait_parity(A... what) { warpcost::wait("mbarrier"); return true; }
template <class... A> __device__ bool mbarrier_try_wait_parity(A... what) { warpcost::wait("mbarrier"); return true; }
template <class... A> __device__ void barrier_cluster_arrive(A... how) { __threadfence_block(); }
template <class... A> __device__ void barrier_cluster_wait(A... how) { warpcost::wait("cluster"); }
template <class... A> __device__ void cp_async_bulk_commit_group(A... how) { __threadfence_block(); }
template <class... A> __device__ void cp_async_bulk_wait_group(A... how) { __threadfence_block(); }
template <class... A> __device__ void cp_async_bulk_wait_group_read(A... how) { __threadfence_block(); }
template <class D, class S, class... A> __device__ void cp_async_bulk(D to_space, S from_space, void *to, const void *from, unsigned size, A... done) {
  __bulk_copy(to, from, size);
}
template <class... A> __device__ void cp_async_bulk_tensor(A... what) { warpcost::uncounted("copies of tiles by tensor maps"); }
__device__ inline unsigned get_sreg_laneid() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
}
namespace device {
namespace experimental {
template <class B> __device__ void cp_async_bulk_global_to_shared(void *to, const void *from, unsigned size, B &done) {
  __bulk_copy(to, from, size);
}
__device__ inline void cp_async_bulk_shared_to_global(void *to, const void *from, unsigned size) {
  __bulk_copy(to, from, size);
}
template <class... A> __device__ void cp_async_bulk_tensor_1d_global_to_shared(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
template <class... A> __device__ void cp_async_bulk_tensor_1d_shared_to_global(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
template <class... A> __device__ void cp_async_bulk_tensor_2d_global_to_shared(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
template <class... A> __device__ void cp_async_bulk_tensor_2d_shared_to_global(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
template <class... A> __device__ void cp_async_bulk_tensor_3d_global_to_shared(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
template <class... A> __device__ void cp_async_bulk_tensor_3d_shared_to_global(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
template <class... A> __device__ void cp_async_bulk_tensor_4d_global_to_shared(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
template <class... A> __device__ void cp_async_bulk_tensor_4d_shared_to_global(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
template <class... A> __device__ void cp_async_bulk_tensor_5d_global_to_shared(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
template <class... A> __device__ void cp_async_bulk_tensor_5d_shared_to_global(const A &...what) { warpcost::uncounted("copies of tiles by tensor maps"); }
__device__ inline void cp_async_bulk_commit_group() { __threadfence_block(); }
template <int N> __device__ void cp_async_bulk_wait_group_read() { __threadfence_block(); }
__device__ inline void fence_proxy_async_shared_cta() { __threadfence_block(); }
}
template <class B> __device__ unsigned long *barrier_native_handle(B &bar) { return (unsigned long *)&bar; }
template <class B> __device__ unsigned long barrier_arrive_tx(B &bar, ptrdiff_t count, ptrdiff_t bytes) { __threadfence_block(); return 0; }
template <class B> __device__ void barrier_expect_tx(B &bar, ptrdiff_t bytes) { __threadfence_block(); }
}
}
