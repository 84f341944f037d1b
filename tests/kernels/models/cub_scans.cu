// Scans of CUB over blocks and warps, by their models; the header is not here.
#include <cub/cub.cuh>

// All leave their items, every 8 of which are one piece for a lane of the first warp, padded by a word: two words of 36 meet in a bank.
//! unknown none
//! bound conflicts "2" exact
//! bound divergences "1" exact
__global__ void raked(int *out, const int *in) {
    typedef cub::BlockScan<int, 256> Scan;
    __shared__ Scan::TempStorage temp;
    int v = in[threadIdx.x], all;
    Scan(temp).ExclusiveSum(v, v, all);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]! "2-way, each request takes 2 wavefronts"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=shared rw=R bytes=4 worst=1 best=1
    out[threadIdx.x] = v + all;
}

//! unknown none
__global__ void memoized(unsigned *out, const unsigned *in) {
    typedef cub::BlockScan<unsigned, 128, cub::BLOCK_SCAN_RAKING_MEMOIZE> Scan;
    __shared__ Scan::TempStorage temp;
    unsigned v[2] = {in[threadIdx.x], 1};
    Scan(temp).InclusiveSum(v, v);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]! "2-way, each request takes 2 wavefronts"
    out[threadIdx.x] = v[0] + v[1];
}

// Each warp scans by shuffles, its last lane leaves the sum, and all read those of the others.
//! unknown none
//! bound conflicts "0" exact
//! bound divergences "1" exact
__global__ void scanned(float *out, const float *in) {
    typedef cub::BlockScan<float, 256, cub::BLOCK_SCAN_WARP_SCANS> Scan;
    __shared__ Scan::TempStorage temp;
    float v = in[threadIdx.x];
    Scan(temp).InclusiveScan(v, v, cub::Max());
    out[threadIdx.x] = v;
}

//! unknown none
//! bound sectors "16" exact
__global__ void warp(int2 *out, const int2 *in) {
    struct Add { __device__ int2 operator()(int2 a, int2 b) const { return make_int2(a.x + b.x, a.y + b.y); } };
    typedef cub::WarpScan<int2, 8> Scan;
    __shared__ Scan::TempStorage temp[32];
    int2 v = in[threadIdx.x];
    Scan(temp[threadIdx.x / 8]).ExclusiveScan(v, v, make_int2(0, 0), Add());
    out[threadIdx.x] = v;
}

void run(int *o, const int *i, unsigned *u, const unsigned *w, float *f, const float *g, int2 *a, const int2 *b) {
    raked<<<1, 256>>>(o, i);
    memoized<<<1, 128>>>(u, w);
    scanned<<<1, 256>>>(f, g);
    warp<<<1, 256>>>(a, b);
}
