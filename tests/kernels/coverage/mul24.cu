// `__mul24`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: mul24 1-D known
//! block (64)
//! unknown none
__global__ void mul24_1d_known(float *out) {
    int i = __mul24(blockIdx.x, 36) + __mul24(threadIdx.x, 3);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: mul24 1-D symbolic
//! block (64)
//! unknown none
__global__ void mul24_1d_symbolic(float *out, int p) {
    int i = __mul24(blockIdx.x, p) + __mul24(threadIdx.x, 3);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: mul24 2-D known
//! block (16,4)
//! unknown none
__global__ void mul24_2d_known(float *out) {
    int i = __mul24(threadIdx.y, 36) + __mul24(threadIdx.x, 3);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: mul24 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void mul24_2d_symbolic(float *out, int p) {
    int i = __mul24(threadIdx.y, p) + __mul24(threadIdx.x, 3);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: mul24 3-D known
//! block (8,4,2)
//! unknown none
__global__ void mul24_3d_known(float *out) {
    int i = __mul24((threadIdx.z * 4 + threadIdx.y), 36) + __mul24(threadIdx.x, 3);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: mul24 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void mul24_3d_symbolic(float *out, int p) {
    int i = __mul24((threadIdx.z * 4 + threadIdx.y), p) + __mul24(threadIdx.x, 3);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access! worst=16 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: mul24 partial known
//! block (40)
//! unknown none
__global__ void mul24_partial_known(float *out) {
    int i = __mul24(blockIdx.x, 36) + __mul24(threadIdx.x, 3);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: mul24 partial symbolic
//! block (40)
//! unknown none
__global__ void mul24_partial_symbolic(float *out, int p) {
    int i = __mul24(blockIdx.x, p) + __mul24(threadIdx.x, 3);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    mul24_1d_known<<<4, 64>>>(nullptr);
    mul24_1d_symbolic<<<4, 64>>>(nullptr, p);
    mul24_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    mul24_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    mul24_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    mul24_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    mul24_partial_known<<<4, 40>>>(nullptr);
    mul24_partial_symbolic<<<4, 40>>>(nullptr, p);
}
