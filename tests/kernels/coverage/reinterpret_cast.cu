// `reinterpret_cast<float4*>`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: reinterpret_cast 1-D known
//! block (64)
//! unknown none
__global__ void reinterpret_cast_1d_known(float *out) {
    float4 *wide = reinterpret_cast<float4 *>(out);
    int i = blockIdx.x * 36 + threadIdx.x;
    wide[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^^ access! worst=16 best=16 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: reinterpret_cast 1-D symbolic
//! block (64)
//! unknown none
__global__ void reinterpret_cast_1d_symbolic(float *out, int p) {
    float4 *wide = reinterpret_cast<float4 *>(out);
    int i = blockIdx.x * p + threadIdx.x;
    wide[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^^ access! worst=17 best=16 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: reinterpret_cast 2-D known
//! block (16,4)
//! unknown none
__global__ void reinterpret_cast_2d_known(float *out) {
    float4 *wide = reinterpret_cast<float4 *>(out);
    int i = threadIdx.y * 36 + threadIdx.x;
    wide[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^^ access! worst=16 best=16 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: reinterpret_cast 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void reinterpret_cast_2d_symbolic(float *out, int p) {
    float4 *wide = reinterpret_cast<float4 *>(out);
    int i = threadIdx.y * p + threadIdx.x;
    wide[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^^ access! worst=17 best=8 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: reinterpret_cast 3-D known
//! block (8,4,2)
//! unknown none
__global__ void reinterpret_cast_3d_known(float *out) {
    float4 *wide = reinterpret_cast<float4 *>(out);
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x;
    wide[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^^ access! worst=16 best=16 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: reinterpret_cast 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void reinterpret_cast_3d_symbolic(float *out, int p) {
    float4 *wide = reinterpret_cast<float4 *>(out);
    int i = (threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x;
    wide[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^^ access! worst=18 best=4 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: reinterpret_cast partial known
//! block (40)
//! unknown none
__global__ void reinterpret_cast_partial_known(float *out) {
    float4 *wide = reinterpret_cast<float4 *>(out);
    int i = blockIdx.x * 36 + threadIdx.x;
    wide[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^^ access! worst=16 best=16 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: reinterpret_cast partial symbolic
//! block (40)
//! unknown none
__global__ void reinterpret_cast_partial_symbolic(float *out, int p) {
    float4 *wide = reinterpret_cast<float4 *>(out);
    int i = blockIdx.x * p + threadIdx.x;
    wide[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^^ access! worst=17 best=16 ideal=16 space=global rw=W bytes=16 times=1
}

void launch_all(int p) {
    reinterpret_cast_1d_known<<<4, 64>>>(nullptr);
    reinterpret_cast_1d_symbolic<<<4, 64>>>(nullptr, p);
    reinterpret_cast_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    reinterpret_cast_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    reinterpret_cast_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    reinterpret_cast_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    reinterpret_cast_partial_known<<<4, 40>>>(nullptr);
    reinterpret_cast_partial_symbolic<<<4, 40>>>(nullptr, p);
}
