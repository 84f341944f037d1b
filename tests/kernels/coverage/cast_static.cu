// `static_cast`, `const_cast`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: cast_static 1-D known
//! block (64)
//! unknown none
__global__ void cast_static_1d_known(const float *out) {
    int i = blockIdx.x * 36 + static_cast<short>(threadIdx.x) * 2;
    float *target = const_cast<float *>(out);
    target[i] = 1.0f;
//  ^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_static 1-D symbolic
//! block (64)
//! unknown none
__global__ void cast_static_1d_symbolic(const float *out, int p) {
    int i = blockIdx.x * p + static_cast<short>(threadIdx.x) * 2;
    float *target = const_cast<float *>(out);
    target[i] = 1.0f;
//  ^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_static 2-D known
//! block (16,4)
//! unknown none
__global__ void cast_static_2d_known(const float *out) {
    int i = threadIdx.y * 36 + static_cast<short>(threadIdx.x) * 2;
    float *target = const_cast<float *>(out);
    target[i] = 1.0f;
//  ^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^ access! worst=9 best=9 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_static 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void cast_static_2d_symbolic(const float *out, int p) {
    int i = threadIdx.y * p + static_cast<short>(threadIdx.x) * 2;
    float *target = const_cast<float *>(out);
    target[i] = 1.0f;
//  ^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^ access! worst=10 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_static 3-D known
//! block (8,4,2)
//! unknown none
__global__ void cast_static_3d_known(const float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + static_cast<short>(threadIdx.x) * 2;
    float *target = const_cast<float *>(out);
    target[i] = 1.0f;
//  ^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^ access! worst=10 best=10 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_static 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void cast_static_3d_symbolic(const float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + static_cast<short>(threadIdx.x) * 2;
    float *target = const_cast<float *>(out);
    target[i] = 1.0f;
//  ^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^^^^ access! worst=12 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_static partial known
//! block (40)
//! unknown none
__global__ void cast_static_partial_known(const float *out) {
    int i = blockIdx.x * 36 + static_cast<short>(threadIdx.x) * 2;
    float *target = const_cast<float *>(out);
    target[i] = 1.0f;
//  ^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: cast_static partial symbolic
//! block (40)
//! unknown none
__global__ void cast_static_partial_symbolic(const float *out, int p) {
    int i = blockIdx.x * p + static_cast<short>(threadIdx.x) * 2;
    float *target = const_cast<float *>(out);
    target[i] = 1.0f;
//  ^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    cast_static_1d_known<<<4, 64>>>(nullptr);
    cast_static_1d_symbolic<<<4, 64>>>(nullptr, p);
    cast_static_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    cast_static_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    cast_static_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    cast_static_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    cast_static_partial_known<<<4, 40>>>(nullptr);
    cast_static_partial_symbolic<<<4, 40>>>(nullptr, p);
}
