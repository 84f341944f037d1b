// A constant of a header that was not found decides whether lanes differ: nothing is told of what one warp does together if it is 32.
// PARAM: --block 256
#include "nowhere.h"

// Rows of a matrix in pieces, a piece for each warp.
__global__ void pieces(const int *piece, const int *first, const float *value, const float *x, float *y, int rows) {
    __shared__ float part[WARPS * LANES];
    int row = (blockIdx.x * 256 + threadIdx.x) / LANES;
    if (row >= rows) return;
    float sum = 0;
    if (piece[row + 1] > piece[row] + 1) {
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC301]
        for (int k = first[piece[row]]; k < first[piece[row] + 1]; k++) sum += x[k];
//                   ^^^^^^^^^^^^^^^^^ none[WC101]
//                   ^^^^^^^^^^^^^^^^^ access! worst=32 best=1
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC302]
//                                                                             ^^^^ none[WC101]
    } else {
        for (int k = piece[row]; k < rows; k++) sum += value[k] * 3;
    }
    part[threadIdx.x] = sum;
    __syncthreads();
    y[blockIdx.x * 256 + threadIdx.x] = part[threadIdx.x];
}

// What a lane has of its own takes lanes apart, whatever the constant is; the constant alone may or may not.
__global__ void own(const int *piece, const float *x, float *y) {
    __shared__ float part[WARPS * LANES];
    int row = (blockIdx.x * 256 + threadIdx.x) / LANES;
    part[threadIdx.x] = x[piece[256 * row + threadIdx.x]];
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `piece[256 * row + threadIdx.x]` scatter. About 32%"
    __syncthreads();
    y[blockIdx.x * 256 + threadIdx.x] = part[threadIdx.x] + x[1024 * row + 8 * threadIdx.x];
//                                                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors"
}
