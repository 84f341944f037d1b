// A macro of the host that no file in view defines may be handed statements: launches in them are read, and what it defines is not known.

template <int N> __global__ void strided(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i * 8 + N];
//                      ^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). 89%"
}

template <typename T> __global__ void typed(T *out, const T *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

// Where the macro is defined in view, each of its arms is a launch.
#define WIDTHS(width, W, ...) \
    if (width == 64) { constexpr int W = 64; __VA_ARGS__ } else { constexpr int W = 128; __VA_ARGS__ }

template <int W> __global__ void shaped(float *out) { out[blockIdx.x * W + threadIdx.x] = 0; }

void host(int width, int type, float *out, const float *in, int n) {
    DISPATCH_WIDTH(width, N, { strided<N><<<n / 64, 64>>>(out, in, n); });
    DISPATCH_TYPE(type, T, {
        DISPATCH_WIDTH(width, N, {
            dim3 block(96);
            typed<T><<<n / 96, block>>>((T *)out, (const T *)in, n);
        });
    });
    WIDTHS(width, W, { shaped<W><<<n, W>>>(out); })
}
