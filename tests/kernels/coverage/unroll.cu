// `#pragma unroll`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: unroll 1-D known
//! block (64)
//! unknown none
__global__ void unroll_1d_known(float *out) {
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[blockIdx.x * 36 + 72 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: unroll 1-D symbolic
//! block (64)
//! unknown none
__global__ void unroll_1d_symbolic(float *out, int p) {
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[blockIdx.x * p + 72 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: unroll 2-D known
//! block (16,4)
//! unknown none
__global__ void unroll_2d_known(float *out) {
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[threadIdx.y * 36 + 72 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: unroll 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void unroll_2d_symbolic(float *out, int p) {
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[threadIdx.y * p + 72 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=2 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: unroll 3-D known
//! block (8,4,2)
//! unknown none
__global__ void unroll_3d_known(float *out) {
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[(threadIdx.z * 4 + threadIdx.y) * 36 + 72 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "6 sectors where 4 would do (1.50x)"
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: unroll 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void unroll_3d_symbolic(float *out, int p) {
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[(threadIdx.z * 4 + threadIdx.y) * p + 72 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=1 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: unroll partial known
//! block (40)
//! unknown none
__global__ void unroll_partial_known(float *out) {
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[blockIdx.x * 36 + 72 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: unroll partial symbolic
//! block (40)
//! unknown none
__global__ void unroll_partial_symbolic(float *out, int p) {
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[blockIdx.x * p + 72 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=4
}

void launch_all(int p) {
    unroll_1d_known<<<4, 64>>>(nullptr);
    unroll_1d_symbolic<<<4, 64>>>(nullptr, p);
    unroll_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    unroll_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    unroll_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    unroll_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    unroll_partial_known<<<4, 40>>>(nullptr);
    unroll_partial_symbolic<<<4, 40>>>(nullptr, p);
}
