// A small bit-field is an `int` in arithmetic even if it is declared unsigned.  The trap: `high - 200 < 0` decided as it would be
// for unsigned operands, never.
// PARAM: --block 32

struct Flags { unsigned low : 5; unsigned high : 7; };

//! unknown none
__global__ void small_unsigned(const Flags *f, float *a) {
    Flags own;
    own.high = threadIdx.x;
    if (own.high - 16 < 0)
//      ^^^^^^^^^^^^^^^^^ branch! kind=if divergence=possible
        a[threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^ access! worst=4 space=global rw=W
}
