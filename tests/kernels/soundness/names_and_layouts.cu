// Which declaration a name means, and what a declaration says of layout: lanes at a stride of s bytes touch s sectors.
// PARAM: --block 32

// Using-declarations and directives name what is near, several add up, and inline namespaces are part of the one around them.
namespace kit { namespace parts { __device__ int gear(int) { return 7; } } }
namespace kit { namespace shop { using parts::gear; __device__ int gear(long long, int) { return 3; } __device__ int near() { return gear(1); } } }
namespace left { __device__ int turn(int) { return 4; } }
namespace right { __device__ int turn(double) { return 5; } }
namespace both { using left::turn; using right::turn; __device__ int all() { return turn(1) + turn(1.0); } }
__device__ int far(double) { return 6; }
namespace here { __device__ int far(int) { return 8; } }
namespace there { using namespace here; __device__ int sum() { return far(1.0) + far(1); } }
namespace lib { inline namespace v2 { __device__ int tag(int) { return 9; } struct Part { char c[10]; }; } __device__ int tag(double) { return 2; } }
namespace outer { namespace detail { __device__ int deep() { return 11; } } namespace d = detail; using namespace detail; }
namespace detail { __device__ int deep() { return 12; } }

//! unknown none
__global__ void names(char *c) {
    c[kit::shop::near() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=7 best=7
    c[both::all() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "9 sectors where 1 would do (9x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9
    c[there::sum() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "14 sectors where 1 would do (14x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=14 best=14
    c[(lib::tag(1) + lib::tag(1.0)) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "11 sectors where 1 would do (11x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=11 best=11
    c[(lib::v2::tag(1.0) + sizeof(lib::Part)) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "19 sectors where 1 would do (19x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=19 best=19
    c[(outer::d::deep() + outer::deep()) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "22 sectors where 1 would do (22x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=22 best=22
}

// The more specialised of two templates that are both classes of classes.
template <class T> struct Wrap { T t; };
template <class T> __device__ int level(Wrap<T>) { return 5; }
template <class T> __device__ int level(Wrap<Wrap<T>>) { return 13; }
template <class T> __device__ int either(Wrap<Wrap<T>> &) { return 6; }
template <class T> __device__ int either(T &&) { return 15; }

//! unknown none
__global__ void nested_patterns(char *c) {
    Wrap<Wrap<short>> twice{};
    Wrap<short> once{};
    c[level(twice) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "13 sectors where 1 would do (13x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=13 best=13
    c[level(once) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "5 sectors where 1 would do (5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5
    c[either(twice) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "6 sectors where 1 would do (6x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6
}

// A typedef may say how its objects are aligned, which is no part of the type that templates see.
typedef short __attribute__((aligned(4))) Spaced;
using Apart __attribute__((aligned(8))) = char;
typedef int Loose __attribute__((aligned(1)));
typedef Spaced Renamed;
struct OfSpaced { char c; Spaced s; };
struct OfApart { char c; Apart a; };
struct OfLoose { char c; Loose l; };
struct OfRenamed { short a; Renamed r; char c; };
template <class T> struct Plain { char c; T t; };
template <class T> struct Own { typedef T __attribute__((aligned(8))) type; type t; };

//! unknown none
__global__ void aligned_names(char *c) {
    c[sizeof(OfSpaced) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    c[sizeof(OfApart) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    c[sizeof(OfLoose) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "5 sectors where 1 would do (5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5
    c[sizeof(OfRenamed) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    c[sizeof(Plain<Spaced>) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    c[sizeof(Own<short>) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    c[(alignof(Spaced) + alignof(OfApart)) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "12 sectors where 1 would do (12x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
}

// Bit-fields of an enumeration without negative enumerators are unsigned; those of others are signed.
enum Phase { first, second, third, fourth };
enum Step { back = -1, on };
enum class Mode { a, b, c, d };
struct Bits { Phase p : 2; Step s : 2; Mode m : 2; };

//! unknown none
__global__ void enumerated_bits(char *c, Bits b) {
    c[(b.p >= 0 ? 6 : 3) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "6 sectors where 1 would do (6x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6
}

// Where it is not known which specialisation is meant, none of them is taken.
__device__ int may_throw(int) { return 1; }
template <bool B> struct Choice { static constexpr int v = 3; };
template <> struct Choice<true> { static constexpr int v = 9; };

//! unknown "which specialisation of `Choice` is meant is not decided"
__global__ void undecided(char *c) {
    c[Choice<noexcept(may_throw(1))>::v * threadIdx.x] = 1;
//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900] "Not analysed: `Choice::v` is not known: which specialisation of `Choice` is meant is not decided"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=32
}

// What has no declaration here still lies where it is declared.
//! unknown "the type `queues::Ring` is not known"
__global__ void shared_of_unknown_size(char *c) {
    __shared__ queues::Ring<int> ring;
//             ^^^^^^^^^^^^^^^^^ info[WC900] "Not analysed: the type `queues::Ring` is not declared in this file or its includes"
    ring.head = 0;
//  ^^^^^^^^^ access space=shared rw=W
    c[ring.head * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 1 would do (32x)"
//    ^^^^^^^^^ access space=shared rw=R
}

// A class template that is declared, and defined for some arguments only: each has its own members, others have none.
template <class T> struct Traits;
template <> struct Traits<float> { static constexpr int width = 5; static __device__ int pad() { return 2; } };
template <> struct Traits<double> { static constexpr int width = 9; static __device__ int pad() { return 7; } };
enum class Layout { rows, columns };
template <Layout L> struct Order;
template <> struct Order<Layout::rows> { static __device__ int of(int a) { return a + 1; } };
template <> struct Order<Layout::columns> { static __device__ int of(int a) { return a - 1; } };
template <class T, class U = short> struct Late;
template <class T, class U> struct Late { static constexpr int v = 4 + sizeof(U); };
template <class U> struct Late<char, U> { static constexpr int v = 10 + sizeof(U); };

//! unknown none
__global__ void declared_primary(char *c) {
    c[(Traits<float>::width + Traits<double>::width) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "14 sectors where 1 would do (14x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=14 best=14
    c[(Traits<float>::pad() + Traits<double>::pad()) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "9 sectors where 1 would do (9x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9
    c[Order<Layout::rows>::of(4) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "5 sectors where 1 would do (5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5
    c[Order<Layout::columns>::of(4) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=3 best=3
    c[(Late<int>::v + Late<char>::v) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "18 sectors where 1 would do (18x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=18 best=18
}

// Where a template has one definition, a type that is not known can only be what that is for.
template <class T> struct Single;
template <> struct Single<float> { static constexpr int v = 8; };

//! unknown none
template <class T> __global__ void only_definition(char *c) {
    c[Single<T>::v * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
}
