// `__syncthreads`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: barrier 1-D known
//! block (64)
//! unknown none
__global__ void barrier_1d_known(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncthreads();
    int i = blockIdx.x * 36 + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: barrier 1-D symbolic
//! block (64)
//! unknown none
__global__ void barrier_1d_symbolic(float *out, int p) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncthreads();
    int i = blockIdx.x * p + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: barrier 2-D known
//! block (16,4)
//! unknown none
__global__ void barrier_2d_known(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncthreads();
    int i = threadIdx.y * 36 + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=9 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: barrier 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void barrier_2d_symbolic(float *out, int p) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncthreads();
    int i = threadIdx.y * p + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^ access! worst=10 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: barrier 3-D known
//! block (8,4,2)
//! unknown none
__global__ void barrier_3d_known(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncthreads();
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^ access! worst=10 best=10 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: barrier 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void barrier_3d_symbolic(float *out, int p) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncthreads();
    int i = (threadIdx.z * 4 + threadIdx.y) * p + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^ access! worst=12 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: barrier partial known
//! block (40)
//! unknown none
__global__ void barrier_partial_known(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncthreads();
    int i = blockIdx.x * 36 + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: barrier partial symbolic
//! block (40)
//! unknown none
__global__ void barrier_partial_symbolic(float *out, int p) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncthreads();
    int i = blockIdx.x * p + 2 * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    barrier_1d_known<<<4, 64>>>(nullptr);
    barrier_1d_symbolic<<<4, 64>>>(nullptr, p);
    barrier_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    barrier_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    barrier_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    barrier_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    barrier_partial_known<<<4, 40>>>(nullptr);
    barrier_partial_symbolic<<<4, 40>>>(nullptr, p);
}
