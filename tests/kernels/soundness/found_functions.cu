// Which functions a call sees: those declared before it, those of the namespaces of its arguments, and friends of their classes.
// Lanes at a stride of s bytes touch s sectors.
// PARAM: --block 32

// A declaration behind the call is not seen, unless it is of a function that was declared before it.
__device__ int size(double) { return 5; }
__device__ int later() { return size(1); }
__device__ int later_defined(int);
__device__ int size(int) { return 12; }
__device__ int defined() { return later_defined(1); }
__device__ int later_defined(int) { return 6; }
template <class T> __device__ int through(T t) { return chosen_late(t); }
namespace shelf { struct Book { int pages; }; __device__ int chosen_late(Book) { return 9; } }
namespace wall { __device__ int hook(double) { return 3; } namespace nail { __device__ int hang() { return hook(1); } __device__ int hook(int) { return 10; } } }

//! unknown none
__global__ void declared_before(char *c) {
    c[(later() + size(1)) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "17 sectors where 1 would do (17x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=17 best=17
    c[defined() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "6 sectors where 1 would do (6x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6
    c[through(shelf::Book{1}) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "9 sectors where 1 would do (9x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9
    c[wall::nail::hang() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=3 best=3
}

// The arguments' namespaces are looked into: those of classes, their bases and template arguments, and of enumerations.
namespace store {
struct Box { int n; };
enum Grade { low, high };
template <class T> struct Bag { T t; };
template <class T> __device__ int weigh(const T &) { return 4; }
__device__ int weigh(Grade) { return 7; }
__device__ int open(Box) { return 8; }
__device__ int operator+(Box a, int b) { return a.n + b; }
inline namespace v1 { __device__ int shut(Box) { return 13; } }
}
struct Crate : store::Box { };
template <class T> __device__ int open(T) { return 15; }

//! unknown none
__global__ void by_arguments(char *c) {
    c[weigh(store::Bag<int>{}) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    c[weigh(store::high) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "7 sectors where 1 would do (7x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=7 best=7
    c[open(store::Box{1}) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    c[open(Crate{}) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "15 sectors where 1 would do (15x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=15 best=15
    c[shut(Crate{}) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "13 sectors where 1 would do (13x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=13
    c[(store::Box{9} + 2) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "11 sectors where 1 would do (11x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=11 best=11
}

// Friends that a class defines are found by arguments of the class, with what its template binds.
template <class T> struct Pair {
    T a, b;
    __device__ friend int both(const Pair &p) { return 2 * sizeof(T); }
    template <class U> friend __device__ int with(Pair, U) { return sizeof(T) + sizeof(U); }
    friend __device__ Pair operator*(Pair p, int n) { return Pair{T(p.a * n), T(p.b + n)}; }
};
struct Other { __device__ Other(Pair<int>) {} };
__device__ int both(Other) { return 21; }

//! unknown none
__global__ void friends(char *c) {
    c[both(Pair<short>{1, 2}) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    c[both(Pair<double>{1, 2}) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    c[with(Pair<char>{1, 2}, 1.0) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "9 sectors where 1 would do (9x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9
    c[(Pair<int>{3, 4} * 5).a * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "15 sectors where 1 would do (15x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=15 best=15
}

// Whether an argument is a variable tells overloads apart in constant functions, too.
__device__ constexpr int taken(int &) { return 6; }
__device__ constexpr int taken(int &&) { return 13; }
__device__ constexpr int both_taken() { int x = 1; return taken(x) + taken(2); }

//! unknown none
__global__ void variables_in_constants(char *c) {
    c[both_taken() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "19 sectors where 1 would do (19x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=19 best=19
}
