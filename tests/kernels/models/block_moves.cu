// nvcc 13 moves bytes where only a pointer tells where they are, one by one: `LDG.E.U8`, `STG.E.U8`.  In registers nothing moves.

// 16 bytes of a lane are 16 loads of one byte each, and one store of 16.
//! unknown none
__global__ void read(float4 *out, const float4 *in) {
    float4 value;
    memcpy(&value, in + threadIdx.x, 16);
//                 ^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=1 worst=16 best=16
    out[threadIdx.x] = value;
//  ^^^^^^^^^^^^^^^^ access! space=global rw=W bytes=16 worst=16 best=16
}

//! unknown none
__global__ void cleared(float *out, int n) {
    memset(out + 8 * threadIdx.x, 0, n);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 1 would do (32x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=W bytes=1 worst=32 best=32
}

//! unknown none
__global__ void packed(uint2 *out, const float *in) {
    alignas(8) short parts[4];
    memset(parts, 0, sizeof parts);
    parts[1] = in[threadIdx.x];
    uint2 whole;
    memcpy(&whole, parts, sizeof whole);
    out[threadIdx.x] = whole;
//  ^^^^^^^^^^^^^^^^ access! space=global rw=W bytes=8 worst=8 best=8
}
