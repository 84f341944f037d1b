// Rows at a pitch that is not known: they may overlap (pitch 0), and they need not be aligned.
// PARAM: --block 8,4

// w = 0: all rows are one sector; w odd: rows 1, 2, 3 lie across two sectors each.
__global__ void rows(float *out, int w) {
    out[threadIdx.y * w + threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=7 best=1 ideal=4
}

__global__ void rows_of_sixteen(float *out) {
    out[threadIdx.y * 16 + threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
}

__global__ void row_that_is_one(float *out) {
    out[threadIdx.y * 0 + threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
}

// Columns: 8 lanes at multiples of n, and 4 neighbours each.
__global__ void columns(float *out, int n) {
    out[threadIdx.x * n + threadIdx.y] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 11 sectors where 4 would do"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access best=1
}

// With n = 0 all 32 lanes meet at one counter.
__global__ void counters(int *bins, int n) {
    atomicAdd(&bins[(threadIdx.y * 8 + threadIdx.x) * n], 1);
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do"
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=1 contention=32
}
