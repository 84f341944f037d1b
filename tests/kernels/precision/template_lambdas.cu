// Lambdas with template parameters: in kernels, and in the host's code that launches them.

//! block (64)
//! unknown none
__global__ void called(float *out, int n) {
    auto place = [&]<int PITCH, class T>(T i) { return PITCH * i; };
    out[place.template operator()<8>(threadIdx.x)] = n;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=32 ideal=4 exact=true
    auto half = []<class T>(T x) { return sizeof(T) * x / 2; };
    out[half(threadIdx.x)] = n;
//  ^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "8 sectors where 4 would do (2x)"
//  ^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=8 ideal=4 exact=true
    out[threadIdx.x < n ? 1 : 0] = n > 3;
}

//! block (64)
//! unknown none
template <bool WIDE> __global__ void chosen(float *out) {
    out[(WIDE ? 8 : 1) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=32 ideal=4 exact=true
}

//! block (96)
//! unknown none
template <int N> __global__ void dispatched(float *out) {
    out[N * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 4 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=16 ideal=4 exact=true
}

template <class F> void dispatch(int n, F &&launch) {
    if (n == 4)
        launch.template operator()<4>();
}

void host(float *out, int n, bool wide) {
    called<<<1, 64>>>(out, n);
    auto run = [&]<bool WIDE>() { chosen<WIDE><<<1, 64>>>(out); };
    if (wide)
        run.template operator()<true>();
    dispatch(n, [&]<int N>() { dispatched<N><<<4, 96>>>(out); });
}
