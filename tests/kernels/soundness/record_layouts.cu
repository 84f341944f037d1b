// Sizes of records by what is said beside their members: lanes at a stride of s bytes touch s sectors.  The traps: pragmas and
// attributes that are not heard, tables of virtual functions, and tail padding that a derived class goes on in, or not.
// PARAM: --block 32

#define NARROW 2
#pragma pack(push, outer, NARROW)
struct Half { char mark; double value; };
#pragma pack(push, 1)
struct Tight { short mark; int value; };
#pragma pack(pop, outer)
struct Wide { char mark; float value; };

//! unknown none
__global__ void packed_by_pragmas(char *c) {
    c[sizeof(Half) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 best=10
    c[sizeof(Tight) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "6 sectors where 1 would do (6x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6
    c[sizeof(Wide) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    c[60 / sizeof(Tight) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "10 sectors where 1 would do (10x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=10 best=10
}

struct Shape { virtual __device__ float area() const; float side; };
struct Square : Shape { char name; };
struct Owner { virtual ~Owner(); short id; };

//! unknown none
__global__ void with_tables(char *c, Square *s) {
    c[sizeof(Shape) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    c[sizeof(Square) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    c[sizeof(Owner) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    s[threadIdx.x].name = 1;
//  ^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
}

struct Spread { char one; short two __attribute__((aligned(4))), three; };
struct Squeezed { char one; int two __attribute__((packed)); short three; };
struct ByType { alignas(double) char one; alignas(2) alignas(4) char two; };
struct Flat { int a; char b; } __attribute__((packed));
enum __attribute__((packed)) Small { NONE, SOME };
struct Choice { Small one, two; short three; };

//! unknown none
__global__ void with_attributes(char *c, Spread *s) {
    c[sizeof(Spread) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    c[sizeof(Squeezed) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    c[sizeof(ByType) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
    c[sizeof(Flat) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "5 sectors where 1 would do (5x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5
    c[sizeof(Choice) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "4 sectors where 1 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
}

struct Plain { Plain() = default; short s; char c; };
struct Preset { short s; char c = 1; };
class Closed { short s; char c; };
struct Made { __device__ Made(int) {} short s; char c; };
struct OnPlain : Plain { char d; };
struct OnPreset : Preset { char d; };
struct OnClosed : Closed { char d; };
struct OnMade : Made { char d; };
struct Nothing {};
struct Twice : Nothing { Nothing again; char c; };

//! unknown none
__global__ void tail_padding(char *c) {
    c[sizeof(OnPlain) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "6 sectors where 1 would do (6x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6 best=6
    c[sizeof(OnPreset) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    c[sizeof(OnClosed) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    c[sizeof(OnMade) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "4 sectors where 1 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
    c[sizeof(Twice) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "3 sectors where 1 would do (3x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=3 best=3
}

struct Long { long double value; };
struct Letters { char16_t a; wchar_t b; char32_t c; };
struct Unnamed { char a; unsigned short : 3; long long : 0; char b; };
struct Empty { int values[0]; char c; };

//! unknown none
__global__ void odd_types(char *c) {
    c[sizeof(Long) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    c[sizeof(Letters) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "12 sectors where 1 would do (12x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
    c[sizeof(Unnamed) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "9 sectors where 1 would do (9x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=9 best=9
    c[sizeof(Empty) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
}

// Where compilers do not agree nothing is certain.
struct Disputed { Disputed(const Disputed &) = default; int i; char c; };
struct OnDisputed : Disputed { char d; };

//! unknown "compilers do not agree"
__global__ void not_certain(char *c) {
//              ^^^^^^^^^^^ info[WC900] "Not analysed: the size of `OnDisputed` is not known: compilers do not agree whether members go on in the padding of its base `Disputed`"
    c[sizeof(OnDisputed) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=32
}
