// compound assignment: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: compound 1-D known
//! block (64)
//! unknown none
__global__ void compound_1d_known(float *out) {
    int i = threadIdx.x;
    i *= 3;
    i += blockIdx.x * 36;
    out[i] += 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: compound 1-D symbolic
//! block (64)
//! unknown none
__global__ void compound_1d_symbolic(float *out, int p) {
    int i = threadIdx.x;
    i *= 3;
    i += blockIdx.x * p;
    out[i] += 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: compound 2-D known
//! block (16,4)
//! unknown none
__global__ void compound_2d_known(float *out) {
    int i = threadIdx.x;
    i *= 3;
    i += threadIdx.y * 36;
    out[i] += 1.0f;
//  ^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: compound 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void compound_2d_symbolic(float *out, int p) {
    int i = threadIdx.x;
    i *= 3;
    i += threadIdx.y * p;
    out[i] += 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: compound 3-D known
//! block (8,4,2)
//! unknown none
__global__ void compound_3d_known(float *out) {
    int i = threadIdx.x;
    i *= 3;
    i += (threadIdx.z * 4 + threadIdx.y) * 36;
    out[i] += 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: compound 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void compound_3d_symbolic(float *out, int p) {
    int i = threadIdx.x;
    i *= 3;
    i += (threadIdx.z * 4 + threadIdx.y) * p;
    out[i] += 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access! worst=16 best=3 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: compound partial known
//! block (40)
//! unknown none
__global__ void compound_partial_known(float *out) {
    int i = threadIdx.x;
    i *= 3;
    i += blockIdx.x * 36;
    out[i] += 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: compound partial symbolic
//! block (40)
//! unknown none
__global__ void compound_partial_symbolic(float *out, int p) {
    int i = threadIdx.x;
    i *= 3;
    i += blockIdx.x * p;
    out[i] += 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=RW bytes=4 times=1
}

void launch_all(int p) {
    compound_1d_known<<<4, 64>>>(nullptr);
    compound_1d_symbolic<<<4, 64>>>(nullptr, p);
    compound_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    compound_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    compound_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    compound_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    compound_partial_known<<<4, 40>>>(nullptr);
    compound_partial_symbolic<<<4, 40>>>(nullptr, p);
}
