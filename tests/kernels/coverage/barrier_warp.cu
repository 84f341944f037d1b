// `__syncwarp`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: barrier_warp 1-D known
//! block (64)
//! unknown none
__global__ void barrier_warp_1d_known(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncwarp();
    int i = blockIdx.x * 36 + threadIdx.x / 2;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=3 best=2 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: barrier_warp 1-D symbolic
//! block (64)
//! unknown none
__global__ void barrier_warp_1d_symbolic(float *out, int p) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncwarp();
    int i = blockIdx.x * p + threadIdx.x / 2;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=3 best=2 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: barrier_warp 2-D known
//! block (16,4)
//! unknown none
__global__ void barrier_warp_2d_known(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncwarp();
    int i = threadIdx.y * 36 + threadIdx.x / 2;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=3 best=3 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: barrier_warp 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void barrier_warp_2d_symbolic(float *out, int p) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncwarp();
    int i = threadIdx.y * p + threadIdx.x / 2;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=4 best=1 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: barrier_warp 3-D known
//! block (8,4,2)
//! unknown none
__global__ void barrier_warp_3d_known(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncwarp();
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x / 2;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "4 sectors where 2 would do (2x)"
//  ^^^^^^ access! worst=4 best=4 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: barrier_warp 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void barrier_warp_3d_symbolic(float *out, int p) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncwarp();
    int i = (threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x / 2;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "7 sectors where 2 would do (3.5x)"
//  ^^^^^^ access! worst=7 best=1 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: barrier_warp partial known
//! block (40)
//! unknown none
__global__ void barrier_warp_partial_known(float *out) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncwarp();
    int i = blockIdx.x * 36 + threadIdx.x / 2;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=3 best=2 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: barrier_warp partial symbolic
//! block (40)
//! unknown none
__global__ void barrier_warp_partial_symbolic(float *out, int p) {
    __shared__ float s[64];
    s[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
    __syncwarp();
    int i = blockIdx.x * p + threadIdx.x / 2;
    out[i] = 1.0f;
//  ^^^^^^ access! worst=3 best=2 ideal=2 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    barrier_warp_1d_known<<<4, 64>>>(nullptr);
    barrier_warp_1d_symbolic<<<4, 64>>>(nullptr, p);
    barrier_warp_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    barrier_warp_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    barrier_warp_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    barrier_warp_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    barrier_warp_partial_known<<<4, 40>>>(nullptr);
    barrier_warp_partial_symbolic<<<4, 40>>>(nullptr, p);
}
