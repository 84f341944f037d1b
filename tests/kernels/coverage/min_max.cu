// `min`, `max`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: min_max 1-D known
//! block (64)
//! unknown none
__global__ void min_max_1d_known(float *out) {
    int c = threadIdx.x;
    int i = blockIdx.x * 36 + 2 * max(min(c, 5), 2);
    out[i] = 1.0f;
//  ^^^^^^ access! worst=2 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: min_max 1-D symbolic
//! block (64)
//! unknown none
__global__ void min_max_1d_symbolic(float *out, int p) {
    int c = threadIdx.x;
    int i = blockIdx.x * p + 2 * max(min(c, 5), 2);
    out[i] = 1.0f;
//  ^^^^^^ access! worst=2 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: min_max 2-D known
//! block (16,4)
//! unknown none
__global__ void min_max_2d_known(float *out) {
    int c = threadIdx.x;
    int i = threadIdx.y * 36 + 2 * max(min(c, 5), 2);
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "3 sectors where 1 would do (3x)"
//  ^^^^^^ access! worst=3 best=3 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: min_max 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void min_max_2d_symbolic(float *out, int p) {
    int c = threadIdx.x;
    int i = threadIdx.y * p + 2 * max(min(c, 5), 2);
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "4 sectors where 1 would do (4x)"
//  ^^^^^^ access worst=4 best=1 true_worst=4 true_best=2 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: min_max 3-D known
//! block (8,4,2)
//! unknown none
__global__ void min_max_3d_known(float *out) {
    int c = threadIdx.x;
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + 2 * max(min(c, 5), 2);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "6 sectors where 2 would do (3x)"
//  ^^^^^^ access! worst=6 best=6 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: min_max 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void min_max_3d_symbolic(float *out, int p) {
    int c = threadIdx.x;
    int i = (threadIdx.z * 4 + threadIdx.y) * p + 2 * max(min(c, 5), 2);
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "8 sectors where 2 would do (4x)"
//  ^^^^^^ access worst=8 best=1 true_worst=8 true_best=2 ideal=2 space=global rw=W bytes=4 times=1
}

// COVERS: min_max partial known
//! block (40)
//! unknown none
__global__ void min_max_partial_known(float *out) {
    int c = threadIdx.x;
    int i = blockIdx.x * 36 + 2 * max(min(c, 5), 2);
    out[i] = 1.0f;
//  ^^^^^^ access! worst=2 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: min_max partial symbolic
//! block (40)
//! unknown none
__global__ void min_max_partial_symbolic(float *out, int p) {
    int c = threadIdx.x;
    int i = blockIdx.x * p + 2 * max(min(c, 5), 2);
    out[i] = 1.0f;
//  ^^^^^^ access! worst=2 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    min_max_1d_known<<<4, 64>>>(nullptr);
    min_max_1d_symbolic<<<4, 64>>>(nullptr, p);
    min_max_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    min_max_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    min_max_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    min_max_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    min_max_partial_known<<<4, 40>>>(nullptr);
    min_max_partial_symbolic<<<4, 40>>>(nullptr, p);
}
