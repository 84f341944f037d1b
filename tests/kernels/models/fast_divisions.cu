// A high product and a shift by two of a record's three numbers divide by the third: as exact as the division that they stand for.
struct Divider {
    unsigned divisor, multiplier, shift;
    __host__ __device__ Divider(unsigned by) : divisor(by), multiplier(0), shift(0) {}
    __device__ unsigned div(unsigned n) const { unsigned t = __umulhi(n, multiplier); return (t + n) >> shift; }
    __device__ unsigned mod(unsigned n) const { return n - div(n) * divisor; }
};

// Rows of 8 lanes, 64 apart: as with / and %.
//! unknown none
__global__ void by_eight(float *out, const float *in) {
    Divider by(8);
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[by.div(i) * 64 + by.mod(i)];
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=4 best=4
}

__device__ unsigned fastdiv(unsigned n, const uint3 values) {
    const unsigned hi = __umulhi(n, values.x);
    return (hi + n) >> values.y;
}

//! unknown none
__global__ void of_parameters(float *out, const float *in, uint3 by, unsigned pitch) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[fastdiv(i, by) * pitch];
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^ access space=global rw=R bytes=4 worst=32
}

// A count beside both is no divisor.
struct Scaled {
    unsigned multiplier, shift, count;
    __device__ unsigned of(unsigned n) const { return __umulhi(n, multiplier) >> shift; }
};

__global__ void no_division(float *out, const float *in, Scaled by) {
    unsigned i = threadIdx.x;
    out[i] = in[by.of(i)];
//           ^^^^^^^^^^^^ access space=global rw=R bytes=4 worst=32
}
