// vector types: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: float4 1-D known
//! block (64)
//! unknown none
__global__ void float4_1d_known(float4 *out, const float4 *in) {
    int i = blockIdx.x * 36 + threadIdx.x;
    float4 v = in[i];
//             ^^^^^ access! worst=16 best=16 ideal=16 space=global rw=R bytes=16 times=1
    out[i].z = v.x + v.w;
//  ^^^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^^^ access! worst=16 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: float4 1-D symbolic
//! block (64)
//! unknown none
__global__ void float4_1d_symbolic(float4 *out, const float4 *in, int p) {
    int i = blockIdx.x * p + threadIdx.x;
    float4 v = in[i];
//             ^^^^^ access! worst=17 best=16 ideal=16 space=global rw=R bytes=16 times=1
    out[i].z = v.x + v.w;
//  ^^^^^^^^ warn[WC101]! "17 sectors where 4 would do (4.2x)"
//  ^^^^^^^^ access! worst=17 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: float4 2-D known
//! block (16,4)
//! unknown none
__global__ void float4_2d_known(float4 *out, const float4 *in) {
    int i = threadIdx.y * 36 + threadIdx.x;
    float4 v = in[i];
//             ^^^^^ access! worst=16 best=16 ideal=16 space=global rw=R bytes=16 times=1
    out[i].z = v.x + v.w;
//  ^^^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^^^ access! worst=16 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: float4 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void float4_2d_symbolic(float4 *out, const float4 *in, int p) {
    int i = threadIdx.y * p + threadIdx.x;
    float4 v = in[i];
//             ^^^^^ access! worst=17 best=8 ideal=16 space=global rw=R bytes=16 times=1
    out[i].z = v.x + v.w;
//  ^^^^^^^^ warn[WC101]! "17 sectors where 4 would do (4.2x)"
//  ^^^^^^^^ access! worst=17 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: float4 3-D known
//! block (8,4,2)
//! unknown none
__global__ void float4_3d_known(float4 *out, const float4 *in) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x;
    float4 v = in[i];
//             ^^^^^ access! worst=16 best=16 ideal=16 space=global rw=R bytes=16 times=1
    out[i].z = v.x + v.w;
//  ^^^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^^^ access! worst=16 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: float4 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void float4_3d_symbolic(float4 *out, const float4 *in, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x;
    float4 v = in[i];
//             ^^^^^ access! worst=18 best=4 ideal=16 space=global rw=R bytes=16 times=1
    out[i].z = v.x + v.w;
//  ^^^^^^^^ warn[WC101]! "18 sectors where 4 would do (4.5x)"
//  ^^^^^^^^ access! worst=18 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: float4 partial known
//! block (40)
//! unknown none
__global__ void float4_partial_known(float4 *out, const float4 *in) {
    int i = blockIdx.x * 36 + threadIdx.x;
    float4 v = in[i];
//             ^^^^^ access! worst=16 best=16 ideal=16 space=global rw=R bytes=16 times=1
    out[i].z = v.x + v.w;
//  ^^^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^^^ access! worst=16 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: float4 partial symbolic
//! block (40)
//! unknown none
__global__ void float4_partial_symbolic(float4 *out, const float4 *in, int p) {
    int i = blockIdx.x * p + threadIdx.x;
    float4 v = in[i];
//             ^^^^^ access! worst=17 best=16 ideal=16 space=global rw=R bytes=16 times=1
    out[i].z = v.x + v.w;
//  ^^^^^^^^ warn[WC101]! "17 sectors where 4 would do (4.2x)"
//  ^^^^^^^^ access! worst=17 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    float4_1d_known<<<4, 64>>>(nullptr, nullptr);
    float4_1d_symbolic<<<4, 64>>>(nullptr, nullptr, p);
    float4_2d_known<<<2, dim3(16, 4)>>>(nullptr, nullptr);
    float4_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, nullptr, p);
    float4_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr, nullptr);
    float4_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, nullptr, p);
    float4_partial_known<<<4, 40>>>(nullptr, nullptr);
    float4_partial_symbolic<<<4, 40>>>(nullptr, nullptr, p);
}
