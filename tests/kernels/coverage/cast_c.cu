// casts `(T)e`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: cast_c 1-D known
//! block (64)
//! unknown none
__global__ void cast_c_1d_known(float *out) {
    int i = blockIdx.x * 36 + (unsigned char)(threadIdx.x * 5);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "20 sectors where 4 would do (5x)"
//  ^^^^^^ access! worst=20 best=20 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_c 1-D symbolic
//! block (64)
//! unknown none
__global__ void cast_c_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p + (unsigned char)(threadIdx.x * 5);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "21 sectors where 4 would do (5.2x)"
//  ^^^^^^ access! worst=21 best=20 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_c 2-D known
//! block (16,4)
//! unknown none
__global__ void cast_c_2d_known(float *out) {
    int i = threadIdx.y * 36 + (unsigned char)(threadIdx.x * 5);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_c 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void cast_c_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p + (unsigned char)(threadIdx.x * 5);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "22 sectors where 4 would do (5.5x)"
//  ^^^^^^ access! worst=22 best=10 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_c 3-D known
//! block (8,4,2)
//! unknown none
__global__ void cast_c_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + (unsigned char)(threadIdx.x * 5);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "18 sectors where 4 would do (4.5x)"
//  ^^^^^^ access! worst=18 best=18 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_c 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void cast_c_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + (unsigned char)(threadIdx.x * 5);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "23 sectors where 4 would do (5.8x)"
//  ^^^^^^ access! worst=23 best=5 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_c partial known
//! block (40)
//! unknown none
__global__ void cast_c_partial_known(float *out) {
    int i = blockIdx.x * 36 + (unsigned char)(threadIdx.x * 5);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "20 sectors where 4 would do (5x)"
//  ^^^^^^ access! worst=20 best=20 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_c partial symbolic
//! block (40)
//! unknown none
__global__ void cast_c_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p + (unsigned char)(threadIdx.x * 5);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "21 sectors where 4 would do (5.2x)"
//  ^^^^^^ access! worst=21 best=20 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    cast_c_1d_known<<<4, 64>>>(nullptr);
    cast_c_1d_symbolic<<<4, 64>>>(nullptr, p);
    cast_c_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    cast_c_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    cast_c_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    cast_c_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    cast_c_partial_known<<<4, 40>>>(nullptr);
    cast_c_partial_symbolic<<<4, 40>>>(nullptr, p);
}
