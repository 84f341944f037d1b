// Shared memory by the pattern of the addresses: rows, columns, strides, padding, parts of words.
// PARAM: --block 32,32

__global__ void tiles() {
    __shared__ float plain[32][32], padded[32][33];
    __shared__ double wide[32][32], wide_padded[32][33];
    __shared__ int4 vectors[32][8], vectors_padded[32][9];
    int x = threadIdx.x, y = threadIdx.y;
    plain[y][x] = 1;
//  ^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    plain[x][y] = 1;
//  ^^^^^^^^^^^ warn[WC201] "32 wavefronts where 1 would do (32x). With 1 more access to `wide`"
//  ^^^^^^^^^^^ access! worst=32 best=32 ideal=1
    padded[y][x] = 1;
//  ^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    padded[x][y] = 1;
//  ^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    plain[x][x] = 1;
//  ^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    plain[x][x ^ y] = 1;
//  ^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    padded[x][31 - x] = 1;
//  ^^^^^^^^^^^^^^^^^ info[WC201] "32-way, each request takes 32 wavefronts where 1 would do (32x)"
//  ^^^^^^^^^^^^^^^^^ access! worst=32 best=32 ideal=1
    wide[y][x] = 1;
//  ^^^^^^^^^^ access! worst=2 best=2 ideal=2
    wide[x][y] = 1;
//  ^^^^^^^^^^ none[WC201]
//  ^^^^^^^^^^ access! worst=32 best=32 ideal=2
    wide_padded[x][y] = 1;
//  ^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=2
    vectors[x][y % 8] = make_int4(1, 1, 1, 1);
//  ^^^^^^^^^^^^^^^^^ info[WC201] "each request takes 32 wavefronts where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^^^ access! worst=32 best=32 ideal=4
    vectors_padded[x][y % 8] = make_int4(1, 1, 1, 1);
//  ^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
}

__global__ void strides(int n) {
    __shared__ float s[32 * 33 + 1024];
    int x = threadIdx.x;
    s[2 * x] = 1;
//  ^^^^^^^^ access! worst=2 best=2 ideal=1
//  ^^^^^^^^ info[WC201] "2-way, each request takes 2 wavefronts where 1 would do (2x). With 2 more accesses to `s`"
    s[3 * x] = 1;
//  ^^^^^^^^ access! worst=1 best=1 ideal=1
    s[6 * x] = 1;
//  ^^^^^^^^ access! worst=2 best=2 ideal=1
    s[12 * x] = 1;
//  ^^^^^^^^^ access! worst=4 best=4 ideal=1
//  ^^^^^^^^^ info[WC201] "4-way, each request takes 4 wavefronts where 1 would do (4x). 12% of this kernel's shared-memory traffic"
    s[33 * x] = 1;
//  ^^^^^^^^^ access! worst=1 best=1 ideal=1
    s[x % 16] = 1;
//  ^^^^^^^^^ access! worst=1 best=1 ideal=1
    s[x / 2 * 32] = 1;
//  ^^^^^^^^^^^^^ warn[WC201] "16-way, each request takes 16 wavefronts where 1 would do (16x)"
//  ^^^^^^^^^^^^^ access! worst=16 best=16 ideal=1
    s[n + x] = 1;
//  ^^^^^^^^ access! worst=1 best=1 ideal=1
    s[n - 2 * x] = 1;
//  ^^^^^^^^^^^^ access! worst=2 best=2 ideal=1
    s[n * x] = 1;
//  ^^^^^^^^ info[WC201] "up to 32-way, each request takes 32 wavefronts where 1 would do (32x). 3.5 on average over `n`"
//  ^^^^^^^^ access! worst=32 best=1 ideal=1
}

// Bytes and halves of words: lanes on the same word are served together, whatever part of it they want.
__global__ void parts_of_words(int n) {
    __shared__ unsigned char bytes[1024];
    __shared__ short halves[1024];
    int x = threadIdx.x;
    bytes[4 * x] = 1;
//  ^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    bytes[5 * x] = 1;
//  ^^^^^^^^^^^^ info[WC201] "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^ access! worst=2 best=2 ideal=1
    bytes[8 * x] = 1;
//  ^^^^^^^^^^^^ info[WC201] "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^ access! worst=2 best=2 ideal=1
    bytes[x + n] = 1;
//  ^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    halves[2 * x + 1] = 1;
//  ^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    halves[4 * x + 1] = 1;
//  ^^^^^^^^^^^^^^^^^ info[WC201] "2-way, each request takes 2 wavefronts where 1 would do (2x)"
//  ^^^^^^^^^^^^^^^^^ access! worst=2 best=2 ideal=1
}

// Members at the stride of their record: 3 words without a conflict, 4 words with 4 lanes to a bank.
struct Triple {
    float a, b, c;
};

struct Quad {
    float a, b, c, d;
};

__global__ void records() {
    __shared__ Triple triples[64];
    __shared__ Quad quads[64];
    int x = threadIdx.x;
    triples[x].b = 1;
//  ^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    quads[x].c = 1;
//  ^^^^^^^^^^ warn[WC201] "4-way, each request takes 4 wavefronts where 1 would do (4x)"
//  ^^^^^^^^^^ access! worst=4 best=4 ideal=1
    Triple all = triples[x];
    quads[x].a = all.a + all.b + all.c;
//  ^^^^^^^^^^ access! worst=4 best=4 ideal=1
}

// Lanes on one word are a broadcast; an atomic on it is contention, and no bank conflict.
__global__ void meeting(int k) {
    __shared__ int counters[64];
    int x = threadIdx.x;
    atomicAdd(&counters[k], 1);
//             ^^^^^^^^^^^ access! worst=1 best=1 ideal=1 contention=32 rw=A
    atomicAdd(&counters[x / 4], 1);
//             ^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 contention=4
    atomicAdd(&counters[x], 1);
//             ^^^^^^^^^^^ access! worst=1 best=1 ideal=1 contention=1
}
