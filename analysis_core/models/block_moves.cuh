// Bytes moved where nothing is known of their alignment, as nvcc 13 does it: one by one, whatever the pointers' types.
inline __device__ void __move_bytes(void *to, const void *from, size_t count) {
  for (size_t i = 0; i < count; i++) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}
inline __device__ void __set_bytes(void *to, int value, size_t count) {
  for (size_t i = 0; i < count; i++) ((unsigned char *)to)[i] = value;
}
