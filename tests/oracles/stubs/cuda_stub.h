/* What clang needs to know of CUDA to read kernels without the toolkit: attributes, built-in variables, vector types and the
   functions that kernels call most.  Functions are declared only; nothing of this is compiled into anything. */
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __inline_hint__
#define __host_device__ __host__ __device__
#define CUDART_CB
#define CUDA_CB

typedef decltype(sizeof(0)) size_t;

#define VECTORS(base, name, a2, a4)                                                                                      \
    struct name##1 { base x; };                                                                                          \
    struct __attribute__((aligned(a2))) name##2 { base x, y; };                                                          \
    struct name##3 { base x, y, z; };                                                                                    \
    struct __attribute__((aligned(a4))) name##4 { base x, y, z, w; };                                                    \
    __host__ __device__ name##1 make_##name##1(base);                                                                    \
    __host__ __device__ name##2 make_##name##2(base, base);                                                              \
    __host__ __device__ name##3 make_##name##3(base, base, base);                                                        \
    __host__ __device__ name##4 make_##name##4(base, base, base, base);
VECTORS(signed char, char, 2, 4)
VECTORS(unsigned char, uchar, 2, 4)
VECTORS(short, short, 4, 8)
VECTORS(unsigned short, ushort, 4, 8)
VECTORS(int, int, 8, 16)
VECTORS(unsigned int, uint, 8, 16)
VECTORS(long, long, 16, 16)
VECTORS(unsigned long, ulong, 16, 16)
VECTORS(long long, longlong, 16, 16)
VECTORS(unsigned long long, ulonglong, 16, 16)
VECTORS(float, float, 8, 16)
VECTORS(double, double, 16, 16)
#undef VECTORS

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};

extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
extern "C" int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef struct cudaArray *cudaArray_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor, multiProcessorCount;
    int maxThreadsPerMultiProcessor, l2CacheSize, memoryClockRate, memoryBusWidth, concurrentKernels, integrated, canMapHostMemory;
    int managedMemory, cooperativeLaunch, concurrentManagedAccess, asyncEngineCount, computeMode, unifiedAddressing, ECCEnabled;
};
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
#define API(name) template <class... T> cudaError_t name(T &&...);
API(cudaMalloc)
API(cudaMallocHost)
API(cudaMallocManaged)
API(cudaMemcpy)
API(cudaMemcpyAsync)
API(cudaMemset)
API(cudaMemsetAsync)
API(cudaFree)
API(cudaFreeHost)
API(cudaFreeAsync)
API(cudaFreeArray)
API(cudaDeviceSynchronize)
API(cudaThreadSynchronize)
API(cudaThreadExit)
API(cudaGetLastError)
API(cudaPeekAtLastError)
API(cudaSetDevice)
API(cudaGetDevice)
API(cudaGetDeviceCount)
API(cudaGetDeviceProperties)
API(cudaDeviceGetAttribute)
API(cudaDeviceReset)
API(cudaDeviceSetLimit)
API(cudaDeviceSetCacheConfig)
API(cudaFuncSetCacheConfig)
API(cudaFuncSetAttribute)
API(cudaFuncGetAttributes)
API(cudaEventCreate)
API(cudaEventCreateWithFlags)
API(cudaEventRecord)
API(cudaEventSynchronize)
API(cudaEventElapsedTime)
API(cudaEventDestroy)
API(cudaEventQuery)
API(cudaStreamCreate)
API(cudaStreamCreateWithFlags)
API(cudaStreamDestroy)
API(cudaStreamSynchronize)
API(cudaStreamWaitEvent)
API(cudaStreamQuery)
API(cudaHostAlloc)
API(cudaHostRegister)
API(cudaHostUnregister)
API(cudaHostGetDevicePointer)
API(cudaMallocPitch)
API(cudaMallocArray)
API(cudaMalloc3DArray)
API(cudaMallocAsync)
API(cudaMemcpy2D)
API(cudaMemcpy2DAsync)
API(cudaMemcpy2DToArray)
API(cudaMemcpy3D)
API(cudaMemcpyToArray)
API(cudaMemcpyToSymbol)
API(cudaMemcpyFromSymbol)
API(cudaMemcpyToSymbolAsync)
API(cudaMemGetInfo)
API(cudaMemAdvise)
API(cudaMemPrefetchAsync)
API(cudaGetSymbolAddress)
API(cudaCreateTextureObject)
API(cudaDestroyTextureObject)
API(cudaCreateSurfaceObject)
API(cudaDestroySurfaceObject)
API(cudaBindTexture)
API(cudaBindTextureToArray)
API(cudaUnbindTexture)
API(cudaOccupancyMaxActiveBlocksPerMultiprocessor)
API(cudaOccupancyMaxPotentialBlockSize)
API(cudaDeviceCanAccessPeer)
API(cudaDeviceEnablePeerAccess)
API(cudaDeviceDisablePeerAccess)
API(cudaGraphLaunch)
API(cudaGraphInstantiate)
API(cudaGraphDestroy)
API(cudaGraphExecDestroy)
API(cudaGraphCreate)
API(cudaStreamBeginCapture)
API(cudaStreamEndCapture)
API(cudaStreamAttachMemAsync)
API(cudaProfilerStart)
API(cudaProfilerStop)
API(cudaRuntimeGetVersion)
API(cudaDriverGetVersion)
API(cudaLaunchCooperativeKernel)
#undef API

