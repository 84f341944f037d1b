// Pointers to members in patterns, structured bindings, inherited constructors and offsets of members.
// Lanes at a stride of s bytes touch s sectors.
// PARAM: --block 32

struct Point { short x; double y; char z[3]; int move(char); };
template <class T> struct Hold { template <class U> struct In { U u; }; T t; };
template <class T> struct Sort { static constexpr int v = 3; };
template <class M, class C> struct Sort<M C::*> { static constexpr int v = 4 + sizeof(M); };
template <class R, class C, class A> struct Sort<R (C::*)(A)> { static constexpr int v = 14 + sizeof(A); };
typedef short Point::*Where;
struct Keeps { Where w; int (Point::*f)(char); char c; };
template <class M, class C> __device__ int own(M C::*) { return sizeof(M) + sizeof(C) - 20; }

//! unknown "a pointer to a member"
__global__ void member_pointers(char *c) {
    c[Sort<short Point::*>::v * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "6 sectors where 1 would do (6x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6
    c[Sort<short *Hold<int>::In<char>::*>::v * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
    c[Sort<int (Point::*)(double)>::v * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "22 sectors where 1 would do (22x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=22 best=22
    c[Sort<short *>::v * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=3 best=3
    c[(sizeof(Keeps) - 20) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
    c[own(&Point::y) * threadIdx.x] = 1;
//        ^^^^^^^^^ info[WC900] "Not analysed: a pointer to a member"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "12 sectors where 1 would do (12x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
}

struct Three { int a, b, c; };
struct More : Three { };
__device__ Three make(int n) { return Three{n, n + 1, n + 2}; }

//! unknown none
__global__ void structured_bindings(char *c) {
    auto [one, two, three] = make(3);
    c[(one + three) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    Three t{5, 6, 7};
    auto [a, b, d] = t;
    b = 11;
    c[(b + t.b) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "17 sectors where 1 would do (17x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=17 best=17
    auto &[e, f, g] = t;
    g = 9;
    c[t.c * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^ info[WC101] "9 sectors where 1 would do (9x)"
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9
    int pair[2] = {4, 10};
    const auto &[first, second] = pair;
    pair[1] = 13;
    c[second * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "13 sectors where 1 would do (13x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=13
    const auto [x, y, z] = More{1, 2, 15};
    c[z * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^ info[WC101] "15 sectors where 1 would do (15x)"
//  ^^^^^^^^^^^^^^^^^^ access! worst=15 best=15
}

struct Base { int n; __device__ Base() : n(2) {} __device__ Base(int a) : n(a) {} __device__ Base(int a, int b) : n(a * b) {} };
template <class T> struct Made : Base { using Base::Base; T t = 5; };
struct Own : Base { using Base::Base; __device__ Own(int a) : Base(a + 1) {} };
template <class T> struct Over : T { using T::T; };

//! unknown none
__global__ void inherited_constructors(char *c) {
    Made<short> m(3, 4), d;
    c[m.n * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "12 sectors where 1 would do (12x)"
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
    c[(d.n + d.t) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "7 sectors where 1 would do (7x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=7 best=7
    c[(Own(9).n + Own(2, 3).n) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    Over<Own> o(7);
    c[o.n * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^ info[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
}

struct Nest { char c; Point p[2]; int last; };

//! unknown none
__global__ void offsets(char *c) {
    c[offsetof(Point, y) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    c[(offsetof(Nest, p[1].z) - 32) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    c[(__builtin_offsetof(Nest, last) - 48) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
}
