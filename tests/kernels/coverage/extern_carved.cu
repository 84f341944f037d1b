// carving of `extern __shared__`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: extern_carved 1-D known
//! block (64)
//! unknown none
__global__ void extern_carved_1d_known() {
    extern __shared__ float pool[];
    float *first = pool;
    float *second = &first[640];
    second[blockIdx.x * 36 + 3 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: extern_carved 1-D symbolic
// SIZES: up to 64
//! block (64)
//! unknown none
__global__ void extern_carved_1d_symbolic(int p) {
    extern __shared__ float pool[];
    float *first = pool;
    float *second = &first[640];
    second[blockIdx.x * p + 3 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: extern_carved 2-D known
//! block (16,4)
//! unknown none
__global__ void extern_carved_2d_known() {
    extern __shared__ float pool[];
    float *first = pool;
    float *second = &first[640];
    second[threadIdx.y * 36 + 3 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: extern_carved 2-D symbolic
// SIZES: up to 64
//! block (16,4)
//! unknown none
__global__ void extern_carved_2d_symbolic(int p) {
    extern __shared__ float pool[];
    float *first = pool;
    float *second = &first[640];
    second[threadIdx.y * p + 3 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: extern_carved 3-D known
//! block (8,4,2)
//! unknown none
__global__ void extern_carved_3d_known() {
    extern __shared__ float pool[];
    float *first = pool;
    float *second = &first[640];
    second[(threadIdx.z * 4 + threadIdx.y) * 36 + 3 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: extern_carved 3-D symbolic
// SIZES: up to 64
//! block (8,4,2)
//! unknown none
__global__ void extern_carved_3d_symbolic(int p) {
    extern __shared__ float pool[];
    float *first = pool;
    float *second = &first[640];
    second[(threadIdx.z * 4 + threadIdx.y) * p + 3 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "4-way, each request takes 4 wavefronts where 1 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: extern_carved partial known
//! block (40)
//! unknown none
__global__ void extern_carved_partial_known() {
    extern __shared__ float pool[];
    float *first = pool;
    float *second = &first[640];
    second[blockIdx.x * 36 + 3 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: extern_carved partial symbolic
// SIZES: up to 64
//! block (40)
//! unknown none
__global__ void extern_carved_partial_symbolic(int p) {
    extern __shared__ float pool[];
    float *first = pool;
    float *second = &first[640];
    second[blockIdx.x * p + 3 * threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

void launch_all(int p) {
    extern_carved_1d_known<<<4, 64>>>();
    extern_carved_1d_symbolic<<<4, 64>>>(p);
    extern_carved_2d_known<<<2, dim3(16, 4)>>>();
    extern_carved_2d_symbolic<<<2, dim3(16, 4)>>>(p);
    extern_carved_3d_known<<<2, dim3(8, 4, 2)>>>();
    extern_carved_3d_symbolic<<<2, dim3(8, 4, 2)>>>(p);
    extern_carved_partial_known<<<4, 40>>>();
    extern_carved_partial_symbolic<<<4, 40>>>(p);
}
