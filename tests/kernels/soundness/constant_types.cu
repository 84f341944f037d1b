// Constants have the types that C++ gives them: each store is `p[stride * thread]` with a char, whose stride is the number in question.

enum Wide : long { first, second };
enum { four = sizeof(int), five };

__device__ short narrow(int x) { return x; }

constexpr int last_of(unsigned char x) {
    while (--x > 250) {
    }
    return x;
}

//! block (256)
//! unknown none
__global__ void types_of_constants(char *p) {
    // The arm that is not taken has a say in the type: int, 4 bytes.
    p[sizeof(true ? 'a' : 2) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=1 space=global rw=W bytes=1 times=1
    // Of what is not evaluated, too: long beside short.
    p[sizeof(second ? second : narrow(5)) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 1 would do (8x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8 best=8 ideal=1 space=global rw=W bytes=1 times=1
    // An enumerator is an unsigned int here, not the size_t that it was made of.
    p[(sizeof(four) + sizeof(five ? 'a' : 'b') - 1) * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "4 sectors where 1 would do (4x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=1 space=global rw=W bytes=1 times=1
    // 0 less 1 is 255 in an unsigned char, and the loop goes on down to 250.
    p[(last_of(0) - 249) * 16 * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "16 sectors where 1 would do (16x)"
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 best=16 ideal=1 space=global rw=W bytes=1 times=1
}
