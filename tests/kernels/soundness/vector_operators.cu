// Operators of vectors whose headers are missing: those of the samples' `helper_math.h` and of 16-bit pairs are known by name. What they
// load and store stands where they are used.
// PARAM: --block 32

#include "helper_math.h"

//! unknown none
__global__ void samples(float3 *p, const float3 *v, float *length_of, float dt) {
    int i = threadIdx.x;
    p[i] += v[i] * dt;
//  ^^^^^^^^^^^^^^^^^ info[WC101] "12 sectors where 4 would do (3x)"
//  ^^^^^^^^^^^^^^^^^ access! worst=12 best=12
    length_of[i] = length(v[i] - p[0]);
//  ^^^^^^^^^^^^ access! worst=4 best=4
    int2 place = make_int2(i, 2) * 3 - 1;
    length_of[place.y + place.x] = dot(v[0], v[0]);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=13 best=13
}

//! unknown none
__global__ void pairs(__half2 *a, nv_bfloat162 *b, nv_bfloat16 *low) {
    int i = threadIdx.x;
    a[i] = a[i] * a[i] + __float2half2_rn(1.0f);
//  ^^^^ access! worst=4 best=4 rw=W
    low[i] = __low2bfloat16(b[i]) + __high2bfloat16(b[2 * i]);
//                                                  ^^^^^^^^ warn[WC101] "8 sectors where 4 would do (2x)"
//  ^^^^^^ access! worst=2 best=2
//                                                  ^^^^^^^^ access! worst=8 best=8
    b[i] = __lows2bfloat162(b[i], b[i]);
//  ^^^^ access! worst=4 best=4 rw=W
}
