// `?:`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: conditional 1-D known
//! block (64)
//! unknown none
__global__ void conditional_1d_known(float *out) {
    int i = blockIdx.x * 36 + (threadIdx.x < 4 ? threadIdx.x : 3 * threadIdx.x);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: conditional 1-D symbolic
//! block (64)
//! unknown none
__global__ void conditional_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p + (threadIdx.x < 4 ? threadIdx.x : 3 * threadIdx.x);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: conditional 2-D known
//! block (16,4)
//! unknown none
__global__ void conditional_2d_known(float *out) {
    int i = threadIdx.y * 36 + (threadIdx.x < 4 ? threadIdx.x : 3 * threadIdx.x);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: conditional 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void conditional_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p + (threadIdx.x < 4 ? threadIdx.x : 3 * threadIdx.x);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: conditional 3-D known
//! block (8,4,2)
//! unknown none
__global__ void conditional_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + (threadIdx.x < 4 ? threadIdx.x : 3 * threadIdx.x);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^ access! worst=12 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: conditional 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void conditional_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + (threadIdx.x < 4 ? threadIdx.x : 3 * threadIdx.x);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "15 sectors where 4 would do (3.8x)"
//  ^^^^^^ access! worst=15 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: conditional partial known
//! block (40)
//! unknown none
__global__ void conditional_partial_known(float *out) {
    int i = blockIdx.x * 36 + (threadIdx.x < 4 ? threadIdx.x : 3 * threadIdx.x);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^ access! worst=12 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: conditional partial symbolic
//! block (40)
//! unknown none
__global__ void conditional_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p + (threadIdx.x < 4 ? threadIdx.x : 3 * threadIdx.x);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    conditional_1d_known<<<4, 64>>>(nullptr);
    conditional_1d_symbolic<<<4, 64>>>(nullptr, p);
    conditional_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    conditional_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    conditional_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    conditional_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    conditional_partial_known<<<4, 40>>>(nullptr);
    conditional_partial_symbolic<<<4, 40>>>(nullptr, p);
}
