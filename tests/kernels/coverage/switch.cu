// `switch`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: switch 1-D known
//! block (64)
//! unknown none
__global__ void switch_1d_known(float *out) {
    int i = blockIdx.x * 36;
    switch (threadIdx.x & 3) {
    case 0:
        i += threadIdx.x;
        break;
    case 1:
        i += 2 * threadIdx.x;  // falls through
    case 2:
        i += 8;
        break;
    default:
        i += 3 * threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "19 sectors where 4 would do (4.8x)"
//  ^^^^^^ access! worst=19 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: switch 1-D symbolic
//! block (64)
//! unknown none
__global__ void switch_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p;
    switch (threadIdx.x & 3) {
    case 0:
        i += threadIdx.x;
        break;
    case 1:
        i += 2 * threadIdx.x;  // falls through
    case 2:
        i += 8;
        break;
    default:
        i += 3 * threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "19 sectors where 4 would do (4.8x)"
//  ^^^^^^ access! worst=19 best=11 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: switch 2-D known
//! block (16,4)
//! unknown none
__global__ void switch_2d_known(float *out) {
    int i = threadIdx.y * 36;
    switch (threadIdx.x & 3) {
    case 0:
        i += threadIdx.x;
        break;
    case 1:
        i += 2 * threadIdx.x;  // falls through
    case 2:
        i += 8;
        break;
    default:
        i += 3 * threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "10 sectors where 3 would do (3.3x)"
//  ^^^^^^ access! worst=10 best=10 ideal=3 space=global rw=W bytes=4 times=1
}

// COVERS: switch 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void switch_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p;
    switch (threadIdx.x & 3) {
    case 0:
        i += threadIdx.x;
        break;
    case 1:
        i += 2 * threadIdx.x;  // falls through
    case 2:
        i += 8;
        break;
    default:
        i += 3 * threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "13 sectors where 3 would do (4.3x)"
//  ^^^^^^ access! worst=13 best=6 ideal=3 space=global rw=W bytes=4 times=1
}

// COVERS: switch 3-D known
//! block (8,4,2)
//! unknown none
__global__ void switch_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36;
    switch (threadIdx.x & 3) {
    case 0:
        i += threadIdx.x;
        break;
    case 1:
        i += 2 * threadIdx.x;  // falls through
    case 2:
        i += 8;
        break;
    default:
        i += 3 * threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: switch 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void switch_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p;
    switch (threadIdx.x & 3) {
    case 0:
        i += threadIdx.x;
        break;
    case 1:
        i += 2 * threadIdx.x;  // falls through
    case 2:
        i += 8;
        break;
    default:
        i += 3 * threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x)"
//  ^^^^^^ access! worst=16 best=3 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: switch partial known
//! block (40)
//! unknown none
__global__ void switch_partial_known(float *out) {
    int i = blockIdx.x * 36;
    switch (threadIdx.x & 3) {
    case 0:
        i += threadIdx.x;
        break;
    case 1:
        i += 2 * threadIdx.x;  // falls through
    case 2:
        i += 8;
        break;
    default:
        i += 3 * threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "12 sectors where 3 would do (4x)"
//  ^^^^^^ access! worst=12 best=11 ideal=3 space=global rw=W bytes=4 times=1
}

// COVERS: switch partial symbolic
//! block (40)
//! unknown none
__global__ void switch_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p;
    switch (threadIdx.x & 3) {
    case 0:
        i += threadIdx.x;
        break;
    case 1:
        i += 2 * threadIdx.x;  // falls through
    case 2:
        i += 8;
        break;
    default:
        i += 3 * threadIdx.x;
    }
    out[i] = 1.0f;
//  ^^^^^^ warn[WC101]! "12 sectors where 3 would do (4x)"
//  ^^^^^^ access! worst=12 best=11 ideal=3 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    switch_1d_known<<<4, 64>>>(nullptr);
    switch_1d_symbolic<<<4, 64>>>(nullptr, p);
    switch_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    switch_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    switch_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    switch_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    switch_partial_known<<<4, 40>>>(nullptr);
    switch_partial_symbolic<<<4, 40>>>(nullptr, p);
}
