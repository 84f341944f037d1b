// What one warp pays differs from one execution to the next: told are all of them, and not the worst.

// A column of a tile that ends at the diagonal: 7 rows meet on one bank in the first round, one in the last.
// PARAM: --block 16
__global__ void below_diagonal(float *out) {
    __shared__ float tile[16][16];
    for (int i = 0; i < 16; i++)
        tile[i][threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int i = 0; i < 15; i++)
        if (threadIdx.x > i)
            for (int j = 0; j < i; j++)
                tile[threadIdx.x][i] -= tile[threadIdx.x][j];
//              ^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "up to 7-way, each request takes 2.9 wavefronts on average where 1 would do (2.9x)"
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x][15];
//                     ^^^^^^^^^^^^^^^^^^^^^ none[WC201]
}

// One round of twelve has a conflict: nothing to be told.
__global__ void one_round(float *out) {
    __shared__ float s[1024];
    for (int k = 0; k < 12; k++)
        s[(k == 3 ? 4 : 1) * threadIdx.x + 64 * k] = k;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
    out[threadIdx.x] = s[threadIdx.x];
}

// The same of sectors: rounds whose stride doubles.
__global__ void strides(float *out) {
    for (int k = 0; k < 4; k++)
        out[threadIdx.x << k] = k;
//      ^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "7.5 sectors on average (up to 16) where 2 would do (3.8x)"
}

// Rounds that are alike cost what each of them does.
__global__ void alike(float *out) {
    for (int k = 0; k < 4; k++)
        out[8 * (threadIdx.x + 1024 * k)] = k;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 2 would do (8x)"
}
