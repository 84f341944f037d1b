// Kernels that the host chooses: by aliases, constants and lambdas of its own functions, through pointers, tables and launchers. What
// is launched has the template arguments and the block of that launch.

template <int ROWS> struct Shape {
    static constexpr int rows = ROWS;
    static constexpr int threads = 32 * ROWS;
};

//! block (96)
template <class S> __global__ void by_alias(float *out, const float *in) {
    out[threadIdx.x] = in[S::rows * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 ideal=4 exact=true
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do"
}

template <int ROWS> void launch_by_alias(float *out) {
    using Mine = Shape<ROWS + 1>;
    constexpr int none = 0;
    by_alias<Mine><<<1, Mine::threads + none>>>(out, out);
}

//! block (160)
template <int STRIDE> __global__ void by_pointer(float *out, const float *in) {
    out[threadIdx.x] = in[STRIDE * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=20 ideal=4 exact=true
//                     ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 ideal=4 exact=true
//                     ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "20 sectors where 4 would do"
}

void launch_by_pointer(float *out, bool far) {
    auto kernel = far ? &by_pointer<5> : &by_pointer<1>;
    kernel<<<1, 160>>>(out, out);
    if (far) {
        auto kernel = &by_pointer<1>;
        kernel<<<2, 160>>>(out, out);
    }
}

typedef void (*Copy)(float *, const float *);

//! block (224)
template <class T, int STRIDE> __global__ void of_table(T *out, const T *in) {
    out[threadIdx.x] = in[STRIDE * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 ideal=4 exact=true
//                     ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 ideal=4 exact=true
//                     ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 4 would do"
}

static const Copy table[] = {of_table<float, 2>, &of_table<float, 4>};

void launch_of_table(float *out, int which) { table[which]<<<1, 224>>>(out, out); }

//! block (128)
template <class T> __global__ void handed_on(int n, T *out, const T *in) {
    if (threadIdx.x < n)
        out[threadIdx.x] = in[2 * threadIdx.x];
//                         ^^^^^^^^^^^^^^^^^^^ access! worst=16 ideal=8 bytes=8 exact=true
//                         ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 8 would do"
}

template <class Kernel, class... Rest> void launcher(Kernel kernel, cudaStream_t stream, int n, Rest... rest) {
    constexpr int block = 128;
    kernel<<<(n + block - 1) / block, block, 0, stream>>>(n, rest...);
}

void launch_handed_on(double *out, int n) { launcher(handed_on<double>, 0, n, out, out); }

//! block (64)
__global__ void plainly_handed(short *out, const short *in) {
    out[threadIdx.x] = in[4 * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^ access! worst=8 ideal=2 exact=true
//                     ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "8 sectors where 2 would do"
}

void plain_launcher(void (*kernel)(short *, const short *), short *p, int threads) { kernel<<<1, threads>>>(p, p); }

void launch_plainly(short *p) { plain_launcher(&plainly_handed, p, 64); }

#define SWITCH(CONDITION, NAME, ...)                                                                                   \
    [&] {                                                                                                              \
        if (CONDITION) {                                                                                               \
            constexpr static bool NAME = true;                                                                         \
            return __VA_ARGS__();                                                                                      \
        } else {                                                                                                       \
            constexpr static bool NAME = false;                                                                        \
            return __VA_ARGS__();                                                                                      \
        }                                                                                                              \
    }()
#define TYPES(TYPE, ...)                                                                                               \
    [&] {                                                                                                              \
        switch (TYPE) {                                                                                                \
        case 0: {                                                                                                      \
            using scalar = char;                                                                                       \
            return __VA_ARGS__();                                                                                      \
        }                                                                                                              \
        case 1: {                                                                                                      \
            using scalar = double;                                                                                     \
            return __VA_ARGS__();                                                                                      \
        }                                                                                                              \
        }                                                                                                              \
    }()

//! block (96)
template <class T, bool FAR, int THREADS> __global__ void switched(T *out, const T *in) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if constexpr (FAR)
        out[i] = in[2 * i];
//               ^^^^^^^^^ access! worst=2 ideal=1 bytes=1 exact=true
//               ^^^^^^^^^ access! worst=16 ideal=8 bytes=8 exact=true
//               ^^^^^^^^^ warn[WC101]! "16 sectors where 8 would do"
    else
        out[i] = in[i];
//               ^^^^^ access! worst=1 ideal=1 bytes=1 exact=true
//               ^^^^^ access! worst=8 ideal=8 bytes=8 exact=true
}

void launch_switched(void *out, int type, bool far) {
    TYPES(type, [&] {
        SWITCH(far, IsFar, [&] {
            constexpr int threads = 96;
            auto kernel = &switched<scalar, IsFar, threads>;
            kernel<<<8, threads>>>((scalar *)out, (const scalar *)out);
        });
    });
}

//! block (192)
__global__ void by_lambda(float *out, const float *in) {
    out[threadIdx.x] = in[3 * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^ access! worst=12 ideal=4 exact=true
//                     ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do"
}

void launch_by_lambda(float *out) {
    int warps = 1;
    auto run = [&](int threads) { by_lambda<<<1, threads * warps>>>(out, out); };
    warps = 3;
    run(64);
}

//! block (256)
template <class S> __global__ void by_member(float *out, const float *in) {
    out[threadIdx.x] = in[S::rows * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 ideal=4 exact=true
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do"
}

template <class S> struct Device {
    void run(float *out) {
        dim3 block(S::threads, 1, 1);
        by_member<S><<<1, block>>>(out, out);
    }
};

void launch_by_member(float *out) {
    using Wide = Shape<8>;
    Device<Wide> device;
    device.run(out);
}

// A name that means nothing where a kernel is chosen means nothing where it is launched, whatever is called so there.
//! block (32)
template <int STRIDE> __global__ void not_known(float *out, const float *in) {
    out[threadIdx.x] = in[STRIDE * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^^^^^^ access exact=false
//                     ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do"
}

template <class Kernel> void other_scope(Kernel kernel, float *out) {
    constexpr int stride = 1;
    kernel<<<stride, 32>>>(out, out);
}

void launch_not_known(float *out) { other_scope(not_known<stride>, out); }

void all(float *out) { launch_by_alias<2>(out); }
