// Members that are defined outside of their class for certain arguments of it, in any order with the general definition.

template <int> struct Get {
    template <class T, class R> static __device__ R of(const T &vector);
};
template <> template <class T, class R> __device__ R Get<0>::of(const T &vector) { return vector.x; }
template <> template <class T, class R> __device__ R Get<1>::of(const T &vector) { return vector.y; }

template <class T> struct Pitch {
    __device__ int inside() const { return 1; }
    __device__ int outside() const;
    static __device__ int of(int i);
};
template <> __device__ int Pitch<float>::inside() const { return 2; }
template <> __device__ int Pitch<double>::outside() const { return 8; }
template <class T> __device__ int Pitch<T>::outside() const { return 4; }
template <class U> __device__ int Pitch<U>::of(int i) { return 4 * i; }
template <> __device__ int Pitch<int>::of(int i) { return 2 * i; }

//! block (64)
//! unknown none
__global__ void members(const int2 *in, float *out) {
    Pitch<float> narrow;
    Pitch<double> wide;
    out[narrow.inside() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=8 exact=true
    out[wide.inside() * threadIdx.x] = 2;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=4 exact=true
    out[narrow.outside() * threadIdx.x] = 3;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=16 exact=true
    out[wide.outside() * threadIdx.x] = 4;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=32 exact=true
    out[Pitch<int>::of(threadIdx.x)] = 5;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=8 exact=true
    out[Pitch<float>::of(threadIdx.x)] = 6;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 4 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=16 exact=true
    int2 pair = make_int2(threadIdx.x, 8 * threadIdx.x);
    out[Get<0>::of<int2, int>(pair)] = 7;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=4 exact=true
    out[Get<1>::of<int2, int>(pair)] = 8;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=32 exact=true
}

void host(const int2 *in, float *out) { members<<<1, 64>>>(in, out); }
