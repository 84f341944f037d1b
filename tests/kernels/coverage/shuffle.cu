// shuffles: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: shuffle 1-D known
//! block (64)
//! unknown none
__global__ void shuffle_1d_known(float *out) {
    int other = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    int i = blockIdx.x * 36 + 3 * other;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: shuffle 1-D symbolic
//! block (64)
//! unknown none
__global__ void shuffle_1d_symbolic(float *out, int p) {
    int other = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    int i = blockIdx.x * p + 3 * other;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: shuffle 2-D known
//! block (16,4)
//! unknown none
__global__ void shuffle_2d_known(float *out) {
    int other = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    int i = threadIdx.y * 36 + 3 * other;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: shuffle 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void shuffle_2d_symbolic(float *out, int p) {
    int other = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    int i = threadIdx.y * p + 3 * other;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: shuffle 3-D known
//! block (8,4,2)
//! unknown none
__global__ void shuffle_3d_known(float *out) {
    int other = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + 3 * other;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: shuffle 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void shuffle_3d_symbolic(float *out, int p) {
    int other = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    int i = (threadIdx.z * 4 + threadIdx.y) * p + 3 * other;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access! worst=16 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: shuffle partial known
//! block (40)
//! unknown none
__global__ void shuffle_partial_known(float *out) {
    int other = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    int i = blockIdx.x * 36 + 3 * other;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: shuffle partial symbolic
//! block (40)
//! unknown none
__global__ void shuffle_partial_symbolic(float *out, int p) {
    int other = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    int i = blockIdx.x * p + 3 * other;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    shuffle_1d_known<<<4, 64>>>(nullptr);
    shuffle_1d_symbolic<<<4, 64>>>(nullptr, p);
    shuffle_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    shuffle_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    shuffle_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    shuffle_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    shuffle_partial_known<<<4, 40>>>(nullptr);
    shuffle_partial_symbolic<<<4, 40>>>(nullptr, p);
}
