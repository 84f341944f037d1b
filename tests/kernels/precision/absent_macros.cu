// Macros of headers that are not here: what stands before a function's name, and a pragma before a loop, cost neither a template
// parameter nor a loop.

template <typename T>
LIB_LAUNCH_BOUNDS_1(192)
//! block (192)
__global__ void bounded(T *out, const T *in) {
    out[threadIdx.x] = in[2 * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^ access! worst=16 ideal=8 bytes=8 exact=true
//                     ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 8 would do"
}

//! block (96)
template <typename T> __global__ void LIB_LAUNCH_BOUNDS_2(LIB_THREADS, 4) behind_type(T *out, const T *in) {
    out[threadIdx.x] = in[4 * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^ access! worst=8 ideal=2 bytes=2 exact=true
//                     ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "8 sectors where 2 would do"
}

//! block (64)
LIB_API __global__ void exported(float *out, const float *in) {
    out[threadIdx.x] = in[3 * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^ access! worst=12 ideal=4 bytes=4 exact=true
//                     ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do"
}

template <typename T, int TIMES> struct Scaled {
    LIB_HOST_DEVICE int operator()(int i) const { return i * TIMES; }
};

template <typename T> LIB_HOST_DEVICE T twice(T x) { return x + x; }

struct Shift {
    LIB_HOST_DEVICE Shift(int by) : by(by) {}
    LIB_HOST_DEVICE int operator()(int i) const { return i + by; }
    int by;
};

//! block (160)
__global__ void LIB_API rounds(float *out, const float *in) {
    Shift next(8);
    Scaled<int, 32> rows;
    LIB_PRAGMA_UNROLL
    for (int j = 0; j < 4; j++)
        out[rows(j) + threadIdx.x] = in[next(threadIdx.x)];
//                                   ^^^^^^^^^^^^^^^^^^^^^ access! worst=4 ideal=4 exact=true times=4
    if (blockIdx.x == 0)
        LIB_UNROLL_BY(2) for (int j = 0; j < 3; j++)
            out[32 * j + threadIdx.x] = twice(in[threadIdx.x]);
//                                            ^^^^^^^^^^^^^^^ access! worst=4 ideal=4 exact=true times=3
}

void run(double *d, short *s, float *f) {
    bounded<double><<<1, 192>>>(d, d);
    behind_type<short><<<1, 96>>>(s, s);
    exported<<<1, 64>>>(f, f);
    rounds<<<1, 160>>>(f, f);
}
