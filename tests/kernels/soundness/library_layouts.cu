// Classes of libraries whose headers are not here have the sizes of their models; those that nobody knows are no 4 bytes.
// PARAM: --block 32

#include <array>
#include <complex>
#include <cuda/std/array>
#include <thrust/complex.h>

struct Sample { char channel; std::complex<float> value; };
struct Aligned { char channel; thrust::complex<float> value; };
struct Row { std::pair<int, char> key; std::array<short, 3> cells; };

//! unknown none
__global__ void sizes(char *c) {
    c[sizeof(Sample) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "12 sectors where 1 would do (12x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=12 best=12
    c[sizeof(Aligned) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    c[sizeof(Row) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16
    c[sizeof(cuda::std::array<char, 5>) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=5
    c[sizeof(std::array<double, 0>) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1
    c[sizeof(std::vector<int>) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "24 sectors where 1 would do (24x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=24 best=24
}

// What operations of a model load and store stands where they are called.
//! unknown none
__global__ void operations(std::complex<double> *z, const std::array<int, 2> *pairs, float *out) {
    int i = threadIdx.x;
    z[i] = z[i] * 2.0;
  //^^^^ hint[WC104]
//  ^^^^ info[WC101] "16 sectors where 8 would do (2x)"
//  ^^^^ access! worst=16 best=16 rw=W
    out[pairs[i][1] & 0] = z[i].imag();
//      ^^^^^^^^^^^ access! worst=8 best=8
    std::array<int, 3> steps = {1, 2, 3};
    out[steps[2] * i] = steps.size();
//  ^^^^^^^^^^^^^^^^^ info[WC101] "12 sectors where 4 would do (3x)"
//  ^^^^^^^^^^^^^^^^^ access! worst=12 best=12
}

//! unknown "the size of `std::bitset` is not known"
__global__ void nobody_knows(char *c) {
//              ^^^^^^^^^^^^ info[WC900] "Not analysed: the size of `std::bitset` is not known: library type"
    c[sizeof(std::bitset<64>) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access worst=32
}
