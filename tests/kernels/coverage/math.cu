// math functions: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: math 1-D known
//! block (64)
//! unknown none
__global__ void math_1d_known(float *out) {
    int i = blockIdx.x * 36 + threadIdx.x;
    out[i] = sqrtf((float)i) + sinf(1.0f);
//  ^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: math 1-D symbolic
//! block (64)
//! unknown none
__global__ void math_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p + threadIdx.x;
    out[i] = sqrtf((float)i) + sinf(1.0f);
//  ^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: math 2-D known
//! block (16,4)
//! unknown none
__global__ void math_2d_known(float *out) {
    int i = threadIdx.y * 36 + threadIdx.x;
    out[i] = sqrtf((float)i) + sinf(1.0f);
//  ^^^^^^ access! worst=5 best=5 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: math 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void math_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p + threadIdx.x;
    out[i] = sqrtf((float)i) + sinf(1.0f);
//  ^^^^^^ access! worst=6 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: math 3-D known
//! block (8,4,2)
//! unknown none
__global__ void math_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x;
    out[i] = sqrtf((float)i) + sinf(1.0f);
//  ^^^^^^ info[WC101]! "6 sectors where 4 would do (1.50x)"
//  ^^^^^^ access! worst=6 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: math 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void math_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x;
    out[i] = sqrtf((float)i) + sinf(1.0f);
//  ^^^^^^ access! worst=8 best=1 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: math partial known
//! block (40)
//! unknown none
__global__ void math_partial_known(float *out) {
    int i = blockIdx.x * 36 + threadIdx.x;
    out[i] = sqrtf((float)i) + sinf(1.0f);
//  ^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: math partial symbolic
//! block (40)
//! unknown none
__global__ void math_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p + threadIdx.x;
    out[i] = sqrtf((float)i) + sinf(1.0f);
//  ^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    math_1d_known<<<4, 64>>>(nullptr);
    math_1d_symbolic<<<4, 64>>>(nullptr, p);
    math_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    math_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    math_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    math_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    math_partial_known<<<4, 40>>>(nullptr);
    math_partial_symbolic<<<4, 40>>>(nullptr, p);
}
