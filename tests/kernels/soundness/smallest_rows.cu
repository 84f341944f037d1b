// As smallest.cu, for blocks whose rows are half a warp.
// PARAM: --block 16,4

// The trap: with two rows to a warp, a cut through a row goes through every warp of the block.
__global__ void every_warp(int *out, int w) {
    if (threadIdx.x < w)
//      ^^^^^^^^^^^^^^^ branch! divergence=possible
        out[threadIdx.x] = 1;
}

// The trap: a row's number is no property of the warp: the cut may lie between its two rows.
__global__ void between_rows(int *out, int n) {
    if (threadIdx.y < n)
//      ^^^^^^^^^^^^^^^ branch! divergence=boundary
        out[threadIdx.x] = 1;
}

// The trap: the loop ends row by row, after threadIdx.y rounds.
__global__ void row_by_row(int *out) {
    int k = 0;
    while (k < threadIdx.y)
        k++;
    out[8 * k] = 1;
//  ^^^^^^^^^^ access! worst=2 best=2
}
