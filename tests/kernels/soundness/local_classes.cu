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
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors per request, ideal 1"
    c[named<float>(threadIdx.x)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "8 sectors per request"
    c[sizeof(Tile<short, 3>::Row) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors per request"
}
