// A class inside of a function template is another one for each instance, and sees the types that the blocks around it declare;
// one inside of a class template sees that class's constants.

template <class T> __device__ int own(int i) { struct Local { T x[2]; }; return sizeof(Local) * i; }
template <class T> __device__ int named(int i) { typedef T U; union { U x[2]; char c; } u; return sizeof(u) * i; }
template <class T, int N> struct Tile { enum { SIDE = 2 * N }; struct Row { T x[SIDE]; }; };

//! unknown none
__global__ void sizes(char *c) {
    c[own<char>(threadIdx.x)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2
    c[own<double>(threadIdx.x)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors where 1 would do"
    c[named<float>(threadIdx.x)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "8 sectors"
    c[sizeof(Tile<short, 3>::Row) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors"
}

// Two specialisations with the same arguments: each has its own types.
template <int N, class T> struct Column;
template <class T> struct Column<2, T> { T x, y; };
template <class T> struct Column<3, T> { T x, y, z; };
template <int N, class T> struct Square;
template <class T> struct Square<2, T> { typedef Column<2, T> column; column c; __device__ int bytes() { return sizeof(column); } };
template <class T> struct Square<3, T> { typedef Column<3, T> column; column c; __device__ int bytes() { return sizeof(column); } };

//! unknown none
__global__ void columns(char *c) {
    Square<2, char> two;
    Square<3, char> three;
    c[two.bytes() * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2 best=2
    c[three.bytes() * threadIdx.x + sizeof(three)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "4 sectors"
}
