// templates over types: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: template_type 1-D known
//! block (64)
//! unknown none
template <typename T>
__global__ void template_type_1d_known(T *out) {
    int i = blockIdx.x * 36 + threadIdx.x;
    out[i] = T(1);
//  ^^^^^^ access! worst=8 best=8 ideal=8 space=global rw=W bytes=8 times=1
}

// COVERS: template_type 1-D symbolic
//! block (64)
//! unknown none
template <typename T>
__global__ void template_type_1d_symbolic(T *out, int p) {
    int i = blockIdx.x * p + threadIdx.x;
    out[i] = T(1);
//  ^^^^^^ access! worst=9 best=8 ideal=8 space=global rw=W bytes=8 times=1
}

// COVERS: template_type 2-D known
//! block (16,4)
//! unknown none
template <typename T>
__global__ void template_type_2d_known(T *out) {
    int i = threadIdx.y * 36 + threadIdx.x;
    out[i] = T(1);
//  ^^^^^^ access! worst=8 best=8 ideal=8 space=global rw=W bytes=8 times=1
}

// COVERS: template_type 2-D symbolic
//! block (16,4)
//! unknown none
template <typename T>
__global__ void template_type_2d_symbolic(T *out, int p) {
    int i = threadIdx.y * p + threadIdx.x;
    out[i] = T(1);
//  ^^^^^^ access! worst=10 best=4 ideal=8 space=global rw=W bytes=8 times=1
}

// COVERS: template_type 3-D known
//! block (8,4,2)
//! unknown none
template <typename T>
__global__ void template_type_3d_known(T *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x;
    out[i] = T(1);
//  ^^^^^^ access! worst=8 best=8 ideal=8 space=global rw=W bytes=8 times=1
}

// COVERS: template_type 3-D symbolic
//! block (8,4,2)
//! unknown none
template <typename T>
__global__ void template_type_3d_symbolic(T *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x;
    out[i] = T(1);
//  ^^^^^^ access! worst=11 best=2 ideal=8 space=global rw=W bytes=8 times=1
}

// COVERS: template_type partial known
//! block (40)
//! unknown none
template <typename T>
__global__ void template_type_partial_known(T *out) {
    int i = blockIdx.x * 36 + threadIdx.x;
    out[i] = T(1);
//  ^^^^^^ access! worst=8 best=8 ideal=8 space=global rw=W bytes=8 times=1
}

// COVERS: template_type partial symbolic
//! block (40)
//! unknown none
template <typename T>
__global__ void template_type_partial_symbolic(T *out, int p) {
    int i = blockIdx.x * p + threadIdx.x;
    out[i] = T(1);
//  ^^^^^^ access! worst=9 best=8 ideal=8 space=global rw=W bytes=8 times=1
}

void launch_all(int p) {
    template_type_1d_known<double><<<4, 64>>>(nullptr);
    template_type_1d_symbolic<double><<<4, 64>>>(nullptr, p);
    template_type_2d_known<double><<<2, dim3(16, 4)>>>(nullptr);
    template_type_2d_symbolic<double><<<2, dim3(16, 4)>>>(nullptr, p);
    template_type_3d_known<double><<<2, dim3(8, 4, 2)>>>(nullptr);
    template_type_3d_symbolic<double><<<2, dim3(8, 4, 2)>>>(nullptr, p);
    template_type_partial_known<double><<<4, 40>>>(nullptr);
    template_type_partial_symbolic<double><<<4, 40>>>(nullptr, p);
}
