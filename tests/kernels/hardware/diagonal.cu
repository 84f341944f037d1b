// The anti-diagonal of a tile that is 17 wide, by 16 threads: every second row begins on the same bank.
// PARAM: --block 16

__global__ void wavefront_of_a_tile(int n) {
    __shared__ int tile[17][17];
    int x = threadIdx.x;
    for (int m = 0; m < 16; m++) {
        if (x <= m)
            tile[x + 1][m - x + 1] = n;
//          ^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "up to 8-way, each request takes 4.5 wavefronts on average where 1 would do (4.5x)"
        __syncthreads();
    }
    tile[x][16 - x] = n;
//  ^^^^^^^^^^^^^^^ access! worst=8 best=8 ideal=1
    tile[x + 1][x + 1] = n;
//  ^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
}
