// What a value that an overload or a specialisation chooses does to a stride: s bytes apart touch s sectors.

// A variable template with a specialisation on pointers, and one that is a member of a class template.
template <class T> constexpr int wide = 3;
template <class T> constexpr int wide<T *> = sizeof(T) + 1;
template <class U> struct Held { template <class T> static constexpr int both = sizeof(T) + sizeof(U); };

//! block (256)
//! unknown none
__global__ void variables(char *c, char *d) {
    c[wide<double *> * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "9 sectors where 1 would do (9x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9 space=global rw=W
    d[Held<short>::both<float> * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "6 sectors where 1 would do (6x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6 space=global rw=W
}

// Whether what is pointed to, referred to or called on is const, and whether it goes on.
__device__ int tells(int *) { return 2; }
__device__ int tells(const int *) { return 5; }
template <class T> __device__ int keeps(T &&) { return std::is_lvalue_reference<T>::value ? 4 : 10; }
struct Meter {
    int at;
    __device__ int operator[](int i) { return 6; }
    __device__ int operator[](int i) const { return 11; }
    __device__ int out() & { return 7; }
    __device__ int out() && { return 12; }
};

//! block (256)
//! unknown none
__global__ void qualifiers(char *c, char *d, char *e, char *f) {
    int x = 0;
    const int &r = x;
    const Meter fixed{1};
    c[(tells(&x) + tells(&r)) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "7 sectors where 1 would do (7x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=7 best=7 space=global rw=W
    d[(keeps(x) + keeps(x + 1)) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "14 sectors where 1 would do (14x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=14 best=14 space=global rw=W
    e[fixed[0] * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "11 sectors where 1 would do (11x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=11 best=11 space=global rw=W
    f[Meter{2}.out() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "12 sectors where 1 would do (12x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12 space=global rw=W
}

// What does not fit is left out: a result, a parameter, an expression.
struct Ring { typedef int round; __device__ int size() const { return 3; } };
struct Line { };
template <class T> __device__ typename std::enable_if<std::is_floating_point<T>::value, int>::type kind(T) { return 4; }
template <class T> __device__ typename std::enable_if<std::is_integral<T>::value, int>::type kind(T) { return 9; }
template <class T> __device__ int has(const T &, typename T::round * = 0) { return 5; }
__device__ int has(...) { return 13; }
template <class T, class = void> struct Sized { static constexpr int v = 6; };
template <class T> struct Sized<T, std::void_t<decltype(std::declval<T>().size())>> { static constexpr int v = 10; };

//! block (256)
//! unknown none
__global__ void substitutions(char *c, char *d, char *e) {
    c[kind(threadIdx.x) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "9 sectors where 1 would do (9x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9 space=global rw=W
    d[(has(Ring()) + has(Line())) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "18 sectors where 1 would do (18x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=18 best=18 space=global rw=W
    e[(Sized<Ring>::v + Sized<Line>::v) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16 space=global rw=W
}

// The most special of the patterns that match: repeated, const, nested, of functions, of templates.
template <class T> struct Cell { T x; };
template <class A, class B> struct Pair { static constexpr int v = 2; };
template <class A> struct Pair<A, A> { static constexpr int v = 3; };
template <class A> struct Pair<Cell<A>, Cell<A>> { static constexpr int v = 7; };
template <class T> struct Form { static constexpr int v = 4; };
template <class T> struct Form<const T> { static constexpr int v = 5; };
template <class R, class... A> struct Form<R(A...)> { static constexpr int v = 9 + sizeof...(A); };
template <template <class> class C, class T> struct Form<C<T>> { static constexpr int v = 14; };

//! block (256)
//! unknown none
__global__ void patterns(char *c, char *d, char *e) {
    c[(Pair<int, float>::v + Pair<int, int>::v + Pair<Cell<int>, Cell<int>>::v) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "12 sectors where 1 would do (12x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12 space=global rw=W
    d[(Form<int>::v + Form<const int>::v) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "9 sectors where 1 would do (9x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9 space=global rw=W
    e[(Form<int(float, char)>::v + Form<Cell<int>>::v) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "25 sectors where 1 would do (25x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=25 best=25 space=global rw=W
}

// Packs are written out; a using-declaration in a body hides what is further out.
namespace near { __device__ int pick(int) { return 6; } }
__device__ int pick(double) { return 15; }
template <class... T> __device__ int total(T... t) { return (t + ... + 1); }
template <class... T> __device__ int twice(T... t) { return total((2 * t)...); }
__device__ int nearest() { using near::pick; return pick(1.5); }

//! block (256)
//! unknown none
__global__ void packs(char *c, char *d) {
    c[twice(1, 2, 3) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "13 sectors where 1 would do (13x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=13 space=global rw=W
    d[nearest() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "6 sectors where 1 would do (6x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6 space=global rw=W
}
