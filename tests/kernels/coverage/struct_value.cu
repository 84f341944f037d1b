// structs by value: every kernel makes its index with it.  Numbers from tests/harness/concrete.

struct View {
    float *data;
    int pitch;
};

// COVERS: struct_value 1-D known
//! block (64)
//! unknown none
__global__ void struct_value_1d_known(View view) {
    int i = blockIdx.x * 36 + 2 * threadIdx.x;
    view.data[i] = 1.0f;
//  ^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: struct_value 1-D symbolic
//! block (64)
//! unknown none
__global__ void struct_value_1d_symbolic(View view) {
    int i = blockIdx.x * view.pitch + 2 * threadIdx.x;
    view.data[i] = 1.0f;
//  ^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: struct_value 2-D known
//! block (16,4)
//! unknown none
__global__ void struct_value_2d_known(View view) {
    int i = threadIdx.y * 36 + 2 * threadIdx.x;
    view.data[i] = 1.0f;
//  ^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^ access! worst=9 best=9 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: struct_value 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void struct_value_2d_symbolic(View view) {
    int i = threadIdx.y * view.pitch + 2 * threadIdx.x;
    view.data[i] = 1.0f;
//  ^^^^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^^^^ access! worst=10 best=4 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: struct_value 3-D known
//! block (8,4,2)
//! unknown none
__global__ void struct_value_3d_known(View view) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + 2 * threadIdx.x;
    view.data[i] = 1.0f;
//  ^^^^^^^^^^^^ warn[WC101]! "10 sectors where 4 would do (2.5x)"
//  ^^^^^^^^^^^^ access! worst=10 best=10 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: struct_value 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void struct_value_3d_symbolic(View view) {
    int i = (threadIdx.z * 4 + threadIdx.y) * view.pitch + 2 * threadIdx.x;
    view.data[i] = 1.0f;
//  ^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
//  ^^^^^^^^^^^^ access! worst=12 best=2 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: struct_value partial known
//! block (40)
//! unknown none
__global__ void struct_value_partial_known(View view) {
    int i = blockIdx.x * 36 + 2 * threadIdx.x;
    view.data[i] = 1.0f;
//  ^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

// COVERS: struct_value partial symbolic
//! block (40)
//! unknown none
__global__ void struct_value_partial_symbolic(View view) {
    int i = blockIdx.x * view.pitch + 2 * threadIdx.x;
    view.data[i] = 1.0f;
//  ^^^^^^^^^^^^ warn[WC101]! "9 sectors where 4 would do (2.2x)"
//  ^^^^^^^^^^^^ access! worst=9 best=8 ideal=4 space=global rw=W bytes=4 times=1
}

void launch_all(int p) {
    struct_value_1d_known<<<4, 64>>>(View{});
    struct_value_1d_symbolic<<<4, 64>>>(View{});
    struct_value_2d_known<<<2, dim3(16, 4)>>>(View{});
    struct_value_2d_symbolic<<<2, dim3(16, 4)>>>(View{});
    struct_value_3d_known<<<2, dim3(8, 4, 2)>>>(View{});
    struct_value_3d_symbolic<<<2, dim3(8, 4, 2)>>>(View{});
    struct_value_partial_known<<<4, 40>>>(View{});
    struct_value_partial_symbolic<<<4, 40>>>(View{});
}
