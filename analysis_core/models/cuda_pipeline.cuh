// Copies to shared memory that pass no register (CUDA C++ programming guide, "Pipeline primitives"; PTX ISA, cp.async).
// 4, 8 or 16 bytes at a multiple of their number, hence of one sector; the last `zfill` of them are not read but zero.
template <int N> struct __pipeline_words { alignas(4 * N) int word[N]; };
template <int N> inline __device__ void __pipeline_copy(__pipeline_words<N> *to, const __pipeline_words<N> *from, size_t zfill) {
  warpcost::copy_begins();
  __pipeline_words<N> copied = {};
  if (zfill < 4 * N) copied = *from;
  if (zfill > 0) {
    for (int at = 0; at < N; at++) {
      int left = 4 * (N - at) - (int)zfill;
      copied.word[at] = left >= 4 ? copied.word[at] : left > 0 ? copied.word[at] & (1 << 8 * left) - 1 : 0;
    }
  }
  *to = copied;
  warpcost::copy_ends();
}
inline __device__ void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zfill = 0) {
  if (size == 16) __pipeline_copy((__pipeline_words<4> *)to, (const __pipeline_words<4> *)from, zfill);
  else if (size == 8) __pipeline_copy((__pipeline_words<2> *)to, (const __pipeline_words<2> *)from, zfill);
  else __pipeline_copy((__pipeline_words<1> *)to, (const __pipeline_words<1> *)from, zfill);
}
inline __device__ void __pipeline_commit() { warpcost::commits_copies(); }
inline __device__ void __pipeline_wait_prior(size_t left) { warpcost::awaits_copies(left); }
inline __device__ void __pipeline_arrive_on(void *) { __threadfence_block(); }
