// `std::int64_t` has eight bytes and `cuda::std::uint8_t` one, whether or not the header is visible.  The trap: names that
// begin with `std::` taken for library types of unknown size, four bytes.

#include <cstdint>

//! block (256)
//! unknown none
__global__ void library_integers(std::int64_t *wide, cuda::std::uint8_t *narrow) {
    wide[threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^ access! worst=8 best=8 ideal=8 space=global rw=W bytes=8 times=1
    narrow[threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 space=global rw=W bytes=1 times=1
}
