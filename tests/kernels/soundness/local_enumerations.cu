// Enumerators of a scoped enumeration are found behind its name only, also where a body declares it.  The trap: they hide what is
// declared further out under the same name.
// PARAM: --block 256

enum { width = 8 };
enum class Outer { width = 4, narrow = 1 };
namespace other {
enum class Inner { width = 2 };
}

//! unknown none
__global__ void scoped(float *a) {
    enum class E { width = 1, next = width + 1, last };
    a[width * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 space=global rw=W
    a[(int)E::last * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 space=global rw=W
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}

//! unknown none
__global__ void innermost(float *a) {
    enum E { here = 1 };
    {
        enum E { here = 8 };
        a[E::here * threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 space=global rw=W
//      ^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    }
    a[1024 + E::here * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 space=global rw=W
}

//! unknown none
__global__ void brought_in(float *a) {
    using Alias = Outer;
    a[(int)Alias::narrow * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 space=global rw=W
    using enum other::Inner;
    a[(int)width * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 space=global rw=W
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
}

//! unknown none
__global__ void selected(float *a) {
    enum class E { one = 1, four = one + 3 };
    E e = E::four;
    switch (e) {
    case E::one:
        a[0] = 1;
        break;
    case E::four:
        a[(int)e * threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 space=global rw=W
//      ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
        break;
    }
}
