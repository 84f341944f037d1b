// Kernels that are templates and that no launch in view binds: what stands for their arguments.
// Which of them the engine takes, and in which order candidates are tried, is in tests/engine/test_stated_arguments.py.
#include <cuda_fp16.h>
#include <type_traits>

//! unknown none
//! bound sectors "8" exact
template <int N> __global__ void as_asserted(float *out, const float *in) {
    static_assert(N == 80 || N == 96, "of two heads");
    __shared__ float row[N];
    row[threadIdx.x % 32] = in[threadIdx.x * (N / 80)];
    out[threadIdx.x] = row[threadIdx.x % 32];
}

//! unknown none
//! bound sectors "4" exact
template <typename T> __global__ void of_two_bytes(T *out, const T *in) {
    static_assert(sizeof(T) == 2);
    out[threadIdx.x] = in[threadIdx.x];
}

//! unknown none
//! bound sectors "16" exact
template <typename T> __global__ void of_eight_bytes(T *out, const T *in) {
    static_assert(std::is_same_v<T, double>);
    out[threadIdx.x] = in[threadIdx.x];
}

//! unknown none
//! bound sectors "32" exact
template <typename T, int VEC> __global__ void through_constants(T *out) {
    constexpr int BYTES = sizeof(T) * VEC;
    static_assert(BYTES == 32, "a sector a thread");
    out[threadIdx.x * VEC] = 0;
//  ^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}

struct Wide { using Element = float; static constexpr int STEP = 8; };
//! unknown none
//! bound sectors "32" exact
template <typename Traits> __global__ void launched(float *out) { out[threadIdx.x * Traits::STEP] = 0; }
//                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]

//! unknown none
//! bound sectors "32" exact
template <typename Traits> __global__ void like_another(float *out) {
    typename Traits::Element *to = out;
    to[threadIdx.x * Traits::STEP] = 0;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}
void launches(float *out) { launched<Wide><<<4, 64>>>(out); }

// A launch in a lambda of a macro that nobody declares says what it says; what its types are, nobody.
//! unknown none
//! bound sectors "16"
template <typename scalar_t, int STEP> __global__ void dispatched(scalar_t *out, int n) { out[threadIdx.x * STEP] = 0; }
//                                                                                        ^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "if `scalar_t` has 4 bytes"
void dispatches(Tensor x, int n) {
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "dispatched", [&] {
        dispatched<scalar_t, 4><<<4, 64>>>(x.data_ptr<scalar_t>(), n);
    });
}

// What goes wrong with a guess is no warning: blocks of 32 threads would do no harm.
//! unknown none
template <int THREADS> __global__ void rounds(float *out) {
    static_assert(THREADS <= 1024 && THREADS >= 32);
    out[threadIdx.x % THREADS] = 2 * threadIdx.x;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC401] "Data race"
}
void runs(float *out, int threads) {
    DISPATCH_THREADS(threads, COUNT, [&] { rounds<COUNT><<<1, 256>>>(out); });
}
