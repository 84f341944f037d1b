// Where the linker puts arrays of the device: behind others of the module, at a multiple of what their type asks for.
// PARAM: --block 64

struct Pair { short a, b; };

__device__ char flag;
__device__ float weights[1024];
__device__ short halves[1024];
__device__ Pair pairs[1024];
__device__ double sums[1024];
__device__ alignas(32) float lined[1024];
__device__ __align__(16) int quads[1024];
__device__ float4 vectors[256];
__managed__ int shared_with_host[64];
__constant__ float table[64];

// One sector more where a warp's elements lie side by side, and it is not known whether it is paid.
__global__ void side_by_side(float *out) {
    int t = threadIdx.x;
    out[t] = weights[t] + halves[t];
//           ^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global
//                        ^^^^^^^^^ access! worst=3 best=2 ideal=2
    out[t] += pairs[t].a + sums[t];
//            ^^^^^^^^^^ access! worst=5 best=4
//                         ^^^^^^^ access! worst=9 best=8 ideal=8
    out[t] += shared_with_host[t] + flag;
//            ^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4
//                                  ^^^^ access! worst=1 best=1
}

// What the declaration asks for is known.
__global__ void declared(float *out) {
    int t = threadIdx.x;
    out[t] = lined[t] + quads[t];
//           ^^^^^^^^ access! worst=4 best=4
//                      ^^^^^^^^ access! worst=5 best=4
    reinterpret_cast<float4 *>(out)[t] = vectors[t];
//                                       ^^^^^^^^^^ access! worst=17 best=16
}

// Lanes that are a sector apart find a sector each, wherever the array begins; all on one element find one.
__global__ void apart(float *out) {
    int t = threadIdx.x;
    out[t] = weights[8 * t] + weights[blockIdx.x];
//           ^^^^^^^^^^^^^^ access! worst=32 best=32
//           ^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
//                            ^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1
}

// Constant memory is paid by the address, and a block's own memory begins where it did.
__global__ void elsewhere(float *out) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = table[0];
//  ^^^^^^^ access! worst=1 best=1
//            ^^^^^^^^ access! worst=1 best=1 space=constant
    out[t] = tile[t ^ 1] + table[t % 2];
//           ^^^^^^^^^^^ access! worst=1 best=1
//                         ^^^^^^^^^^^^ access! worst=2 best=2
}

// Nobody can do anything about the sector too many: no finding, no remark at the line's end.
__global__ void quiet(float *out) {
    int t = threadIdx.x;
    weights[t] = out[t];
//  ^^^^^^^^^^ access! worst=5 best=4
//  ^^^^^^^^^^ none[WC102]
//  ^^^^^^^^^^ none[WC101]
    out[t] += lined[t + 1];
//            ^^^^^^^^^^^^ access! worst=5 best=5
}
