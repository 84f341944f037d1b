// Loops over a grid by the macros of frameworks whose headers are not here.
#include <ATen/cuda/detail/KernelUtils.h>

//! unknown none
__global__ void strided(float *out, const float *in, int n) {
    CUDA_KERNEL_LOOP(i, n) {
        out[i] = in[8 * i];
//               ^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//               ^^^^^^^^^ access! space=global rw=R bytes=4 worst=32
    }
    CUDA_1D_KERNEL_LOOP_T(j, min(n, 100), long) out[j % C10_WARP_SIZE] = 0.0f;
}

// Shuffles by their names there.
//! unknown none
__global__ void folded(float *out, const float *in) {
    float sum = in[threadIdx.x];
    for (int by = 16; by > 0; by /= 2) sum += WARP_SHFL_XOR(sum, by);
    out[threadIdx.x] = WARP_SHFL(sum, 0);
//  ^^^^^^^^^^^^^^^^ access! space=global rw=W bytes=4 worst=4 best=4
}
