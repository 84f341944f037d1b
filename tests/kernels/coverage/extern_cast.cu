// casts of `extern __shared__`: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: extern_cast 1-D known
//! block (64)
//! unknown none
__global__ void extern_cast_1d_known() {
    extern __shared__ char raw[];
    double *s = (double *)raw;
    s[blockIdx.x * 36 + 2 * threadIdx.x] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "each request takes 4 wavefronts where 2 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=2 space=shared rw=W bytes=8 times=1
}

// COVERS: extern_cast 1-D symbolic
// SIZES: up to 64
//! block (64)
//! unknown none
__global__ void extern_cast_1d_symbolic(int p) {
    extern __shared__ char raw[];
    double *s = (double *)raw;
    s[blockIdx.x * p + 2 * threadIdx.x] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "each request takes 4 wavefronts where 2 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=2 space=shared rw=W bytes=8 times=1
}

// COVERS: extern_cast 2-D known
//! block (16,4)
//! unknown none
__global__ void extern_cast_2d_known() {
    extern __shared__ char raw[];
    double *s = (double *)raw;
    s[threadIdx.y * 36 + 2 * threadIdx.x] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "each request takes 4 wavefronts where 2 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=2 space=shared rw=W bytes=8 times=1
}

// COVERS: extern_cast 2-D symbolic
// SIZES: up to 64
//! block (16,4)
//! unknown none
__global__ void extern_cast_2d_symbolic(int p) {
    extern __shared__ char raw[];
    double *s = (double *)raw;
    s[threadIdx.y * p + 2 * threadIdx.x] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "each request takes up to 4 wavefronts where 2 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=4 best=2 true_worst=4 true_best=4 ideal=2 space=shared rw=W bytes=8 times=1
}

// COVERS: extern_cast 3-D known
//! block (8,4,2)
//! unknown none
__global__ void extern_cast_3d_known() {
    extern __shared__ char raw[];
    double *s = (double *)raw;
    s[(threadIdx.z * 4 + threadIdx.y) * 36 + 2 * threadIdx.x] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "each request takes 4 wavefronts where 2 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=2 space=shared rw=W bytes=8 times=1
}

// COVERS: extern_cast 3-D symbolic
// SIZES: up to 64
//! block (8,4,2)
//! unknown none
__global__ void extern_cast_3d_symbolic(int p) {
    extern __shared__ char raw[];
    double *s = (double *)raw;
    s[(threadIdx.z * 4 + threadIdx.y) * p + 2 * threadIdx.x] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "each request takes up to 4 wavefronts where 2 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=4 best=1 true_worst=4 true_best=2 ideal=2 space=shared rw=W bytes=8 times=1
}

// COVERS: extern_cast partial known
//! block (40)
//! unknown none
__global__ void extern_cast_partial_known() {
    extern __shared__ char raw[];
    double *s = (double *)raw;
    s[blockIdx.x * 36 + 2 * threadIdx.x] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "each request takes 4 wavefronts where 2 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=2 space=shared rw=W bytes=8 times=1
}

// COVERS: extern_cast partial symbolic
// SIZES: up to 64
//! block (40)
//! unknown none
__global__ void extern_cast_partial_symbolic(int p) {
    extern __shared__ char raw[];
    double *s = (double *)raw;
    s[blockIdx.x * p + 2 * threadIdx.x] = 1.0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "each request takes 4 wavefronts where 2 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=2 space=shared rw=W bytes=8 times=1
}

void launch_all(int p) {
    extern_cast_1d_known<<<4, 64>>>();
    extern_cast_1d_symbolic<<<4, 64>>>(p);
    extern_cast_2d_known<<<2, dim3(16, 4)>>>();
    extern_cast_2d_symbolic<<<2, dim3(16, 4)>>>(p);
    extern_cast_3d_known<<<2, dim3(8, 4, 2)>>>();
    extern_cast_3d_symbolic<<<2, dim3(8, 4, 2)>>>(p);
    extern_cast_partial_known<<<4, 40>>>();
    extern_cast_partial_symbolic<<<4, 40>>>(p);
}
