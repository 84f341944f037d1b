// references: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: reference 1-D known
//! block (64)
//! unknown none
__global__ void reference_1d_known(float *out) {
    float &cell = out[blockIdx.x * 36 + 2 * threadIdx.x];
    cell = 1.0f;
//  ^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: reference 1-D symbolic
//! block (64)
//! unknown none
__global__ void reference_1d_symbolic(float *out, int p) {
    float &cell = out[blockIdx.x * p + 2 * threadIdx.x];
    cell = 1.0f;
//  ^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: reference 2-D known
//! block (16,4)
//! unknown none
__global__ void reference_2d_known(float *out) {
    float &cell = out[threadIdx.y * 36 + 2 * threadIdx.x];
    cell = 1.0f;
//  ^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^ access! worst=9 best=9 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: reference 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void reference_2d_symbolic(float *out, int p) {
    float &cell = out[threadIdx.y * p + 2 * threadIdx.x];
    cell = 1.0f;
//  ^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^ access! worst=10 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: reference 3-D known
//! block (8,4,2)
//! unknown none
__global__ void reference_3d_known(float *out) {
    float &cell = out[(threadIdx.z * 4 + threadIdx.y) * 36 + 2 * threadIdx.x];
    cell = 1.0f;
//  ^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^ access! worst=10 best=10 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: reference 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void reference_3d_symbolic(float *out, int p) {
    float &cell = out[(threadIdx.z * 4 + threadIdx.y) * p + 2 * threadIdx.x];
    cell = 1.0f;
//  ^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^ access! worst=12 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: reference partial known
//! block (40)
//! unknown none
__global__ void reference_partial_known(float *out) {
    float &cell = out[blockIdx.x * 36 + 2 * threadIdx.x];
    cell = 1.0f;
//  ^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: reference partial symbolic
//! block (40)
//! unknown none
__global__ void reference_partial_symbolic(float *out, int p) {
    float &cell = out[blockIdx.x * p + 2 * threadIdx.x];
    cell = 1.0f;
//  ^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    reference_1d_known<<<4, 64>>>(nullptr);
    reference_1d_symbolic<<<4, 64>>>(nullptr, p);
    reference_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    reference_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    reference_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    reference_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    reference_partial_known<<<4, 40>>>(nullptr);
    reference_partial_symbolic<<<4, 40>>>(nullptr, p);
}
