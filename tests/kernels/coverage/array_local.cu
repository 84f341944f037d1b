// local arrays: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: array_local 1-D known
//! block (64)
//! unknown none
__global__ void array_local_1d_known(float *out) {
    int columns[2];
    columns[0] = threadIdx.x;
    columns[1] = 3 * columns[0];
    out[blockIdx.x * 36 + columns[1]] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: array_local 1-D symbolic
//! block (64)
//! unknown none
__global__ void array_local_1d_symbolic(float *out, int p) {
    int columns[2];
    columns[0] = threadIdx.x;
    columns[1] = 3 * columns[0];
    out[blockIdx.x * p + columns[1]] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: array_local 2-D known
//! block (16,4)
//! unknown none
__global__ void array_local_2d_known(float *out) {
    int columns[2];
    columns[0] = threadIdx.x;
    columns[1] = 3 * columns[0];
    out[threadIdx.y * 36 + columns[1]] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: array_local 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void array_local_2d_symbolic(float *out, int p) {
    int columns[2];
    columns[0] = threadIdx.x;
    columns[1] = 3 * columns[0];
    out[threadIdx.y * p + columns[1]] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: array_local 3-D known
//! block (8,4,2)
//! unknown none
__global__ void array_local_3d_known(float *out) {
    int columns[2];
    columns[0] = threadIdx.x;
    columns[1] = 3 * columns[0];
    out[(threadIdx.z * 4 + threadIdx.y) * 36 + columns[1]] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: array_local 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void array_local_3d_symbolic(float *out, int p) {
    int columns[2];
    columns[0] = threadIdx.x;
    columns[1] = 3 * columns[0];
    out[(threadIdx.z * 4 + threadIdx.y) * p + columns[1]] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: array_local partial known
//! block (40)
//! unknown none
__global__ void array_local_partial_known(float *out) {
    int columns[2];
    columns[0] = threadIdx.x;
    columns[1] = 3 * columns[0];
    out[blockIdx.x * 36 + columns[1]] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: array_local partial symbolic
//! block (40)
//! unknown none
__global__ void array_local_partial_symbolic(float *out, int p) {
    int columns[2];
    columns[0] = threadIdx.x;
    columns[1] = 3 * columns[0];
    out[blockIdx.x * p + columns[1]] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    array_local_1d_known<<<4, 64>>>(nullptr);
    array_local_1d_symbolic<<<4, 64>>>(nullptr, p);
    array_local_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    array_local_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    array_local_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    array_local_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    array_local_partial_known<<<4, 40>>>(nullptr);
    array_local_partial_symbolic<<<4, 40>>>(nullptr, p);
}
