// Barriers and pipelines of libcu++, and copies of whole groups (CCCL 3: cuda/barrier, cuda/pipeline, cuda/__memcpy_async).
// Barriers are worked on by instructions of their own (`SYNCS`), which pass no bank.  A copy goes in pieces of the alignment that its types tell,
// at most 16 bytes, a piece for each thread of the group in turn.
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <size_t A> struct aligned_size_t {
  static constexpr size_t align = A;
  size_t value;
  __host__ __device__ explicit aligned_size_t(size_t size) : value(size) {}
  __host__ __device__ operator size_t() const { return value; }
};
template <class S> struct __alignment_of_size { static constexpr size_t value = 1; };
template <size_t A> struct __alignment_of_size<aligned_size_t<A>> { static constexpr size_t value = A; };

template <thread_scope S, class F = void> class barrier {
  unsigned long long state;
 public:
  typedef unsigned long long arrival_token;
  __device__ barrier() {}
  __device__ barrier(ptrdiff_t expected) { warpcost::made("barrier", this, expected); }
  __device__ arrival_token arrive(ptrdiff_t count = 1) { return warpcost::arrive("arrive", this, count); }
  __device__ void arrive_and_drop() { warpcost::arrive("arrive_and_drop", this, 0); }
  __device__ void arrive_and_wait() { warpcost::sync("arrive_and_wait", this); }
  __device__ void wait(arrival_token token) const { warpcost::wait("wait", this, token); }
  __device__ void wait_parity(bool parity) const { warpcost::wait("barrier"); }
  __device__ bool try_wait(arrival_token token) const { warpcost::wait("barrier"); return true; }
  __device__ bool try_wait_parity(bool parity) const { warpcost::wait("barrier"); return true; }
};
template <thread_scope S, class F> __device__ void init(barrier<S, F> *made, ptrdiff_t expected) { warpcost::made("init", made, expected); }

template <thread_scope S, unsigned N> struct pipeline_shared_state {
  barrier<S> stages[2 * N];
  unsigned refcount;
  __device__ pipeline_shared_state() {}
};
enum class pipeline_role { producer, consumer };
template <thread_scope S> class pipeline {
 public:
  unsigned char head, tail;
  void *state;
  __device__ void producer_acquire() { warpcost::acquire("producer_acquire", state); }
  __device__ void producer_commit() { warpcost::commit("producer_commit", state); }
  __device__ void consumer_wait() { warpcost::consume("consumer_wait", state); }
  __device__ void consumer_release() { warpcost::release("consumer_release", state); }
  __device__ bool quit() {
    warpcost::quit("quit", state);
    return true;
  }
};
template <> class pipeline<thread_scope_thread> {
  int ahead;  // how many stages are committed and not waited for; two bytes of the library's
 public:
  __device__ pipeline() : ahead(0) {}
  __device__ void producer_acquire() {}
  __device__ void producer_commit() {
    warpcost::commits_copies();
    ahead = ahead + 1;
  }
  __device__ void consumer_wait() {
    ahead = ahead - 1;
    warpcost::awaits_copies(ahead);
  }
  __device__ void consumer_release() {}
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
template <class G, thread_scope S> __device__ pipeline<S> __made_pipeline(const G &group, void *state, unsigned *refcount, unsigned stages) {
  if (group.thread_rank() == 0) *refcount = 0;
  warpcost::stages("make_pipeline", state, group.size(), stages);
  group.sync();
  atomicAdd(refcount, 1u);  // when it is destroyed
  pipeline<S> made;
  made.state = state;
  return made;
}
template <class G, thread_scope S, unsigned N> __device__ pipeline<S> make_pipeline(const G &group, pipeline_shared_state<S, N> *state) {
  return __made_pipeline<G, S>(group, state, &state->refcount, N);
}
template <class G, thread_scope S, unsigned N, class R> __device__ pipeline<S> make_pipeline(const G &group, pipeline_shared_state<S, N> *state, R role) {
  return __made_pipeline<G, S>(group, state, &state->refcount, 0);  // some produce and others consume: who waits for whom is not said
}
template <unsigned char PRIOR> __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &pipe) { warpcost::awaits_copies(PRIOR); }
template <thread_scope S> __device__ void pipeline_producer_commit(pipeline<thread_scope_thread> &pipe, barrier<S> &bar) { __threadfence_block(); }

template <size_t N> struct alignas(N) __piece { unsigned char bytes[N]; };
template <size_t N> __device__ void __copied(void *to, const void *from, size_t size, size_t rank, size_t threads) {
  warpcost::copy_begins();
  for (size_t at = rank * N; at < size; at += threads * N) {
    *(__piece<N> *)((char *)to + at) = *(const __piece<N> *)((const char *)from + at);
  }
  warpcost::copy_ends();
}
template <size_t N> __device__ void __copied_aligned(void *to, const void *from, size_t size, size_t rank, size_t threads) {
  __copied<(N > 16 ? 16 : N)>(to, from, size, rank, threads);
}
template <class T, class S> struct __alignment_of_copy {
  static constexpr size_t of_size = __alignment_of_size<S>::value;
  static constexpr size_t value = alignof(T) < of_size ? of_size : alignof(T);
};
template <class S> struct __alignment_of_copy<void, S> { static constexpr size_t value = __alignment_of_size<S>::value; };
template <thread_scope S, class F> __device__ void __bound(barrier<S, F> &by) { warpcost::binds("memcpy_async", &by); }
template <thread_scope S> __device__ void __bound(pipeline<S> &by) { warpcost::binds("memcpy_async", by.state); }
__device__ inline void __bound(pipeline<thread_scope_thread> &by) {}
template <class G, class T, class U, class S, class B> __device__ void memcpy_async(const G &group, T *to, const U *from, S size, B &done) {
  __copied_aligned<__alignment_of_copy<U, S>::value>(to, from, size, group.thread_rank(), group.size());
  __bound(done);
}
template <class T, class U, class S, class B> __device__ void memcpy_async(T *to, const U *from, S size, B &done) {
  __copied_aligned<__alignment_of_copy<U, S>::value>(to, from, size, 0, 1);
  __bound(done);
}
}
namespace cooperative_groups {
template <class G, class T, class U, class S> __device__ void memcpy_async(const G &group, T *to, const U *from, const S &size) {
  constexpr size_t A = cuda::__alignment_of_copy<U, S>::value;
  if (A < 4) warpcost::opaque("in how large pieces these bytes are copied depends on their addresses");
  else cuda::__copied_aligned<A>(to, from, size, group.thread_rank(), group.size());
  warpcost::commits_copies();
}
template <class G, class T, class C, class U, class D> __device__ void memcpy_async(const G &group, T *to, const C &room, const U *from, const D &count) {
  size_t least = (size_t)room < (size_t)count ? (size_t)room : (size_t)count;
  memcpy_async(group, to, from, least * sizeof(U));
}
template <class G> __device__ void wait(const G &group) { warpcost::awaits_copies(-1); group.sync(); }
template <unsigned STAGES, class G> __device__ void wait_prior(const G &group) { warpcost::awaits_copies(STAGES); group.sync(); }
}
