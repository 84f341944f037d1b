// Types that nobody declares and that cost nothing: integers by their names, 16-bit floats by what they are, template parameters that nothing
// instantiates.  And what was not read before: aliases of unions, conversions to references, overloads apart by the kind of an argument.
#include <of_a_library_that_is_not_here.h>

//! unknown none
//! bound sectors "8" exact
__global__ void named_integers(float *out, const float *in, index_t n, size_type skipped) {
    index_t i = threadIdx.x + skipped * 8;
    out[i] = in[i + n * 32];
}

//! unknown none
//! bound sectors "18" exact
__global__ void halves(at::Half *out, const at::Half *in) { out[threadIdx.x] = in[8 * threadIdx.x]; }
//                                                                             ^^^^^^^^^^^^^^^^^^^ access! bytes=2 worst=16
//                                                                             ^^^^^^^^^^^^^^^^^^^ warn[WC101]

//! unknown none
template <typename T, typename IdxT> __global__ void not_launched(T *out, const T *in, IdxT n) {
    T sum = 0;
    for (IdxT i = 0; i < n; i++) sum += in[threadIdx.x + 256 * i];
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^ access! bytes=4 worst=4
    out[threadIdx.x] = sum;
}

//! unknown "cannot_be_float" kind=missing
template <typename Op> __global__ void not_launched_either(float *out, Op op) { out[threadIdx.x] = op.cannot_be_float(threadIdx.x); }
//                                                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900]

template <typename E, unsigned N> struct Pack {
    using V = float4;
    using Either = union { V vector; E elements[N]; };
    Either data;
};

//! unknown none
//! bound sectors "20" exact
__global__ void alias_of_union(float *out, const float4 *in) {
    Pack<float, 4> pack;
    pack.data.vector = in[threadIdx.x];
    out[threadIdx.x] = pack.data.elements[2];
}

//! unknown none
//! bound sectors "4" exact
__global__ void chosen_union(unsigned *out, unsigned a) {
    union Flit { int4 payload; unsigned words[4]; };
    Flit x, y;
    x.words[0] = a;
    y.words[0] = threadIdx.x;
    Flit z = a > 3 ? x : y;
    out[threadIdx.x] = z.words[0];
}

enum class Kind { plain, other };
template <int bits, Kind kind> __device__ void write(float *out, int value);
template <typename T, int bits, Kind kind> __device__ void write(T *out, int value) { out[threadIdx.x] = value; }

//! unknown none
//! bound sectors "4" exact
template <typename T> __global__ void overloads(T *out) { write<T, 8, Kind::plain>(out, 3); }

struct Traits { using Data = long long; };
template <typename TT> struct Element {
    typename TT::Data *at;
    __device__ operator typename TT::Data &() { return *at; }
    __device__ operator const typename TT::Data &() const { return *at; }
};

//! unknown none
//! bound sectors "16" exact
__global__ void conversions(long long *out, long long *in) {
    Element<Traits> element{in + threadIdx.x};
    out[threadIdx.x] = element + 1;
}

void run(float *out, const float *in, at::Half *h, unsigned *u, long long *l, int n) {
    named_integers<<<1, 32>>>(out, in, 4, 5);
    halves<<<1, 32>>>(h, h);
    alias_of_union<<<1, 32>>>(out, (const float4 *)in);
    chosen_union<<<1, 32>>>(u, n);
    overloads<float><<<1, 32>>>(out);
    conversions<<<1, 32>>>(l, l);
}
