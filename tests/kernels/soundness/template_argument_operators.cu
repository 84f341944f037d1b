// Conditional and logical operators within template arguments: `X<(D > 0) ? a : b>`, `X<a || b>`, defaults, lists in lists.

template <int N, int M = (N > 4) ? 8 : 16> struct Chosen { static constexpr int n = M; };
template <bool B> struct Either { static constexpr int n = B ? 2 : 4; };
template <int N> struct Number { static constexpr int n = N; float v[N]; };
template <int A, int B> struct Product { static constexpr int n = A * B; };
template <class T> struct Inner { static constexpr int n = T::n; };

//! unknown none
template <int D, bool F> __global__ void arguments(float *a) {
    typedef Number<(D > 0) ? 4 : 8> T;
    typedef Product<D == 3 ? 2 : 3, (D < 4)> U;
    typedef Inner<Number<(D < 2) ? 4 : 8>> V;
    using W = Number<(D > 0) ? 2 : 8>;
    __shared__ float s[T::n * 32];
    s[threadIdx.x & 127] = 1;
    a[threadIdx.x * T::n] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16 space=global rw=W
    a[threadIdx.x * U::n] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8 space=global rw=W
    a[threadIdx.x * V::n] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=32 space=global rw=W
    a[threadIdx.x * W::n] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8 space=global rw=W
    a[threadIdx.x * Chosen<D>::n] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=32 space=global rw=W
    a[threadIdx.x * Either<(D > 2) || F>::n] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8 space=global rw=W
    a[threadIdx.x * Either<F || D == 1>::n] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16 space=global rw=W
    a[threadIdx.x * Inner<Number<(D > 2) ? 4 : 8>>::n] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "16 sectors where 4 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16 space=global rw=W
    a[threadIdx.x * Number<F ? 1 : D ? 2 : 3>::n] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8 space=global rw=W
}

// A variable is none of these: `<` and `>` compare, whatever is declared outside.
//! unknown none
__global__ void comparisons(float *a, int n, int m) {
    int Either = 7, y = Either < n ? m : n > 3 ? 1 : 2;
    a[32 * threadIdx.x] = Either < n || m > n;
//  ^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^ access! worst=32 best=32 space=global rw=W
    a[threadIdx.x + 8 * y] = 1;
}

void run(float *a, int n) {
    arguments<3, false><<<1, 256>>>(a);
    comparisons<<<1, 256>>>(a, n, 4);
}
