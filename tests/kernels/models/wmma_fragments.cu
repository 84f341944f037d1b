// Fragments of warp matrices, whose layout is not specified: their model takes that of `mma` in the PTX ISA.
#include <mma.h>
using namespace nvcuda;

// Of 8 rows 16 bytes each in a piece, four of which are a fragment; the result has 32 bytes of 8 rows in a piece.
//! unknown "depends on data" kind=data
__global__ void product(float *c, const half *a, const half *b) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    wmma::load_matrix_sync(fa, a, 64);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access space=global rw=R requests=1 bytes=4 worst=8 best=8 ideal=4
    wmma::load_matrix_sync(fb, b, 64);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 2.0f;
    wmma::store_matrix_sync(c, fc, 64, wmma::mem_row_major);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access space=global rw=W bytes=8 worst=8 best=8 ideal=8
}

// In shared memory a pitch of 128 bytes puts 8 rows into the same banks.
//! unknown "depends on data" kind=data
__global__ void shared(half *out) {
    __shared__ half tile[16 * 64];
    tile[threadIdx.x] = out[threadIdx.x];
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;
    wmma::load_matrix_sync(f, tile, 64);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access space=shared rw=R bytes=4 worst=8 best=8 ideal=1
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "8-way"
    wmma::load_matrix_sync(f, tile, 72);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access space=shared rw=R bytes=4 worst=1 best=1 ideal=1
    out[threadIdx.x] = f.x[0];
}

void run(float *c, half *a, const half *b) {
    product<<<1, 32>>>(c, a, b);
    shared<<<1, 32>>>(a);
}