__device__ void __syncthreads();
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned = 0xffffffff);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __trap();
__device__ long long clock64();
__device__ int clock();
#define ATOMIC(name)                                                                                                     \
    template <class T, class U> __device__ T name(T *, U);                                                               \
    template <class T, class U> __device__ T name##_block(T *, U);                                                       \
    template <class T, class U> __device__ T name##_system(T *, U);
ATOMIC(atomicAdd)
ATOMIC(atomicSub)
ATOMIC(atomicMin)
ATOMIC(atomicMax)
ATOMIC(atomicExch)
ATOMIC(atomicAnd)
ATOMIC(atomicOr)
ATOMIC(atomicXor)
ATOMIC(atomicInc)
ATOMIC(atomicDec)
#undef ATOMIC
template <class T, class U, class V> __device__ T atomicCAS(T *, U, V);
template <class T> __device__ T __ldg(const T *);
template <class T> __device__ T __ldcs(const T *);
template <class T> __device__ T __ldcg(const T *);
template <class T, class U> __device__ void __stcs(T *, U);
template <class T> __device__ T __shfl_sync(unsigned, T, int, int = 32);
template <class T> __device__ T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <class T> __device__ T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned, T, int, int = 32);
template <class T> __device__ T __shfl(T, int, int = 32);
template <class T> __device__ T __shfl_up(T, unsigned, int = 32);
template <class T> __device__ T __shfl_down(T, unsigned, int = 32);
template <class T> __device__ T __shfl_xor(T, int, int = 32);
__device__ unsigned __ballot_sync(unsigned, int);
__device__ int __any_sync(unsigned, int);
__device__ int __all_sync(unsigned, int);
__device__ unsigned __activemask();
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ int __clz(int);
__device__ int __clzll(long long);
__device__ int __ffs(int);
__device__ int __ffsll(long long);
__device__ unsigned __brev(unsigned);
__device__ int __mul24(int, int);
__device__ unsigned __umul24(unsigned, unsigned);
__device__ unsigned __umulhi(unsigned, unsigned);
__device__ int __float_as_int(float);
__device__ float __int_as_float(int);
__device__ unsigned __float_as_uint(float);
__device__ float __uint_as_float(unsigned);
__device__ float __expf(float);
__device__ float __logf(float);
__device__ float __powf(float, float);
__device__ float __sinf(float);
__device__ float __cosf(float);
__device__ float __fdividef(float, float);
__device__ float __fsqrt_rn(float);
__device__ float __saturatef(float);
__device__ float rsqrtf(float);
__device__ double rsqrt(double);
__device__ int __float2int_rn(float);
__device__ int __float2int_rd(float);
__device__ float __int2float_rn(int);
__device__ float __fadd_rn(float, float);
__device__ float __fsub_rn(float, float);
__device__ float __fmul_rn(float, float);
__device__ float __fdiv_rn(float, float);
__device__ float __frsqrt_rn(float);
__device__ float __frcp_rn(float);
__device__ float __fadd_ru(float, float);
__device__ float __fadd_rd(float, float);
__device__ double __longlong_as_double(long long);
__device__ long long __double_as_longlong(double);
__device__ unsigned __byte_perm(unsigned, unsigned, unsigned);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__device__ int __any(int);
__device__ int __all(int);
__device__ unsigned __ballot(int);
__device__ void __sincosf(float, float *, float *);
template <class T> __device__ unsigned __match_any_sync(unsigned, T);
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int);
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float);
template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float);
#define MINMAX(type)                                                                                                     \
    __host__ __device__ type min(type, type);                                                                            \
    __host__ __device__ type max(type, type);
MINMAX(int)
MINMAX(unsigned)
MINMAX(long)
MINMAX(unsigned long)
MINMAX(long long)
MINMAX(unsigned long long)
MINMAX(float)
MINMAX(double)
#undef MINMAX
#include "cuda_fp16.h"
extern "C" __device__ int printf(const char *, ...);
#if __has_include(<cmath>)
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <utility>
#endif
