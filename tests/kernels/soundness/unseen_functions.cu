// What an unknown function may touch is unknown behind it, and nothing else is; what instances of templates make without end ends somewhere;
// the bits of words that neighbours share have no closed form.

//! unknown "mystery" kind=missing
__global__ void left_alone(float *out, const float *in) {
    int i = threadIdx.x, at = 2 * i;
    float v = in[i];
    float w = mystery(v, i + 1);
//            ^^^^^^^^^^^^^^^^^ info[WC900]
    out[at] = w;
//  ^^^^^^^ info[WC101]
//  ^^^^^^^ access! worst=8 exact=true
    out[i + 64] = w;
//  ^^^^^^^^^^^ access! worst=4 exact=true
}

//! unknown "mystery" kind=missing
__global__ void perhaps_changed(float *out) {
    int i = threadIdx.x;
    mystery(i);
    out[i] = 1.0f;
//  ^^^^^^ access! worst=32 cause=missing
}

//! unknown none
__global__ void bits(float *out, const float *in, const unsigned long long *masks) {
    unsigned index = threadIdx.x + blockDim.x * blockIdx.x;
    index *= 2;
    unsigned long long mask = masks[index >> 6];
//                            ^^^^^^^^^^^^^^^^^ access! worst=1
    int bit = index & 0x3F;
    bool set = !!(mask & (1ull << bit));
    if (set) out[0] = in[index >> 6];
    bit++;
    set = !!(mask & (1ull << bit));
    if (set) out[index + 1] = in[index >> 6];
//           ^^^^^^^^^^^^^^ warn[WC101]
}

template <int N, typename T> struct Deep { using type = typename Deep<N + 1, Deep<N, T>>::type; };

//! unknown 1
__global__ void without_end(int *out) { Deep<0, int>::type x; out[threadIdx.x] = x; }
//              ^^^^^^^^^^^ info[WC900]

template <typename T> struct Unbound { static constexpr bool same = std::is_same<T>::value; };

//! unknown 1
template <typename T> __global__ void traits(int *out) { out[threadIdx.x] = Unbound<T>::same + std::is_base_of<>::value; }
//                                                                                             ^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900]

void run(float *out, const float *in, const unsigned long long *masks, int *o) {
    left_alone<<<1, 32>>>(out, in);
    perhaps_changed<<<1, 32>>>(out);
    bits<<<64, 256>>>(out, in, masks);
    without_end<<<1, 32>>>(o);
    traits<int><<<1, 32>>>(o);
}
