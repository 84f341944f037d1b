// arrays of two dimensions: every kernel makes its index with it.  Numbers from tests/harness/concrete.

// COVERS: array_2d 1-D known
//! block (64)
//! unknown none
__global__ void array_2d_1d_known() {
    __shared__ float s[64][34];
    s[threadIdx.x][blockIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_2d 2-D known
//! block (16,4)
//! unknown none
__global__ void array_2d_2d_known() {
    __shared__ float s[64][34];
    s[threadIdx.x][threadIdx.y] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_2d 3-D known
//! block (8,4,2)
//! unknown none
__global__ void array_2d_3d_known() {
    __shared__ float s[64][34];
    s[threadIdx.x][(threadIdx.z * 4 + threadIdx.y)] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=shared rw=W bytes=4 times=1
}

// COVERS: array_2d partial known
//! block (40)
//! unknown none
__global__ void array_2d_partial_known() {
    __shared__ float s[64][34];
    s[threadIdx.x][blockIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1 space=shared rw=W bytes=4 times=1
}

void launch_all(int p) {
    array_2d_1d_known<<<4, 64>>>();
    array_2d_2d_known<<<2, dim3(16, 4)>>>();
    array_2d_3d_known<<<2, dim3(8, 4, 2)>>>();
    array_2d_partial_known<<<4, 40>>>();
}
