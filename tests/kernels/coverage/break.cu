// `break`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: break 1-D known
//! block (64)
//! unknown none
__global__ void break_1d_known(float *out) {
    int i = blockIdx.x * 36;
    for (int k = 0; k < 8; k++) {
        if (k == 3)
//          ^^^^^^ branch! divergence=never
            break;
        i += threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: break 1-D symbolic
//! block (64)
//! unknown none
__global__ void break_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p;
    for (int k = 0; k < 8; k++) {
        if (k == 3)
//          ^^^^^^ branch! divergence=never
            break;
        i += threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: break 2-D known
//! block (16,4)
//! unknown none
__global__ void break_2d_known(float *out) {
    int i = threadIdx.y * 36;
    for (int k = 0; k < 8; k++) {
        if (k == 3)
//          ^^^^^^ branch! divergence=never
            break;
        i += threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: break 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void break_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p;
    for (int k = 0; k < 8; k++) {
        if (k == 3)
//          ^^^^^^ branch! divergence=never
            break;
        i += threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: break 3-D known
//! block (8,4,2)
//! unknown none
__global__ void break_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36;
    for (int k = 0; k < 8; k++) {
        if (k == 3)
//          ^^^^^^ branch! divergence=never
            break;
        i += threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: break 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void break_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p;
    for (int k = 0; k < 8; k++) {
        if (k == 3)
//          ^^^^^^ branch! divergence=never
            break;
        i += threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access! worst=16 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: break partial known
//! block (40)
//! unknown none
__global__ void break_partial_known(float *out) {
    int i = blockIdx.x * 36;
    for (int k = 0; k < 8; k++) {
        if (k == 3)
//          ^^^^^^ branch! divergence=never
            break;
        i += threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: break partial symbolic
//! block (40)
//! unknown none
__global__ void break_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p;
    for (int k = 0; k < 8; k++) {
        if (k == 3)
//          ^^^^^^ branch! divergence=never
            break;
        i += threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    break_1d_known<<<4, 64>>>(nullptr);
    break_1d_symbolic<<<4, 64>>>(nullptr, p);
    break_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    break_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    break_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    break_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    break_partial_known<<<4, 40>>>(nullptr);
    break_partial_symbolic<<<4, 40>>>(nullptr, p);
}
