// `__device__` calls with results by reference: every kernel makes its index with it.  Numbers from tests/harness/concrete.

__device__ void halves(int value, int &high, int &low) {
    high = value / 2;
    low = value % 2;
}

// COVERS: device_reference 1-D known
//! block (64)
//! unknown none
__global__ void device_reference_1d_known(float *out) {
    int high, low;
    halves(threadIdx.x, high, low);
    out[blockIdx.x * 36 + high + 32 * low] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: device_reference 1-D symbolic
//! block (64)
//! unknown none
__global__ void device_reference_1d_symbolic(float *out, int p) {
    int high, low;
    halves(threadIdx.x, high, low);
    out[blockIdx.x * p + high + 32 * low] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: device_reference 2-D known
//! block (16,4)
//! unknown none
__global__ void device_reference_2d_known(float *out) {
    int high, low;
    halves(threadIdx.x, high, low);
    out[threadIdx.y * 36 + high + 32 * low] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: device_reference 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void device_reference_2d_symbolic(float *out, int p) {
    int high, low;
    halves(threadIdx.x, high, low);
    out[threadIdx.y * p + high + 32 * low] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: device_reference 3-D known
//! block (8,4,2)
//! unknown none
__global__ void device_reference_3d_known(float *out) {
    int high, low;
    halves(threadIdx.x, high, low);
    out[(threadIdx.z * 4 + threadIdx.y) * 36 + high + 32 * low] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "6 sectors where 4 would do (1.50x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: device_reference 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void device_reference_3d_symbolic(float *out, int p) {
    int high, low;
    halves(threadIdx.x, high, low);
    out[(threadIdx.z * 4 + threadIdx.y) * p + high + 32 * low] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=14 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: device_reference partial known
//! block (40)
//! unknown none
__global__ void device_reference_partial_known(float *out) {
    int high, low;
    halves(threadIdx.x, high, low);
    out[blockIdx.x * 36 + high + 32 * low] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: device_reference partial symbolic
//! block (40)
//! unknown none
__global__ void device_reference_partial_symbolic(float *out, int p) {
    int high, low;
    halves(threadIdx.x, high, low);
    out[blockIdx.x * p + high + 32 * low] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    device_reference_1d_known<<<4, 64>>>(nullptr);
    device_reference_1d_symbolic<<<4, 64>>>(nullptr, p);
    device_reference_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    device_reference_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    device_reference_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    device_reference_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    device_reference_partial_known<<<4, 40>>>(nullptr);
    device_reference_partial_symbolic<<<4, 40>>>(nullptr, p);
}
