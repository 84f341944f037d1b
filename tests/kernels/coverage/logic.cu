// comparisons, `&&`, `||`, `!`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: logic 1-D known
//! block (64)
//! unknown none
__global__ void logic_1d_known(float *out) {
    int far = (threadIdx.x >= 4 && !(threadIdx.x == 7)) || threadIdx.x < 2;
    int i = blockIdx.x * 36 + threadIdx.x + 32 * far;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "7 sectors where 4 would do (1.75x)"
//  ^^^^^^ access! worst=7 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: logic 1-D symbolic
//! block (64)
//! unknown none
__global__ void logic_1d_symbolic(float *out, int p) {
    int far = (threadIdx.x >= 4 && !(threadIdx.x == 7)) || threadIdx.x < 2;
    int i = blockIdx.x * p + threadIdx.x + 32 * far;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "7 sectors where 4 would do (1.75x)"
//  ^^^^^^ access! worst=7 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: logic 2-D known
//! block (16,4)
//! unknown none
__global__ void logic_2d_known(float *out) {
    int far = (threadIdx.x >= 4 && !(threadIdx.x == 7)) || threadIdx.x < 2;
    int i = threadIdx.y * 36 + threadIdx.x + 32 * far;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "6 sectors where 4 would do (1.50x)"
//  ^^^^^^ access! worst=6 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: logic 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void logic_2d_symbolic(float *out, int p) {
    int far = (threadIdx.x >= 4 && !(threadIdx.x == 7)) || threadIdx.x < 2;
    int i = threadIdx.y * p + threadIdx.x + 32 * far;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^ access! worst=10 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: logic 3-D known
//! block (8,4,2)
//! unknown none
__global__ void logic_3d_known(float *out) {
    int far = (threadIdx.x >= 4 && !(threadIdx.x == 7)) || threadIdx.x < 2;
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x + 32 * far;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^ access! worst=9 best=9 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: logic 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void logic_3d_symbolic(float *out, int p) {
    int far = (threadIdx.x >= 4 && !(threadIdx.x == 7)) || threadIdx.x < 2;
    int i = (threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x + 32 * far;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "15 sectors where 4 would do (3.8x)"
//  ^^^^^^ access! worst=15 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: logic partial known
//! block (40)
//! unknown none
__global__ void logic_partial_known(float *out) {
    int far = (threadIdx.x >= 4 && !(threadIdx.x == 7)) || threadIdx.x < 2;
    int i = blockIdx.x * 36 + threadIdx.x + 32 * far;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "7 sectors where 4 would do (1.75x)"
//  ^^^^^^ access! worst=7 best=5 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: logic partial symbolic
//! block (40)
//! unknown none
__global__ void logic_partial_symbolic(float *out, int p) {
    int far = (threadIdx.x >= 4 && !(threadIdx.x == 7)) || threadIdx.x < 2;
    int i = blockIdx.x * p + threadIdx.x + 32 * far;
    out[i] = 1.0f;
//  ^^^^^^ info[WC101]! "7 sectors where 4 would do (1.75x)"
//  ^^^^^^ access! worst=7 best=5 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    logic_1d_known<<<4, 64>>>(nullptr);
    logic_1d_symbolic<<<4, 64>>>(nullptr, p);
    logic_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    logic_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    logic_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    logic_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    logic_partial_known<<<4, 40>>>(nullptr);
    logic_partial_symbolic<<<4, 40>>>(nullptr, p);
}
