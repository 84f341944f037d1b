// Blocks of 24x2: the rows of a warp's lanes end inside of it.
// PARAM: --block 24,2

__global__ void rows(float *p) {
    int x = threadIdx.x, y = threadIdx.y;
    p[y * 24 + x] = 1;
//  ^^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
    p[y * 32 + x] = 1;
//  ^^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
    p[y * 25 + x] = 1;
//  ^^^^^^^^^^^^^ access! worst=5 best=5 ideal=4
    p[x * 2 + y] = 1;
//  ^^^^^^^^^^^^ info[WC101] "6 sectors where 4 would do (1.50x)"
//  ^^^^^^^^^^^^ access! worst=6 best=6 ideal=4
}

__global__ void tiles() {
    __shared__ float tile[24][24], padded[24][25];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = 1;
//  ^^^^^^^^^^ access! worst=1 best=1 ideal=1
    tile[x][y] = 1;
//  ^^^^^^^^^^ warn[WC201] "6-way, each request takes 6 wavefronts where 1 would do (6x)"
//  ^^^^^^^^^^ access! worst=6 best=6 ideal=1
    padded[y][x] = 1;
//  ^^^^^^^^^^^^ info[WC201] "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^ access! worst=2 best=2 ideal=1
    padded[x][y] = 1;
//  ^^^^^^^^^^^^ info[WC201] "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^ access! worst=2 best=2 ideal=1
}
