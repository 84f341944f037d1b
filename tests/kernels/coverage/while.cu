// `while`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: while 1-D known
//! block (64)
//! unknown none
__global__ void while_1d_known(float *out) {
    int i = blockIdx.x * 36;
    int k = 0;
    while (k < 3) {
//         ^^^^^ branch! divergence=never
        i += threadIdx.x;
        k++;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: while 1-D symbolic
//! block (64)
//! unknown none
__global__ void while_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p;
    int k = 0;
    while (k < 3) {
//         ^^^^^ branch! divergence=never
        i += threadIdx.x;
        k++;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: while 2-D known
//! block (16,4)
//! unknown none
__global__ void while_2d_known(float *out) {
    int i = threadIdx.y * 36;
    int k = 0;
    while (k < 3) {
//         ^^^^^ branch! divergence=never
        i += threadIdx.x;
        k++;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: while 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void while_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p;
    int k = 0;
    while (k < 3) {
//         ^^^^^ branch! divergence=never
        i += threadIdx.x;
        k++;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: while 3-D known
//! block (8,4,2)
//! unknown none
__global__ void while_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36;
    int k = 0;
    while (k < 3) {
//         ^^^^^ branch! divergence=never
        i += threadIdx.x;
        k++;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: while 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void while_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p;
    int k = 0;
    while (k < 3) {
//         ^^^^^ branch! divergence=never
        i += threadIdx.x;
        k++;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access! worst=16 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: while partial known
//! block (40)
//! unknown none
__global__ void while_partial_known(float *out) {
    int i = blockIdx.x * 36;
    int k = 0;
    while (k < 3) {
//         ^^^^^ branch! divergence=never
        i += threadIdx.x;
        k++;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: while partial symbolic
//! block (40)
//! unknown none
__global__ void while_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p;
    int k = 0;
    while (k < 3) {
//         ^^^^^ branch! divergence=never
        i += threadIdx.x;
        k++;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    while_1d_known<<<4, 64>>>(nullptr);
    while_1d_symbolic<<<4, 64>>>(nullptr, p);
    while_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    while_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    while_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    while_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    while_partial_known<<<4, 40>>>(nullptr);
    while_partial_symbolic<<<4, 40>>>(nullptr, p);
}
