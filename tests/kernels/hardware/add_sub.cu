// Adds a row to the even rows of a matrix and takes it from the odd ones: four ways to hand out the work.
// `w` elements a row, `h` rows.  By rows a thread walks along its row (a column of lanes at the pitch w); by columns
// neighbours stay neighbours.
// PARAM: --block 1024

__global__ void rows_by_parity(const int *row, int *m, int w, int h) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    for (int c = 0; c < w; c++) {
        if (r % 2 == 0) {
//          ^^^^^^^^^^ hint[WC301] "the warp splits, 16 of 32 threads active"
            m[r * w + c] += row[c];
//          ^^^^^^^^^^^^ warn[WC101] "up to 16 sectors where 2 would do (8x)"
        } else {
            m[r * w + c] -= row[c];
//          ^^^^^^^^^^^^ access! worst=16 ideal=2
        }
    }
}

__global__ void rows_in_pairs(const int *row, int *m, int w, int h) {
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    for (int c = 0; c < w; c++) {
        m[2 * pair * w + c] += row[c];
//      ^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
        m[(2 * pair + 1) * w + c] -= row[c];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 ideal=4
    }
}

__global__ void columns(const int *row, int *m, int w, int h) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < h; r += 2) {
        m[r * w + c] += row[c];
        m[(r + 1) * w + c] -= row[c];
    }
}

__global__ void columns_row_kept(const int *row, int *m, int w, int h) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int kept = row[c];
    for (int r = 0; r < h; r += 2) {
        m[r * w + c] += kept;
        m[(r + 1) * w + c] -= kept;
    }
}
