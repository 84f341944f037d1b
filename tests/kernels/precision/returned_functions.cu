// A function that a `constexpr` function returns by the arguments of its template is the one that is called.

typedef float (*Dot)(const float *, int);

template <int PITCH> __device__ float strided(const float *p, int i) { return p[PITCH * i]; }
//                                                                            ^^^^^^^^^^^^ warn[WC101] "16 sectors where 4 would do (4x)"
template <int PITCH> __device__ float dense(const float *p, int i) { return p[i]; }

template <int KIND, int PITCH> constexpr __device__ Dot dot_of() {
    if constexpr (KIND == 1) {
        return strided<PITCH>;
    } else if constexpr (KIND == 2) {
        return dense<PITCH>;
    } else {
        static_assert(KIND == -1, "no such kind");
        return nullptr;
    }
}

//! block (64)
//! unknown none
template <int KIND> __global__ void chosen(const float *p, float *out) {
    constexpr Dot dot = dot_of<KIND, 4>();
    out[8 * threadIdx.x] = dot(p, threadIdx.x);
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^ access bytes=4 worst=32 ideal=4 exact=true
}

__device__ Dot either(int n) {
    if (n > 3)
        return strided<2>;
    return dense<3>;
}

// Which of two it is depends on n.
//! block (64)
//! unknown "which function is returned"
__global__ void open(const float *p, float *out, int n) { out[0] = either(n)(p, threadIdx.x); }
//                                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900] "Not analysed: the assignment to `dense<3>` is not understood"

void host(const float *p, float *out, int n) {
    chosen<1><<<1, 64>>>(p, out);
    open<<<1, 64>>>(p, out, n);
}
