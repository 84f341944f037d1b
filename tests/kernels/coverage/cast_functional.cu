// casts `T(e)`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: cast_functional 1-D known
//! block (64)
//! unknown none
__global__ void cast_functional_1d_known(float *out) {
    int i = blockIdx.x * 36 + int(2u * threadIdx.x);
    out[i] = float(i);
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_functional 1-D symbolic
//! block (64)
//! unknown none
__global__ void cast_functional_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p + int(2u * threadIdx.x);
    out[i] = float(i);
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_functional 2-D known
//! block (16,4)
//! unknown none
__global__ void cast_functional_2d_known(float *out) {
    int i = threadIdx.y * 36 + int(2u * threadIdx.x);
    out[i] = float(i);
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=9 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_functional 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void cast_functional_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p + int(2u * threadIdx.x);
    out[i] = float(i);
//  ^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^ access! worst=10 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_functional 3-D known
//! block (8,4,2)
//! unknown none
__global__ void cast_functional_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + int(2u * threadIdx.x);
    out[i] = float(i);
//  ^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^ access! worst=10 best=10 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_functional 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void cast_functional_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + int(2u * threadIdx.x);
    out[i] = float(i);
//  ^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^ access! worst=12 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_functional partial known
//! block (40)
//! unknown none
__global__ void cast_functional_partial_known(float *out) {
    int i = blockIdx.x * 36 + int(2u * threadIdx.x);
    out[i] = float(i);
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_functional partial symbolic
//! block (40)
//! unknown none
__global__ void cast_functional_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p + int(2u * threadIdx.x);
    out[i] = float(i);
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    cast_functional_1d_known<<<4, 64>>>(nullptr);
    cast_functional_1d_symbolic<<<4, 64>>>(nullptr, p);
    cast_functional_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    cast_functional_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    cast_functional_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    cast_functional_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    cast_functional_partial_known<<<4, 40>>>(nullptr);
    cast_functional_partial_symbolic<<<4, 40>>>(nullptr, p);
}
