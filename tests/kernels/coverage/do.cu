// `do`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: do 1-D known
//! block (64)
//! unknown none
__global__ void do_1d_known(float *out) {
    int k = 1;
    do {
        k *= 2;
    } while (k < 4);
//           ^^^^^ branch! divergence=never
    int i = blockIdx.x * 36 + k * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "17 sectors where 4 would do (4.2x)"
//  ^^^^^^ access! worst=17 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: do 1-D symbolic
//! block (64)
//! unknown none
__global__ void do_1d_symbolic(float *out, int p) {
    int k = 1;
    do {
        k *= 2;
    } while (k < 4);
//           ^^^^^ branch! divergence=never
    int i = blockIdx.x * p + k * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "17 sectors where 4 would do (4.2x)"
//  ^^^^^^ access! worst=17 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: do 2-D known
//! block (16,4)
//! unknown none
__global__ void do_2d_known(float *out) {
    int k = 1;
    do {
        k *= 2;
    } while (k < 4);
//           ^^^^^ branch! divergence=never
    int i = threadIdx.y * 36 + k * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=13 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: do 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void do_2d_symbolic(float *out, int p) {
    int k = 1;
    do {
        k *= 2;
    } while (k < 4);
//           ^^^^^ branch! divergence=never
    int i = threadIdx.y * p + k * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "18 sectors where 4 would do (4.5x)"
//  ^^^^^^ access! worst=18 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: do 3-D known
//! block (8,4,2)
//! unknown none
__global__ void do_3d_known(float *out) {
    int k = 1;
    do {
        k *= 2;
    } while (k < 4);
//           ^^^^^ branch! divergence=never
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + k * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "18 sectors where 4 would do (4.5x)"
//  ^^^^^^ access! worst=18 best=18 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: do 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void do_3d_symbolic(float *out, int p) {
    int k = 1;
    do {
        k *= 2;
    } while (k < 4);
//           ^^^^^ branch! divergence=never
    int i = (threadIdx.z * 4 + threadIdx.y) * p + k * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "20 sectors where 4 would do (5x)"
//  ^^^^^^ access! worst=20 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: do partial known
//! block (40)
//! unknown none
__global__ void do_partial_known(float *out) {
    int k = 1;
    do {
        k *= 2;
    } while (k < 4);
//           ^^^^^ branch! divergence=never
    int i = blockIdx.x * 36 + k * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "17 sectors where 4 would do (4.2x)"
//  ^^^^^^ access! worst=17 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: do partial symbolic
//! block (40)
//! unknown none
__global__ void do_partial_symbolic(float *out, int p) {
    int k = 1;
    do {
        k *= 2;
    } while (k < 4);
//           ^^^^^ branch! divergence=never
    int i = blockIdx.x * p + k * threadIdx.x;
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "17 sectors where 4 would do (4.2x)"
//  ^^^^^^ access! worst=17 best=16 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    do_1d_known<<<4, 64>>>(nullptr);
    do_1d_symbolic<<<4, 64>>>(nullptr, p);
    do_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    do_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    do_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    do_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    do_partial_known<<<4, 40>>>(nullptr);
    do_partial_symbolic<<<4, 40>>>(nullptr, p);
}
