// Copies that pass no register cost what a load and a store of their bytes cost: each kernel stands before its twin.  The traps: what is
// filled with zeros is not read, and copies of 4 and 8 bytes are no copies of 16.
#include <cuda_pipeline.h>

//! unknown none
//! bound sectors "32" exact
//! bound conflicts "4" exact
__global__ void copied(const float *in) {
    __shared__ float tile[512];
    __pipeline_memcpy_async(&tile[8 * threadIdx.x], in + 16 * threadIdx.x, 16);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

//! unknown none
//! bound sectors "32" exact
//! bound conflicts "4" exact
__global__ void copied_by_hand(const float *in) {
    __shared__ float tile[512];
    *(float4 *)&tile[8 * threadIdx.x] = *(const float4 *)(in + 16 * threadIdx.x);
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]
}

//! unknown none
//! bound sectors "12" exact
__global__ void of_four_bytes(const float *in, float *out) {
    __shared__ float tile[32];
    __pipeline_memcpy_async(tile + threadIdx.x, in + 2 * threadIdx.x, sizeof(float));
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x];
}

//! unknown none
//! bound sectors "8" exact
__global__ void half_of_the_lanes(const float4 *in) {
    __shared__ float4 tile[32];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float4), threadIdx.x < 16 ? 0 : 16);
}

// Three of four words are read, and the last is zero.
//! unknown none
__global__ void the_last_word_is_zero(const float4 *in, float *out) {
    __shared__ float4 tile[32];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16, 4);
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[threadIdx.x].w;
//                     ^^^^^^^^^^^^^^^^^^^ info[WC201]
}
