// pointers and pointer arithmetic: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: pointer_arithmetic 1-D known
//! block (64)
//! unknown none
__global__ void pointer_arithmetic_1d_known(float *out) {
    float *row = out + blockIdx.x * 36;
    *(row + 2 * threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: pointer_arithmetic 1-D symbolic
//! block (64)
//! unknown none
__global__ void pointer_arithmetic_1d_symbolic(float *out, int p) {
    float *row = out + blockIdx.x * p;
    *(row + 2 * threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: pointer_arithmetic 2-D known
//! block (16,4)
//! unknown none
__global__ void pointer_arithmetic_2d_known(float *out) {
    float *row = out + threadIdx.y * 36;
    *(row + 2 * threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: pointer_arithmetic 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void pointer_arithmetic_2d_symbolic(float *out, int p) {
    float *row = out + threadIdx.y * p;
    *(row + 2 * threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: pointer_arithmetic 3-D known
//! block (8,4,2)
//! unknown none
__global__ void pointer_arithmetic_3d_known(float *out) {
    float *row = out + (threadIdx.z * 4 + threadIdx.y) * 36;
    *(row + 2 * threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 best=10 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: pointer_arithmetic 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void pointer_arithmetic_3d_symbolic(float *out, int p) {
    float *row = out + (threadIdx.z * 4 + threadIdx.y) * p;
    *(row + 2 * threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: pointer_arithmetic partial known
//! block (40)
//! unknown none
__global__ void pointer_arithmetic_partial_known(float *out) {
    float *row = out + blockIdx.x * 36;
    *(row + 2 * threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: pointer_arithmetic partial symbolic
//! block (40)
//! unknown none
__global__ void pointer_arithmetic_partial_symbolic(float *out, int p) {
    float *row = out + blockIdx.x * p;
    *(row + 2 * threadIdx.x) = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    pointer_arithmetic_1d_known<<<4, 64>>>(nullptr);
    pointer_arithmetic_1d_symbolic<<<4, 64>>>(nullptr, p);
    pointer_arithmetic_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    pointer_arithmetic_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    pointer_arithmetic_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    pointer_arithmetic_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    pointer_arithmetic_partial_known<<<4, 40>>>(nullptr);
    pointer_arithmetic_partial_symbolic<<<4, 40>>>(nullptr, p);
}
