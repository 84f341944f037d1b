// structs by pointer: every kernel makes its index with it.  Numbers from tests/harness/concrete.

struct Cell {
    float x, y;
    short id;
};

// COVERS: struct_pointer 1-D known
//! block (64)
//! unknown none
__global__ void struct_pointer_1d_known(Cell *cells) {
    int i = blockIdx.x * 36 + threadIdx.x;
    cells[i].y = 1.0f;
//  ^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
    (cells + i)->id = 1;
//  ^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 2 would do (6.5x)"
//  ^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=2 space=global rw=W bytes=2 times=1
}

// COVERS: struct_pointer 1-D symbolic
//! block (64)
//! unknown none
__global__ void struct_pointer_1d_symbolic(Cell *cells, int p) {
    int i = blockIdx.x * p + threadIdx.x;
    cells[i].y = 1.0f;
//  ^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
    (cells + i)->id = 1;
//  ^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 2 would do (6.5x)"
//  ^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=2 space=global rw=W bytes=2 times=1
}

// COVERS: struct_pointer 2-D known
//! block (16,4)
//! unknown none
__global__ void struct_pointer_2d_known(Cell *cells) {
    int i = threadIdx.y * 36 + threadIdx.x;
    cells[i].y = 1.0f;
//  ^^^^^^^^^^ access! worst=13 best=13 ideal=4 space=global rw=W bytes=4 times=1
    (cells + i)->id = 1;
//  ^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 2 would do (6.5x)"
//  ^^^^^^^^^^^^^^^ access! worst=13 best=13 ideal=2 space=global rw=W bytes=2 times=1
}

// COVERS: struct_pointer 2-D symbolic
//! block (16,4)
//! unknown none
__global__ void struct_pointer_2d_symbolic(Cell *cells, int p) {
    int i = threadIdx.y * p + threadIdx.x;
    cells[i].y = 1.0f;
//  ^^^^^^^^^^ access! worst=14 best=6 ideal=4 space=global rw=W bytes=4 times=1
    (cells + i)->id = 1;
//  ^^^^^^^^^^^^^^^ warn[WC101]! "14 sectors where 2 would do (7x)"
//  ^^^^^^^^^^^^^^^ access! worst=14 best=6 ideal=2 space=global rw=W bytes=2 times=1
}

// COVERS: struct_pointer 3-D known
//! block (8,4,2)
//! unknown none
__global__ void struct_pointer_3d_known(Cell *cells) {
    int i = (threadIdx.z * 4 + threadIdx.y) * 36 + threadIdx.x;
    cells[i].y = 1.0f;
//  ^^^^^^^^^^ access! worst=14 best=14 ideal=4 space=global rw=W bytes=4 times=1
    (cells + i)->id = 1;
//  ^^^^^^^^^^^^^^^ warn[WC101]! "14 sectors where 2 would do (7x)"
//  ^^^^^^^^^^^^^^^ access! worst=14 best=14 ideal=2 space=global rw=W bytes=2 times=1
}

// COVERS: struct_pointer 3-D symbolic
//! block (8,4,2)
//! unknown none
__global__ void struct_pointer_3d_symbolic(Cell *cells, int p) {
    int i = (threadIdx.z * 4 + threadIdx.y) * p + threadIdx.x;
    cells[i].y = 1.0f;
//  ^^^^^^^^^^ access! worst=15 best=3 ideal=4 space=global rw=W bytes=4 times=1
    (cells + i)->id = 1;
//  ^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 2 would do (8x)"
//  ^^^^^^^^^^^^^^^ access! worst=16 best=3 ideal=2 space=global rw=W bytes=2 times=1
}

// COVERS: struct_pointer partial known
//! block (40)
//! unknown none
__global__ void struct_pointer_partial_known(Cell *cells) {
    int i = blockIdx.x * 36 + threadIdx.x;
    cells[i].y = 1.0f;
//  ^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
    (cells + i)->id = 1;
//  ^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 2 would do (6.5x)"
//  ^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=2 space=global rw=W bytes=2 times=1
}

// COVERS: struct_pointer partial symbolic
//! block (40)
//! unknown none
__global__ void struct_pointer_partial_symbolic(Cell *cells, int p) {
    int i = blockIdx.x * p + threadIdx.x;
    cells[i].y = 1.0f;
//  ^^^^^^^^^^ access! worst=13 best=12 ideal=4 space=global rw=W bytes=4 times=1
    (cells + i)->id = 1;
//  ^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 2 would do (6.5x)"
//  ^^^^^^^^^^^^^^^ access! worst=13 best=12 ideal=2 space=global rw=W bytes=2 times=1
}

void launch_all(int p) {
    struct_pointer_1d_known<<<4, 64>>>(nullptr);
    struct_pointer_1d_symbolic<<<4, 64>>>(nullptr, p);
    struct_pointer_2d_known<<<2, dim3(16, 4)>>>(nullptr);
    struct_pointer_2d_symbolic<<<2, dim3(16, 4)>>>(nullptr, p);
    struct_pointer_3d_known<<<2, dim3(8, 4, 2)>>>(nullptr);
    struct_pointer_3d_symbolic<<<2, dim3(8, 4, 2)>>>(nullptr, p);
    struct_pointer_partial_known<<<4, 40>>>(nullptr);
    struct_pointer_partial_symbolic<<<4, 40>>>(nullptr, p);
}
