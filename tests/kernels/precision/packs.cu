// A record of several elements that is aligned to its size is moved as a whole, from wherever and to wherever a pointer is cast: nvcc
// makes one request of it.
// PARAM: --block 256

template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T val[N];
};

struct __align__(16) Quad {
    float a, b, c, d;
};

struct Loose {
    float a, b, c, d;
};

__global__ void packed(float *out, const float *in, float scale) {
    using Load = Pack<float, 4>;
    int i = 4 * (blockIdx.x * 256 + threadIdx.x);
    float from[4], to[4];
    *reinterpret_cast<Load *>(&from) = *reinterpret_cast<const Load *>(&in[i]);
//                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    for (int k = 0; k < 4; k++) to[k] = from[k] * scale;
    *reinterpret_cast<Load *>(&out[i]) = *reinterpret_cast<Load *>(&to[0]);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// The bytes of a mask, in a loop.
__global__ void flagged(unsigned char *mask, const float *in, float least, int n) {
    using Store = Pack<unsigned char, 4>;
    for (int i = 4 * (blockIdx.x * 256 + threadIdx.x); i < n; i += 1024 * gridDim.x) {
        float4 of = *reinterpret_cast<const float4 *>(&in[i]);
        unsigned char seen[4] = {of.x < least, of.y < least, of.z < least, of.w < least};
        *(reinterpret_cast<Store *>(&mask[i])) = *reinterpret_cast<Store *>(&seen[0]);
//       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    }
}

__global__ void filled(float *out, float value) {
    Quad q = {value, value, value, value};
    *(Quad *)&out[4 * (blockIdx.x * 256 + threadIdx.x)] = q;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// Aligned to its members alone it is moved member by member.
__global__ void loosely(float *out, float value) {
    Loose q = {value, value, value, value};
    *(Loose *)&out[4 * (blockIdx.x * 256 + threadIdx.x)] = q;
  //^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC104]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "16 sectors"
}
