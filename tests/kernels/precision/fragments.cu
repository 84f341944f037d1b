// Matrix fragments are registers of the warp's threads: their members are no request.
// PARAM: --block 32
#include <mma.h>

using namespace nvcuda;

__global__ void scaled(half *a, float *out, float by) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows[2];
    for (int t = 0; t < sum.num_elements; t++)
        sum.x[t] *= by;
//      ^^^^^^^^ access! space=local worst=0
    for (int t = 0; t < rows[0].num_elements; t++)
        rows[1].x[t] = rows[0].x[t];
//      ^^^^^^^^^^^^ access! space=local worst=0
    out[threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^ access! worst=4 best=4 space=global
}
