// arrays of one dimension: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: array_1d 1-D known
//! block (64)
//! unknown none
__global__ void array_1d_1d_known() {
    __shared__ float s[640];
    s[blockIdx.x * 36 + 2 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_1d 1-D symbolic
// SIZES: up to 64
//! block (64)
//! unknown none
__global__ void array_1d_1d_symbolic(int p) {
    __shared__ float s[640];
    s[blockIdx.x * p + 2 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_1d 2-D known
//! block (16,4)
//! unknown none
__global__ void array_1d_2d_known() {
    __shared__ float s[640];
    s[threadIdx.y * 36 + 2 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_1d 2-D symbolic
// SIZES: up to 64
//! block (16,4)
//! unknown none
__global__ void array_1d_2d_symbolic(int p) {
    __shared__ float s[640];
    s[threadIdx.y * p + 2 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_1d 3-D known
//! block (8,4,2)
//! unknown none
__global__ void array_1d_3d_known() {
    __shared__ float s[640];
    s[(threadIdx.z * 4 + threadIdx.y) * 36 + 2 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "4-way, each request takes 4 wavefronts where 1 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_1d 3-D symbolic
// SIZES: up to 64
//! block (8,4,2)
//! unknown none
__global__ void array_1d_3d_symbolic(int p) {
    __shared__ float s[640];
    s[(threadIdx.z * 4 + threadIdx.y) * p + 2 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "4-way, each request takes 4 wavefronts where 1 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_1d partial known
//! block (40)
//! unknown none
__global__ void array_1d_partial_known() {
    __shared__ float s[640];
    s[blockIdx.x * 36 + 2 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_1d partial symbolic
// SIZES: up to 64
//! block (40)
//! unknown none
__global__ void array_1d_partial_symbolic(int p) {
    __shared__ float s[640];
    s[blockIdx.x * p + 2 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=shared rw=W bytes=4 times=1
}

void launch_all(int p) {
    array_1d_1d_known<<<4, 64>>>();
    array_1d_1d_symbolic<<<4, 64>>>(p);
    array_1d_2d_known<<<2, dim3(16, 4)>>>();
    array_1d_2d_symbolic<<<2, dim3(16, 4)>>>(p);
    array_1d_3d_known<<<2, dim3(8, 4, 2)>>>();
    array_1d_3d_symbolic<<<2, dim3(8, 4, 2)>>>(p);
    array_1d_partial_known<<<4, 40>>>();
    array_1d_partial_symbolic<<<4, 40>>>(p);
}
