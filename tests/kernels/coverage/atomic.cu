// atomics: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: atomic 1-D known
//! block (64)
//! unknown none
__global__ void atomic_1d_known(float *out) {
    int i = blockIdx.x * 36 + threadIdx.x / 2;
    atomicAdd(&out[i], 1.0f);
    //         ^^^^^^ info[WC202]
//             ^^^^^^ access! worst=3 best=2 ideal=2 space=global rw=A bytes=4 times=1
}

// COVERS: atomic 1-D symbolic
//! block (64)
//! unknown none
__global__ void atomic_1d_symbolic(float *out, int p) {
    int i = blockIdx.x * p + threadIdx.x / 2;
    atomicAdd(&out[i], 1.0f);
    //         ^^^^^^ info[WC202]
//             ^^^^^^ access! worst=3 best=2 ideal=2 space=global rw=A bytes=4 times=1
}

// COVERS: atomic 2-D known
//! block (16,4)
//! unknown none
__global__ void atomic_2d_known(float *out) {
    int i = threadIdx.y * 36 + threadIdx.x / 2;
    atomicAdd(&out[i], 1.0f);
    //         ^^^^^^ info[WC202]
//             ^^^^^^ access! worst=3 best=3 ideal=2 space=global rw=A bytes=4 times=1
}

// COVERS: atomic 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void atomic_2d_symbolic(float *out, int p) {
    int i = threadIdx.y * p + threadIdx.x / 2;
    atomicAdd(&out[i], 1.0f);
    //         ^^^^^^ info[WC202]
//             ^^^^^^ access! worst=4 best=1 ideal=2 space=global rw=A bytes=4 times=1
}

// COVERS: atomic 3-D known
//! block (8,4,2)
//! unknown none
__global__ void atomic_3d_known(float *out) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x / 2;
    atomicAdd(&out[i], 1.0f);
    //         ^^^^^^ info[WC202]
//             ^^^^^^ info[WC101]! "4 sectors where 2 would do (2x)"
//             ^^^^^^ access! worst=4 best=4 ideal=2 space=global rw=A bytes=4 times=1
}

// COVERS: atomic 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void atomic_3d_symbolic(float *out, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x / 2;
    atomicAdd(&out[i], 1.0f);
    //         ^^^^^^ info[WC202]
//             ^^^^^^ warn[WC101]! "7 sectors where 2 would do (3.5x)"
//             ^^^^^^ access! worst=7 best=1 ideal=2 space=global rw=A bytes=4 times=1
}

// COVERS: atomic partial known
//! block (40)
//! unknown none
__global__ void atomic_partial_known(float *out) {
    int i = blockIdx.x * 36 + threadIdx.x / 2;
    atomicAdd(&out[i], 1.0f);
    //         ^^^^^^ info[WC202]
//             ^^^^^^ access! worst=3 best=2 ideal=2 space=global rw=A bytes=4 times=1
}

// COVERS: atomic partial symbolic
//! block (40)
//! unknown none
__global__ void atomic_partial_symbolic(float *out, int p) {
    int i = blockIdx.x * p + threadIdx.x / 2;
    atomicAdd(&out[i], 1.0f);
    //         ^^^^^^ info[WC202]
//             ^^^^^^ access! worst=3 best=2 ideal=2 space=global rw=A bytes=4 times=1
}

void launch_all(int p) {
    atomic_1d_known<<<4, 64>>>(nullptr);
    atomic_1d_symbolic<<<4, 64>>>(nullptr, p);
    atomic_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    atomic_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    atomic_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    atomic_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    atomic_partial_known<<<4, 40>>>(nullptr);
    atomic_partial_symbolic<<<4, 40>>>(nullptr, p);
}
