// `++` and `--`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: increment 1-D known
//! block (64)
//! unknown none
__global__ void increment_1d_known(float *out) {
    int c = threadIdx.x;
    int before = c++;
    int i = blockIdx.x * 36 + before + c--;
    i += --c;
    ++i;
    out[i]++;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: increment 1-D symbolic
//! block (64)
//! unknown none
__global__ void increment_1d_symbolic(float *out, int p) {
    int c = threadIdx.x;
    int before = c++;
    int i = blockIdx.x * p + before + c--;
    i += --c;
    ++i;
    out[i]++;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: increment 2-D known
//! block (16,4)
//! unknown none
__global__ void increment_2d_known(float *out) {
    int c = threadIdx.x;
    int before = c++;
    int i = threadIdx.y * 36 + before + c--;
    i += --c;
    ++i;
    out[i]++;
//  ^^^^^^ warn[WC101]! "11 sectors where 4 would do (2.8x)"
//  ^^^^^^ access! worst=11 best=11 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: increment 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void increment_2d_symbolic(float *out, int p) {
    int c = threadIdx.x;
    int before = c++;
    int i = threadIdx.y * p + before + c--;
    i += --c;
    ++i;
    out[i]++;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: increment 3-D known
//! block (8,4,2)
//! unknown none
__global__ void increment_3d_known(float *out) {
    int c = threadIdx.x;
    int before = c++;
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + before + c--;
    i += --c;
    ++i;
    out[i]++;
//  ^^^^^^ warn[WC101]! "14 sectors where 4 would do (3.5x)"
//  ^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: increment 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void increment_3d_symbolic(float *out, int p) {
    int c = threadIdx.x;
    int before = c++;
    int i = (threadIdx.z * 4 + threadIdx.y) * p + before + c--;
    i += --c;
    ++i;
    out[i]++;
//  ^^^^^^ warn[WC101]! "15 sectors where 4 would do (3.8x)"
//  ^^^^^^ access! worst=15 best=3 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: increment partial known
//! block (40)
//! unknown none
__global__ void increment_partial_known(float *out) {
    int c = threadIdx.x;
    int before = c++;
    int i = blockIdx.x * 36 + before + c--;
    i += --c;
    ++i;
    out[i]++;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=RW bytes=4 times=1
}

// COVERS: increment partial symbolic
//! block (40)
//! unknown none
__global__ void increment_partial_symbolic(float *out, int p) {
    int c = threadIdx.x;
    int before = c++;
    int i = blockIdx.x * p + before + c--;
    i += --c;
    ++i;
    out[i]++;
//  ^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
//  ^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=RW bytes=4 times=1
}

void launch_all(int p) {
    increment_1d_known<<<4, 64>>>(nullptr);
    increment_1d_symbolic<<<4, 64>>>(nullptr, p);
    increment_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    increment_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    increment_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    increment_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    increment_partial_known<<<4, 40>>>(nullptr);
    increment_partial_symbolic<<<4, 40>>>(nullptr, p);
}
