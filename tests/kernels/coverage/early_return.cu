// early `return`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: early_return 1-D known
//! block (64)
//! unknown none
__global__ void early_return_1d_known(float *out) {
    if (threadIdx.x >= 6)
        return;
    int i = blockIdx.x * 36 + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=2 best=2 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: early_return 1-D symbolic
//! block (64)
//! unknown none
__global__ void early_return_1d_symbolic(float *out, int p) {
    if (threadIdx.x >= 6)
        return;
    int i = blockIdx.x * p + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "3 sectors where 1 would do (3x)"
//  ^^^^^^ access! worst=3 best=2 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: early_return 2-D known
//! block (16,4)
//! unknown none
__global__ void early_return_2d_known(float *out) {
    if (threadIdx.x >= 6)
        return;
    int i = threadIdx.y * 36 + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "4 sectors where 2 would do (2x)"
//  ^^^^^^ access! worst=4 best=4 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: early_return 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void early_return_2d_symbolic(float *out, int p) {
    if (threadIdx.x >= 6)
        return;
    int i = threadIdx.y * p + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "5 sectors where 2 would do (2.5x)"
//  ^^^^^^ access! worst=5 best=2 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: early_return 3-D known
//! block (8,4,2)
//! unknown none
__global__ void early_return_3d_known(float *out) {
    if (threadIdx.x >= 6)
        return;
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "8 sectors where 3 would do (2.7x)"
//  ^^^^^^ access! worst=8 best=8 ideal=3 space=global rw=W bytes=4 times=1
}

// COVERS: early_return 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void early_return_3d_symbolic(float *out, int p) {
    if (threadIdx.x >= 6)
        return;
    int i = (threadIdx.z * 4 + threadIdx.y) * p + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "10 sectors where 3 would do (3.3x)"
//  ^^^^^^ access! worst=10 best=2 ideal=3 space=global rw=W bytes=4 times=1
}

// COVERS: early_return partial known
//! block (40)
//! unknown none
__global__ void early_return_partial_known(float *out) {
    if (threadIdx.x >= 6)
        return;
    int i = blockIdx.x * 36 + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=2 best=2 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: early_return partial symbolic
//! block (40)
//! unknown none
__global__ void early_return_partial_symbolic(float *out, int p) {
    if (threadIdx.x >= 6)
        return;
    int i = blockIdx.x * p + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "3 sectors where 1 would do (3x)"
//  ^^^^^^ access! worst=3 best=2 ideal=1 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    early_return_1d_known<<<4, 64>>>(nullptr);
    early_return_1d_symbolic<<<4, 64>>>(nullptr, p);
    early_return_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    early_return_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    early_return_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    early_return_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    early_return_partial_known<<<4, 40>>>(nullptr);
    early_return_partial_symbolic<<<4, 40>>>(nullptr, p);
}
