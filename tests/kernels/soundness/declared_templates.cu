// Class templates that are declared before they are defined, templates of templates, and what libraries hide in them: s bytes apart
// touch s sectors.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cub/cub.cuh>

// A primary template without a definition, whose default argument chooses a specialisation; defaults that stand in a declaration only.
template <class T, int BYTES = sizeof(T)> struct Word;
template <class T> struct Word<T, 2> { typedef unsigned char type[3]; };
template <class T> struct Word<T, 8> { typedef unsigned char type[5]; };
template <class T, int N = 6> struct Row;
template <class T, int N> struct Row { T v[N]; };

//! block (256)
//! unknown none
__global__ void declared(char *c, char *d) {
    c[sizeof(Word<double>::type) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "5 sectors where 1 would do (5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5 space=global rw=W
    d[sizeof(Row<short>) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "12 sectors where 1 would do (12x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12 space=global rw=W
}

// A template template parameter with a default, as accessors of tensors have it.
template <class T> struct Plain { typedef T *pointer; };
template <class T, template <class U> class Traits = Plain> struct View {
    typedef typename Traits<T>::pointer pointer;
    pointer at;
    __device__ T &operator[](int i) { return at[2 * i]; }
};

//! block (256)
//! unknown none
__global__ void traits(View<char> v) {
    v[threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^ access! worst=2 best=2 space=global rw=W
}

// A specialisation that only its result tells; overloads of 16-bit floats, which have two names each.
template <class T> __device__ T zero(int) { return T(); }
template <> __device__ short2 zero(int n) { return make_short2(n, n + 1); }
__device__ int tag(float) { return 3; }
__device__ int tag(half) { return 7; }
__device__ int tag(nv_bfloat16) { return 9; }

//! block (256)
//! unknown none
__global__ void results(char *c, char *d, __half h, __nv_bfloat16 b) {
    c[(zero<short2>(3).y) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "4 sectors where 1 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 space=global rw=W
    d[(tag(h) + tag(b)) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16 space=global rw=W
}

// Arrays of the device that are templates; members of anonymous unions that a constructor initialises; `auto *`.
template <class T> __device__ T table[4096];
struct Pair {
    union {
        struct { int x, y; };
        int all[2];
    };
    __device__ Pair(int a, int b) : x(a), y(b) {}
    __device__ auto *first() { return &all[0]; }
};

//! block (256)
//! unknown none
__global__ void hidden(char *c) {
    table<double>[threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! best=8 space=global rw=W
    Pair p(3, 5);
    c[(p.all[1] + p.first()[0]) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8 space=global rw=W
}

// The bits that radix sorts compare, and atomic functions of the compiler.
template <class T> struct Digit { typename cub::Traits<T>::UnsignedBits bits; char place; };

//! block (256)
//! unknown none
__global__ void compiler(char *c, int *flags) {
    c[sizeof(Digit<double>) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16 space=global rw=W
    int seen = __nv_atomic_load_n(&flags[threadIdx.x], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 space=global rw=R
    __nv_atomic_add(&flags[threadIdx.x], seen, __NV_ATOMIC_RELAXED);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 space=global rw=A
}

// Functions that are called like classes of other namespaces.
namespace other {
template <class T> struct hash { int x; };
struct pick { int y; };
}
__device__ int hash(int) { return 3; }
__device__ int pick(int, int) { return 4; }

//! block (256)
//! unknown none
__global__ void called(char *c) {
    int h = hash(1), p = pick(1, 2);
    c[(h + p) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "7 sectors where 1 would do (7x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=7 best=7 space=global rw=W
}

// `nullptr` makes no bool, an explicit operator no argument; an enumeration becomes the type that it declares rather than an int.
enum Small : unsigned char { S0, S1 };
struct Handle { __device__ explicit operator bool() const { return true; } };
__device__ int flag(bool) { return 3; }
__device__ int flag(...) { return 5; }
__device__ int sort(int) { return 7; }
__device__ int sort(unsigned char) { return 2; }

//! block (256)
//! unknown none
__global__ void conversions(char *c, char *d) {
    c[(flag(nullptr) + flag(Handle{})) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "10 sectors where 1 would do (10x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 best=10 space=global rw=W
    long long wraps = (2147483647 << 1) + 5;  // -2 + 5
    d[(sort(S1) + wraps) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "5 sectors where 1 would do (5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5 space=global rw=W
}
