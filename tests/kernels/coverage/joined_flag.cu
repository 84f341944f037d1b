// Numbers that are joined before they are tested: every kernel has a flag.

// COVERS: joined_flag 1-D known
//! block (64)
//! unknown none
__global__ void joined_flag_1d_known(float *out, int n) {
    int found = 0, i = 2 * threadIdx.x + blockIdx.x * 36;
    if (threadIdx.x == n)
        found = 1;
    if (found)
        out[i] = 1.0f;
//      ^^^^^^ access! worst=1 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: joined_flag 1-D symbolic
//! block (64)
//! unknown none
__global__ void joined_flag_1d_symbolic(float *out, int p, int n) {
    int found = 0, i = 2 * threadIdx.x + blockIdx.x * p;
    if (threadIdx.x == n)
        found = 1;
    if (found)
        out[i] = 1.0f;
//      ^^^^^^ access! worst=1 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: joined_flag 2-D known
//! block (16,4)
//! unknown none
__global__ void joined_flag_2d_known(float *out, int n) {
    int found = 0, i = 2 * threadIdx.x + threadIdx.y * 36;
    if (threadIdx.x == n)
        found = 1;
    if (found)
        out[i] = 1.0f;
//      ^^^^^^ access! worst=2 best=2 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: joined_flag 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void joined_flag_2d_symbolic(float *out, int p, int n) {
    int found = 0, i = 2 * threadIdx.x + threadIdx.y * p;
    if (threadIdx.x == n)
        found = 1;
    if (found)
        out[i] = 1.0f;
//      ^^^^^^ access! worst=2 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: joined_flag 3-D known
//! block (8,4,2)
//! unknown none
__global__ void joined_flag_3d_known(float *out, int n) {
    int found = 0, i = 2 * threadIdx.x + (threadIdx.z * 4 + threadIdx.y) * 36;
    if (threadIdx.x == n)
        found = 1;
    if (found)
        out[i] = 1.0f;
//      ^^^^^^ access! worst=4 best=4 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: joined_flag 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void joined_flag_3d_symbolic(float *out, int p, int n) {
    int found = 0, i = 2 * threadIdx.x + (threadIdx.z * 4 + threadIdx.y) * p;
    if (threadIdx.x == n)
        found = 1;
    if (found)
        out[i] = 1.0f;
//      ^^^^^^ access! worst=4 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: joined_flag partial known
//! block (40)
//! unknown none
__global__ void joined_flag_partial_known(float *out, int n) {
    int found = 0, i = 2 * threadIdx.x + blockIdx.x * 36;
    if (threadIdx.x == n)
        found = 1;
    if (found)
        out[i] = 1.0f;
//      ^^^^^^ access! worst=1 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

// COVERS: joined_flag partial symbolic
//! block (40)
//! unknown none
__global__ void joined_flag_partial_symbolic(float *out, int p, int n) {
    int found = 0, i = 2 * threadIdx.x + blockIdx.x * p;
    if (threadIdx.x == n)
        found = 1;
    if (found)
        out[i] = 1.0f;
//      ^^^^^^ access! worst=1 best=1 ideal=1 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    joined_flag_1d_known<<<4, 64>>>(nullptr);
    joined_flag_1d_symbolic<<<4, 64>>>(nullptr, p);
    joined_flag_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    joined_flag_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    joined_flag_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    joined_flag_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    joined_flag_partial_known<<<4, 40>>>(nullptr);
    joined_flag_partial_symbolic<<<4, 40>>>(nullptr, p);
}
