// `for`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: for 1-D known
//! block (64)
//! unknown none
__global__ void for_1d_known(float *out) {
    for (int k = 0; k < 4; k++)
//                  ^^^^^ branch! divergence=never
        out[blockIdx.x * 36 + 68 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: for 1-D symbolic
//! block (64)
//! unknown none
__global__ void for_1d_symbolic(float *out, int p) {
    for (int k = 0; k < 4; k++)
//                  ^^^^^ branch! divergence=never
        out[blockIdx.x * p + 68 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: for 2-D known
//! block (16,4)
//! unknown none
__global__ void for_2d_known(float *out) {
    for (int k = 0; k < 4; k++)
//                  ^^^^^ branch! divergence=never
        out[threadIdx.y * 36 + 68 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: for 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void for_2d_symbolic(float *out, int p) {
    for (int k = 0; k < 4; k++)
//                  ^^^^^ branch! divergence=never
        out[threadIdx.y * p + 68 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=2 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: for 3-D known
//! block (8,4,2)
//! unknown none
__global__ void for_3d_known(float *out) {
    for (int k = 0; k < 4; k++)
//                  ^^^^^ branch! divergence=never
        out[(threadIdx.z * 4 + threadIdx.y) * 36 + 68 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "6 sectors where 4 would do (1.50x)"
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: for 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void for_3d_symbolic(float *out, int p) {
    for (int k = 0; k < 4; k++)
//                  ^^^^^ branch! divergence=never
        out[(threadIdx.z * 4 + threadIdx.y) * p + 68 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=1 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: for partial known
//! block (40)
//! unknown none
__global__ void for_partial_known(float *out) {
    for (int k = 0; k < 4; k++)
//                  ^^^^^ branch! divergence=never
        out[blockIdx.x * 36 + 68 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=4
}

// COVERS: for partial symbolic
//! block (40)
//! unknown none
__global__ void for_partial_symbolic(float *out, int p) {
    for (int k = 0; k < 4; k++)
//                  ^^^^^ branch! divergence=never
        out[blockIdx.x * p + 68 * k + threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=4
}

void launch_all(int p) {
    for_1d_known<<<4, 64>>>(nullptr);
    for_1d_symbolic<<<4, 64>>>(nullptr, p);
    for_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    for_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    for_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    for_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    for_partial_known<<<4, 40>>>(nullptr);
    for_partial_symbolic<<<4, 40>>>(nullptr, p);
}
