// What an earlier tool got wrong, one warp of 32 threads.
// PARAM: --block 32,2

struct Cell {
    int a;
    short h;
    float b;
};

__global__ void descending(float *out) {
    out[1000 - 8 * (int)threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=32 ideal=4
}

__global__ void folded(float *out) {
    __shared__ float s[16];
    s[threadIdx.x % 16] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1
}

__global__ void records(Cell *cells) {
    cells[threadIdx.x].h = 1;
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "12 sectors where 2 would do"
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12 ideal=2
}

__global__ void alias(float *out) {
    float *p = out + 1;
    p[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^ info[WC102] "5 sectors where 4 would do"
//  ^^^^^^^^^^^^^^ access! worst=5 best=5 ideal=4
    p += 7;
    *(p + threadIdx.x) = 2.0f;
//  ^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
}

__global__ void atomics(int *bins) {
    atomicAdd(&bins[threadIdx.x % 4], 1);
//             ^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 contention=8
}

__global__ void padded(float *out) {
    __shared__ float wide[32][33], tight[32][32];
    wide[threadIdx.x][threadIdx.y] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1
    tight[threadIdx.x][threadIdx.y] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "32-way"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=32
}
