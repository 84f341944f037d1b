// templates over values: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: template_value 1-D known
//! block (64)
//! unknown none
template <int S>
__global__ void template_value_1d_known(float *out) {
    int i = blockIdx.x * 36 + S * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: template_value 1-D symbolic
//! block (64)
//! unknown none
template <int S>
__global__ void template_value_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p + S * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: template_value 2-D known
//! block (16,4)
//! unknown none
template <int S>
__global__ void template_value_2d_known(float *out) {
    int i = threadIdx.y * 36 + S * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: template_value 2-D symbolic
//! block (16,4)
//! unknown none
template <int S>
__global__ void template_value_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p + S * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: template_value 3-D known
//! block (8,4,2)
//! unknown none
template <int S>
__global__ void template_value_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + S * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: template_value 3-D symbolic
//! block (8,4,2)
//! unknown none
template <int S>
__global__ void template_value_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + S * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access! worst=16 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: template_value partial known
//! block (40)
//! unknown none
template <int S>
__global__ void template_value_partial_known(float *out) {
    int i = blockIdx.x * 36 + S * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: template_value partial symbolic
//! block (40)
//! unknown none
template <int S>
__global__ void template_value_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p + S * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    template_value_1d_known<3><<<4, 64>>>(nullptr);
    template_value_1d_symbolic<3><<<4, 64>>>(nullptr, p);
    template_value_2d_known<3><<<2, dim3(16, 4)>>>(nullptr);
    template_value_2d_symbolic<3><<<2, dim3(16, 4)>>>(nullptr, p);
    template_value_3d_known<3><<<2, dim3(8, 4, 2)>>>(nullptr);
    template_value_3d_symbolic<3><<<2, dim3(8, 4, 2)>>>(nullptr, p);
    template_value_partial_known<3><<<4, 40>>>(nullptr);
    template_value_partial_symbolic<3><<<4, 40>>>(nullptr, p);
}
