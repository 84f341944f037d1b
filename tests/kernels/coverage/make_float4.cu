// `make_float4`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: make_float4 1-D known
//! block (64)
//! unknown none
__global__ void make_float4_1d_known(float4 *out) {
    int i = blockIdx.x * 36 + 2 * threadIdx.x;
    out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^ warn[WC101]! "32 sectors where 16 would do (2x)"
//  ^^^^^^ access! worst=32 best=32 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: make_float4 1-D symbolic
//! block (64)
//! unknown none
__global__ void make_float4_1d_symbolic(float4 *out, int p) {
    int i = blockIdx.x * p + 2 * threadIdx.x;
    out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^ warn[WC101]! "32 sectors where 16 would do (2x)"
//  ^^^^^^ access! worst=32 best=32 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: make_float4 2-D known
//! block (16,4)
//! unknown none
__global__ void make_float4_2d_known(float4 *out) {
    int i = threadIdx.y * 36 + 2 * threadIdx.x;
    out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^ warn[WC101]! "32 sectors where 16 would do (2x)"
//  ^^^^^^ access! worst=32 best=32 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: make_float4 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void make_float4_2d_symbolic(float4 *out, int p) {
    int i = threadIdx.y * p + 2 * threadIdx.x;
    out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^ warn[WC101]! "32 sectors where 16 would do (2x)"
//  ^^^^^^ access! worst=32 best=16 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: make_float4 3-D known
//! block (8,4,2)
//! unknown none
__global__ void make_float4_3d_known(float4 *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + 2 * threadIdx.x;
    out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^ warn[WC101]! "32 sectors where 16 would do (2x)"
//  ^^^^^^ access! worst=32 best=32 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: make_float4 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void make_float4_3d_symbolic(float4 *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + 2 * threadIdx.x;
    out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^ warn[WC101]! "32 sectors where 16 would do (2x)"
//  ^^^^^^ access! worst=32 best=8 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: make_float4 partial known
//! block (40)
//! unknown none
__global__ void make_float4_partial_known(float4 *out) {
    int i = blockIdx.x * 36 + 2 * threadIdx.x;
    out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^ warn[WC101]! "32 sectors where 16 would do (2x)"
//  ^^^^^^ access! worst=32 best=32 ideal=16 space=global rw=W bytes=16 times=1
}

// COVERS: make_float4 partial symbolic
//! block (40)
//! unknown none
__global__ void make_float4_partial_symbolic(float4 *out, int p) {
    int i = blockIdx.x * p + 2 * threadIdx.x;
    out[i] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
//  ^^^^^^ warn[WC101]! "32 sectors where 16 would do (2x)"
//  ^^^^^^ access! worst=32 best=32 ideal=16 space=global rw=W bytes=16 times=1
}

void launch_all(int p) {
    make_float4_1d_known<<<4, 64>>>(nullptr);
    make_float4_1d_symbolic<<<4, 64>>>(nullptr, p);
    make_float4_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    make_float4_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    make_float4_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    make_float4_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    make_float4_partial_known<<<4, 40>>>(nullptr);
    make_float4_partial_symbolic<<<4, 40>>>(nullptr, p);
}
