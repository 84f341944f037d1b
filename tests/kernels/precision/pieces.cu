// Copies of records take the largest pieces that their alignment allows, as machine code does: `LDG.E.128` for the first three, `.64` twice for the
// others.  What is not aligned is copied member by member, and so is what has gaps or overlaps.
// PARAM: --block 32

struct __align__(16) Quad { float x, y, z, w; };
struct alignas(16) Pack { unsigned short h[8]; };
struct alignas(16) Long { float v[8]; };
struct Mixed { double d; int a, b; };
struct Loose { float x, y, z, w; };
struct alignas(16) Three { float x, y, z; };

//! bound sectors "32" exact
__global__ void quads(Quad *out, const Quad *in) { out[threadIdx.x] = in[threadIdx.x]; }

//! bound sectors "32" exact
__global__ void packs(float *out, const float *in) {
    Pack p = *reinterpret_cast<const Pack *>(in + 4 * threadIdx.x);
    for (int i = 0; i < 8; i++) p.h[i] += 1;
    *reinterpret_cast<Pack *>(out + 4 * threadIdx.x) = p;
}

// Two pieces each way, 32 bytes apart: half of each sector at a time.
//! bound sectors "128" exact
__global__ void longs(Long *out, const Long *in) { out[threadIdx.x] = in[threadIdx.x]; }
//                                                 ^^^^^^^^^^^^^^^^ info[WC101]

//! bound sectors "64" exact
__global__ void mixed(Mixed *out, const Mixed *in) { out[threadIdx.x] = in[threadIdx.x]; }
//                                                   ^^^^^^^^^^^^^^^^ hint[WC104]
//                                                   ^^^^^^^^^^^^^^^^ info[WC101]

//! bound sectors "128" exact
__global__ void loose(Loose *out, const Loose *in) { out[threadIdx.x] = in[threadIdx.x]; }
//                                                   ^^^^^^^^^^^^^^^^ hint[WC104]
//                                                   ^^^^^^^^^^^^^^^^ info[WC101]

//! bound sectors "64" exact
__global__ void threes(Three *out, const Three *in) { out[threadIdx.x] = in[threadIdx.x]; }
//                                                    ^^^^^^^^^^^^^^^^ info[WC101]

// Members of a record of records, and of a base.
struct alignas(8) Half { int a; };
struct Whole : Half { int b; Half c; };
//! unknown none
__global__ void nested(Whole *out, const Whole *in) { out[threadIdx.x] = in[threadIdx.x]; }
//                                                    ^^^^^^^^^^^^^^^^ warn[WC101]

// The values go along: the index that was packed is the one that is found again.
struct alignas(8) Place { int at, count; };
//! unknown none
__global__ void found_again(float *out) {
    __shared__ Place places[32];
    Place mine = {(int)threadIdx.x * 8, 1};
    places[threadIdx.x] = mine;
    out[mine.at] = mine.count;
//  ^^^^^^^^^^^^ warn[WC101]
//  ^^^^^^^^^^^^ access! worst=32
}
