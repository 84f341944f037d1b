// `/` and `%`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: division 1-D known
//! block (64)
//! unknown none
__global__ void division_1d_known(float *out) {
    int i = blockIdx.x * 36 + threadIdx.x / 4 + threadIdx.x % 4 * 8;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: division 1-D symbolic
//! block (64)
//! unknown none
__global__ void division_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p + threadIdx.x / 4 + threadIdx.x % 4 * 8;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: division 2-D known
//! block (16,4)
//! unknown none
__global__ void division_2d_known(float *out) {
    int i = threadIdx.y * 36 + threadIdx.x / 4 + threadIdx.x % 4 * 8;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "8 sectors where 4 would do (2x)"
//  ^^^^^^ access! worst=8 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: division 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void division_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p + threadIdx.x / 4 + threadIdx.x % 4 * 8;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^ access! worst=10 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: division 3-D known
//! block (8,4,2)
//! unknown none
__global__ void division_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x / 4 + threadIdx.x % 4 * 8;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access! worst=16 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: division 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void division_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x / 4 + threadIdx.x % 4 * 8;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "17 sectors where 4 would do (4.2x)"
//  ^^^^^^ access! worst=17 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: division partial known
//! block (40)
//! unknown none
__global__ void division_partial_known(float *out) {
    int i = blockIdx.x * 36 + threadIdx.x / 4 + threadIdx.x % 4 * 8;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: division partial symbolic
//! block (40)
//! unknown none
__global__ void division_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p + threadIdx.x / 4 + threadIdx.x % 4 * 8;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    division_1d_known<<<4, 64>>>(nullptr);
    division_1d_symbolic<<<4, 64>>>(nullptr, p);
    division_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    division_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    division_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    division_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    division_partial_known<<<4, 40>>>(nullptr);
    division_partial_symbolic<<<4, 40>>>(nullptr, p);
}
