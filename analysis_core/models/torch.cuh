// Atomic additions of PyTorch (ATen/cuda/Atomic.cuh), for types that the device adds itself.
template <class T> __device__ T gpuAtomicAdd(T *address, T value) { return atomicAdd(address, value); }
template <class T> __device__ void gpuAtomicAddNoReturn(T *address, T value) { atomicAdd(address, value); }
template <class T> __device__ T gpuAtomicMax(T *address, T value) { return atomicMax(address, value); }
template <class T> __device__ T gpuAtomicMin(T *address, T value) { return atomicMin(address, value); }
// Shuffles and votes of whole warps (ATen/cuda/DeviceUtils.cuh).
template <class T> __device__ T WARP_SHFL(T value, int lane, int width = 32, unsigned mask = 0xffffffff) { return __shfl_sync(mask, value, lane, width); }
template <class T> __device__ T WARP_SHFL_XOR(T value, int lanes, int width = 32, unsigned mask = 0xffffffff) { return __shfl_xor_sync(mask, value, lanes, width); }
template <class T> __device__ T WARP_SHFL_UP(T value, unsigned by, int width = 32, unsigned mask = 0xffffffff) { return __shfl_up_sync(mask, value, by, width); }
template <class T> __device__ T WARP_SHFL_DOWN(T value, unsigned by, int width = 32, unsigned mask = 0xffffffff) { return __shfl_down_sync(mask, value, by, width); }
__device__ inline unsigned WARP_BALLOT(int predicate, unsigned mask = 0xffffffff) { return __ballot_sync(mask, predicate); }
__device__ inline bool WARP_ANY(int predicate, unsigned mask = 0xffffffff) { return __any_sync(mask, predicate); }
