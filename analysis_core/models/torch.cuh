// Atomic additions of PyTorch (ATen/cuda/Atomic.cuh), for types that the device adds itself.
template <class T> __device__ T gpuAtomicAdd(T *address, T value) { return atomicAdd(address, value); }
template <class T> __device__ void gpuAtomicAddNoReturn(T *address, T value) { atomicAdd(address, value); }
template <class T> __device__ T gpuAtomicMax(T *address, T value) { return atomicMax(address, value); }
template <class T> __device__ T gpuAtomicMin(T *address, T value) { return atomicMin(address, value); }
