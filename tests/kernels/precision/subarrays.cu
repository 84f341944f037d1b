// Rows of shared arrays: an index stays inside of the row that a warp agrees on, whatever is in memory.
// PARAM: --block 256

__device__ void count(int row[64], const int *in) {
    row[in[threadIdx.x]] += 1;
//  ^^^^^^^^^^^^^^^^^^^^ hint[WC201] "up to 2-way"
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=2
}

__global__ void row_of_a_warp(const int *in, int *out) {
    __shared__ int hist[8][64];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    hist[warp][lane] = hist[warp][lane + 32] = 0;
    hist[warp][in[threadIdx.x]] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2
    int *row = hist[warp];
    row[in[threadIdx.x + 256]] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "up to 2-way"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2
    count(hist[warp], in);
    __syncthreads();
    out[threadIdx.x] = hist[warp][lane];
}

// Two rows of rows: the inner one is each lane's own, the outer one is not.
__global__ void row_of_rows(const int *in, int *out) {
    __shared__ int adjacent[8][16][8];
    int warp = threadIdx.x / 32;
    adjacent[warp][in[threadIdx.x]][in[threadIdx.x + 256]] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 4) where 1 would do"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
    out[threadIdx.x] = adjacent[in[threadIdx.x]][warp][0];
    //                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 32) where 1 would do"
}

// Rows that programs go past the end of: all of the array.
__global__ void flat(const int *in, int *out) {
    __shared__ int tile[8][64];
    int warp = threadIdx.x / 32, at = in[threadIdx.x];
    int *first = &tile[0][0], *mine = &tile[warp & 4][0], *moved = tile[warp & 6];
    tile[0][at] += 1;
//  ^^^^^^^^^^^ hint[WC201] "(up to 16) where 1 would do"
//  ^^^^^^^^^^^ access! worst=16
    first[at + 1] = 1;
//  ^^^^^^^^^^^^^ access! worst=16
    mine[at] = 1;
//  ^^^^^^^^ hint[WC201] "(up to 16) where 1 would do"
//  ^^^^^^^^ access! worst=16
    (tile + warp)[at][0] = 1;
//  ^^^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 16) where 1 would do"
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=16
    moved += 64;
    moved[at] = 1;
//  ^^^^^^^^^ hint[WC201] "(up to 16) where 1 would do"
//  ^^^^^^^^^ access! worst=16
    __syncthreads();
    out[threadIdx.x] = ((int *)tile)[at];
    //                 ^^^^^^^^^^^^^^^^^ access! worst=16
}

struct Energies {
    int first[4][4];
    int kind;
    int pairs[4][4][4];
    int rest[1];
};

// Tables that are members: as many sectors as they have, wherever the record begins; the last one is as long as it was allocated.
__global__ void tables(const Energies *__restrict__ e, const int *__restrict__ in, int *out, int i) {
    const int *s = in + threadIdx.x;
    int sum = e->pairs[s[0]][s[256]][s[512]];
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9
    sum += e->first[s[0]][s[256]];
//         ^^^^^^^^^^^^^^^^^^^^^^ access worst=3 true_worst=2
    sum += e[i].pairs[s[0]][s[256]][s[512]];
//         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9
    sum += e->rest[s[0]];
//         ^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do (8x) if the values of `s[0]` scatter"
    out[threadIdx.x] = sum;
}
