// shifts and `& | ^ ~`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: bits 1-D known
//! block (64)
//! unknown none
__global__ void bits_1d_known(float *out) {
    int i = blockIdx.x * 36 + (((threadIdx.x << 2) | 3) ^ 1) - ((threadIdx.x >> 1) & ~1);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "15 sectors where 4 would do (3.8x)"
//  ^^^^^^ access! worst=15 best=15 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: bits 1-D symbolic
//! block (64)
//! unknown none
__global__ void bits_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p + (((threadIdx.x << 2) | 3) ^ 1) - ((threadIdx.x >> 1) & ~1);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "15 sectors where 4 would do (3.8x)"
//  ^^^^^^ access! worst=15 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: bits 2-D known
//! block (16,4)
//! unknown none
__global__ void bits_2d_known(float *out) {
    int i = threadIdx.y * 36 + (((threadIdx.x << 2) | 3) ^ 1) - ((threadIdx.x >> 1) & ~1);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^ access! worst=12 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: bits 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void bits_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p + (((threadIdx.x << 2) | 3) ^ 1) - ((threadIdx.x >> 1) & ~1);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access worst=16 best=7 true_worst=16 true_best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: bits 3-D known
//! block (8,4,2)
//! unknown none
__global__ void bits_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + (((threadIdx.x << 2) | 3) ^ 1) - ((threadIdx.x >> 1) & ~1);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "18 sectors where 4 would do (4.5x)"
//  ^^^^^^ access! worst=18 best=18 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: bits 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void bits_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + (((threadIdx.x << 2) | 3) ^ 1) - ((threadIdx.x >> 1) & ~1);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "18 sectors where 4 would do (4.5x)"
//  ^^^^^^ access! worst=18 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: bits partial known
//! block (40)
//! unknown none
__global__ void bits_partial_known(float *out) {
    int i = blockIdx.x * 36 + (((threadIdx.x << 2) | 3) ^ 1) - ((threadIdx.x >> 1) & ~1);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "15 sectors where 4 would do (3.8x)"
//  ^^^^^^ access! worst=15 best=15 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: bits partial symbolic
//! block (40)
//! unknown none
__global__ void bits_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p + (((threadIdx.x << 2) | 3) ^ 1) - ((threadIdx.x >> 1) & ~1);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "15 sectors where 4 would do (3.8x)"
//  ^^^^^^ access! worst=15 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    bits_1d_known<<<4, 64>>>(nullptr);
    bits_1d_symbolic<<<4, 64>>>(nullptr, p);
    bits_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    bits_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    bits_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    bits_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    bits_partial_known<<<4, 40>>>(nullptr);
    bits_partial_symbolic<<<4, 40>>>(nullptr, p);
}
