// States of random number generators are records whose words are read and written; what is drawn depends on data.
#include <curand_kernel.h>

// A copy moves 11 members of 48 bytes; numbers are drawn in registers.
__global__ void kept(curandState *states, float *out, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    curandState local = states[i];
    //                  ^^^^^^^^^ hint[WC104]
//                      ^^^^^^^^^ access! space=global rw=R bytes=4 worst=32 best=32
    float sum = 0.0f;
    for (int k = 0; k < n; k++) sum += curand_uniform(&local);
    out[i] = sum;
    states[i] = local;
  //^^^^^^^^^ hint[WC104]
//  ^^^^^^^^^ info[WC101] "32 sectors"
}

// Six words are read, and six are written, where the state lies.
//! bound sectors "388" exact
__global__ void direct(curandState *states, float *out) {
    int i = threadIdx.x;
    out[i] = curand_uniform(&states[i]);
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=32 best=32
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=W bytes=4 worst=32 best=32
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors"
}

// A generator that counts reads no tables, and four numbers come at once.
//! bound sectors "64" exact
//! bound divergences "0" exact
__global__ void counted(float4 *out, unsigned long seed) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 0, &state);
    for (int k = 0; k < 4; k++) out[i + k * 1024] = curand_uniform4(&state);
}

// The others read tables for a subsequence of their own: what that costs is not known.
//! unknown "random number generator state" kind=unsupported
__global__ void seeded(curandState *states, unsigned long seed) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, i, 0, &states[i]);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900]
}

void run(curandState *states, float *out, float4 *more, int n) {
    seeded<<<4, 256>>>(states, 1);
    kept<<<4, 256>>>(states, out, n);
    direct<<<1, 256>>>(states, out);
    counted<<<4, 256>>>(more, 7);
}
