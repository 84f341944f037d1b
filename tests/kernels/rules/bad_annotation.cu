// WC901: what is wrong with an annotation is said at its own range; the rest of it, and all others, still hold.

#define TILE 16
//@ launch block=(TILE, TILE) grid=(ceil(width / TILE), rows)
//@ assume width % 8 == 0 && depth > 2 && rows >= 1
//                           ^^^^^ warn[WC901]! "neither a parameter of this kernel nor a constant"
//@ asume rows > 3
//  ^^^^^ warn[WC901]! "did you mean `assume`"
//@ aligned(out, 24)
//               ^^ warn[WC901]! "a power of two"
//! block (16,16)
__global__ void rowsOf(float *out, const float *in, int width, int rows, float scale) {
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    //@ assume scale > 1 && threadIdx.x < 4
    //         ^^^^^ warn[WC901]! "is no integer"
    //                      ^^^^^^^^^^^ warn[WC901]! "differs between threads"
    //@ assume rows < 0
    //         ^^^^^^^^ warn[WC901]! "this contradicts what is known: `rows` >= 1"
    //@ assume !(rows == 3 && width == 5)
    //           ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC901]! "cannot use the negation of `&&`"
    //@ loop_bound rows +
    //                  ^ warn[WC901]! "missing after"
    out[y * width + x] = in[y * width + x];
//                       ^^^^^^^^^^^^^^^^^ access! worst=4 ideal=4
    //@ loop_bound 8
    //  ^^^^^^^^^^^^ warn[WC901]! "no loop follows"
}

//@ launch block=(64, 32)
//                ^^^^^^ warn[WC901]! "at most 1024 threads"
//@ launch block=(rows)
//                ^^^^ warn[WC901]! "has to be a constant"
//@ launch block=(128)
//@ launch block=(128)
//  ^^^^^^^^^^^^^^^^^^ warn[WC901]! "stated before"
//@ aligned(rows, 16)
//          ^^^^ warn[WC901]! "no pointer"
//@ aligned(into, 2)
//                ^ warn[WC901]! "aligned to 4 bytes"
//@ assume rows % 0 == 1 && rows
//                ^ warn[WC901]! "division by zero"
//! block (128,1)
__global__ void column(float *into, int rows) {
    into[threadIdx.x] = rows;
}

//@ assume rows > 1
//  ^^^^^^^^^^^^^^^ warn[WC901]! "no kernel follows"
int rows;

__device__ void helper(int rows) {
    //@ assume rows > 1
    //  ^^^^^^^^^^^^^^^ warn[WC901]! "`helper` is none"
}
//@{ the comments of other tools are none of ours
//@TODO neither are marks

// A bound that the loop surely breaks is told, and not used.
__global__ void more_rounds(float *a) {
    //@ loop_bound 4
//      ^^^^^^^^^^^^ warn[WC901] "the loop goes round more than 4 times"
    for (int i = 0; i < 8; i++) a[i * 32 + threadIdx.x] = 1;
//                              ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
}
