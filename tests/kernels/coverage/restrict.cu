// `__restrict__`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: restrict 1-D known
//! block (64)
//! unknown none
__global__ void restrict_1d_known(float *__restrict__ out, const float *__restrict__ in) {
    float x = in[blockIdx.x * 36 + threadIdx.x];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=R bytes=4 times=1
    out[blockIdx.x * 36 + 2 * threadIdx.x] = x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: restrict 1-D symbolic
//! block (64)
//! unknown none
__global__ void restrict_1d_symbolic(float *__restrict__ out, const float *__restrict__ in, int p) {
    float x = in[blockIdx.x * p + threadIdx.x];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=R bytes=4 times=1
    out[blockIdx.x * p + 2 * threadIdx.x] = x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: restrict 2-D known
//! block (16,4)
//! unknown none
__global__ void restrict_2d_known(float *__restrict__ out, const float *__restrict__ in) {
    float x = in[threadIdx.y * 36 + threadIdx.x];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5 ideal=4 space=global rw=R bytes=4 times=1
    out[threadIdx.y * 36 + 2 * threadIdx.x] = x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: restrict 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void restrict_2d_symbolic(float *__restrict__ out, const float *__restrict__ in, int p) {
    float x = in[threadIdx.y * p + threadIdx.x];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=2 ideal=4 space=global rw=R bytes=4 times=1
    out[threadIdx.y * p + 2 * threadIdx.x] = x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: restrict 3-D known
//! block (8,4,2)
//! unknown none
__global__ void restrict_3d_known(float *__restrict__ out, const float *__restrict__ in) {
    float x = in[(threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "6 sectors where 4 would do (1.50x)"
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6 ideal=4 space=global rw=R bytes=4 times=1
    out[(threadIdx.z * 4 + threadIdx.y) * 36 + 2 * threadIdx.x] = x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 best=10 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: restrict 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void restrict_3d_symbolic(float *__restrict__ out, const float *__restrict__ in, int p) {
    float x = in[(threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=1 ideal=4 space=global rw=R bytes=4 times=1
    out[(threadIdx.z * 4 + threadIdx.y) * p + 2 * threadIdx.x] = x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: restrict partial known
//! block (40)
//! unknown none
__global__ void restrict_partial_known(float *__restrict__ out, const float *__restrict__ in) {
    float x = in[blockIdx.x * 36 + threadIdx.x];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=R bytes=4 times=1
    out[blockIdx.x * 36 + 2 * threadIdx.x] = x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: restrict partial symbolic
//! block (40)
//! unknown none
__global__ void restrict_partial_symbolic(float *__restrict__ out, const float *__restrict__ in, int p) {
    float x = in[blockIdx.x * p + threadIdx.x];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 space=global rw=R bytes=4 times=1
    out[blockIdx.x * p + 2 * threadIdx.x] = x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    restrict_1d_known<<<4, 64>>>(nullptr, nullptr);
    restrict_1d_symbolic<<<4, 64>>>(nullptr, nullptr, p);
    restrict_2d_known<<<2, dim3(16, 4)>>>(nullptr, nullptr);
    restrict_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, nullptr, p);
    restrict_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr, nullptr);
    restrict_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, nullptr, p);
    restrict_partial_known<<<4, 40>>>(nullptr, nullptr);
    restrict_partial_symbolic<<<4, 40>>>(nullptr, nullptr, p);
}
