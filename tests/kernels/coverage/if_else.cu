// `if` / `else`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: if_else 1-D known
//! block (64)
//! unknown none
__global__ void if_else_1d_known(float *out) {
    int i = blockIdx.x * 36;
    if (threadIdx.x % 2 == 0)
//      ^^^^^^^^^^^^^^^^^^^^ branch! divergence=always
        i += threadIdx.x;
    else
        i += 3 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "18 sectors where 4 would do (4.5x)"
//  ^^^^^^ access! worst=18 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: if_else 1-D symbolic
//! block (64)
//! unknown none
__global__ void if_else_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p;
    if (threadIdx.x % 2 == 0)
//      ^^^^^^^^^^^^^^^^^^^^ branch! divergence=always
        i += threadIdx.x;
    else
        i += 3 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "18 sectors where 4 would do (4.5x)"
//  ^^^^^^ access! worst=18 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: if_else 2-D known
//! block (16,4)
//! unknown none
__global__ void if_else_2d_known(float *out) {
    int i = threadIdx.y * 36;
    if (threadIdx.x % 2 == 0)
//      ^^^^^^^^^^^^^^^^^^^^ branch! divergence=always
        i += threadIdx.x;
    else
        i += 3 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: if_else 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void if_else_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p;
    if (threadIdx.x % 2 == 0)
//      ^^^^^^^^^^^^^^^^^^^^ branch! divergence=always
        i += threadIdx.x;
    else
        i += 3 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: if_else 3-D known
//! block (8,4,2)
//! unknown none
__global__ void if_else_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36;
    if (threadIdx.x % 2 == 0)
//      ^^^^^^^^^^^^^^^^^^^^ branch! divergence=always
        i += threadIdx.x;
    else
        i += 3 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: if_else 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void if_else_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p;
    if (threadIdx.x % 2 == 0)
//      ^^^^^^^^^^^^^^^^^^^^ branch! divergence=always
        i += threadIdx.x;
    else
        i += 3 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access! worst=16 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: if_else partial known
//! block (40)
//! unknown none
__global__ void if_else_partial_known(float *out) {
    int i = blockIdx.x * 36;
    if (threadIdx.x % 2 == 0)
//      ^^^^^^^^^^^^^^^^^^^^ branch! divergence=always
        i += threadIdx.x;
    else
        i += 3 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: if_else partial symbolic
//! block (40)
//! unknown none
__global__ void if_else_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p;
    if (threadIdx.x % 2 == 0)
//      ^^^^^^^^^^^^^^^^^^^^ branch! divergence=always
        i += threadIdx.x;
    else
        i += 3 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    if_else_1d_known<<<4, 64>>>(nullptr);
    if_else_1d_symbolic<<<4, 64>>>(nullptr, p);
    if_else_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    if_else_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    if_else_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    if_else_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    if_else_partial_known<<<4, 40>>>(nullptr);
    if_else_partial_symbolic<<<4, 40>>>(nullptr, p);
}
