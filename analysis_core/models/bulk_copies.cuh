// Copies of many bytes by one thread, which pass no register: whole sectors, 32 bytes a step (PTX ISA, cp.async.bulk).
inline __device__ void __bulk_copy(void *to, const void *from, unsigned bytes) {
  for (unsigned at = 0; at < bytes; at += 32) warpcost::move<ulonglong4_32a>((char *)to + at, (const char *)from + at);
}
