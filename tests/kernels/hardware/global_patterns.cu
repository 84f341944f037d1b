// Global memory by the pattern of the addresses: strides, folds, records, what counts as a request.
// PARAM: --block 32

__global__ void strides(float *p, int n, int k) {
    int t = threadIdx.x;
    p[2 * t] = 1;
//  ^^^^^^^^ access! worst=8 best=8 ideal=4
    p[8 * t] = 1;
//  ^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^ access! worst=32 best=32 ideal=4
    p[1000 - 8 * t] = 1;
//  ^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
//  ^^^^^^^^^^^^^^^ access! worst=32 best=32 ideal=4
    p[31 - t] = 1;
//  ^^^^^^^^^ access! worst=4 best=4 ideal=4
    p[30 - t] = 1;
//  ^^^^^^^^^ access! worst=5 best=5 ideal=4
    p[t * n] = 1;
//  ^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
//  ^^^^^^^^ access! worst=32 best=1 ideal=4
    p[8 * k + t] = 1;
//  ^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
    p[4 * k + t] = 1;
//  ^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 exact=true
    p[k + t] = 1;
//  ^^^^^^^^ access! worst=5 best=4 ideal=4 exact=true
}

__global__ void folds(float *p) {
    int t = threadIdx.x;
    p[t / 2] = 1;
//  ^^^^^^^^ access! worst=2 best=2 ideal=2
    p[t % 8] = 1;
//  ^^^^^^^^ access! worst=1 best=1 ideal=1
    p[t & ~3] = 1;
//  ^^^^^^^^^ info[WC101] "4 sectors where 1 would do (4x)"
//  ^^^^^^^^^ access! worst=4 best=4 ideal=1
    p[t ^ 1] = 1;
//  ^^^^^^^^ access! worst=4 best=4 ideal=4
    p[(t * 7) % 32] = 1;
//  ^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
    p[t % 4 * 8 + t / 4] = 1;
//  ^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
}

struct Point {
    float x, y, z;
};

struct Mixed {
    double a;
    float b;
};

struct Block32 {
    float4 low, high;
};

// A member's own bytes at the stride of its record; a copy is one request per member.
__global__ void records(Point *points, Mixed *mixed, Block32 *blocks, float4 *vectors) {
    int t = threadIdx.x;
    points[t].x = 1;
//  ^^^^^^^^^^^ info[WC101] "12 sectors where 4 would do (3x)"
//  ^^^^^^^^^^^ access! worst=12 best=12 ideal=4 bytes=4
    points[t].z = 1;
//  ^^^^^^^^^^^ access! worst=12 best=12 ideal=4 bytes=4
    mixed[t].a = 1;
//  ^^^^^^^^^^ access! worst=16 best=16 ideal=8 bytes=8
    mixed[t].b = 1;
//  ^^^^^^^^^^ info[WC101] "16 sectors where 4 would do (4x)"
//  ^^^^^^^^^^ access! worst=16 best=16 ideal=4 bytes=4
    vectors[t].y = 1;
//  ^^^^^^^^^^^^ info[WC101] "16 sectors where 4 would do (4x)"
//  ^^^^^^^^^^^^ access! worst=16 best=16 ideal=4 bytes=4
    blocks[t].high = vectors[t];
//  ^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 16 would do (2x)"
//  ^^^^^^^^^^^^^^ access! worst=32 best=32 ideal=16 bytes=16
//                   ^^^^^^^^^^ access! worst=16 best=16 ideal=16 bytes=16
}

__global__ void requests(float *p, int *q) {
    int t = threadIdx.x;
    p[t] += 1;
//  ^^^^ access! worst=4 best=4 ideal=4 rw=RW requests=2 times=1
    q[t]++;
//  ^^^^ access! worst=4 best=4 ideal=4 rw=RW requests=2 times=1
    p[t + 32] = p[t + 64];
//  ^^^^^^^^^ access! worst=4 best=4 ideal=4 rw=W requests=1 times=1
}

__global__ void atomics(int *p, float *f, int k) {
    int t = threadIdx.x;
    atomicAdd(&p[k], 1);
//             ^^^^ access! worst=1 best=1 ideal=1 contention=32 rw=A
    atomicAdd(&p[t], 1);
//             ^^^^ access! worst=4 best=4 ideal=4 contention=1
    atomicMax(&p[t / 8], t);
    //         ^^^^^^^^ info[WC202]
//             ^^^^^^^^ access! worst=1 best=1 ideal=1 contention=8
    atomicAdd(f + 8 * (t % 8), 1.0f);
//            ^^^^^^^^^^^^^^^ warn[WC101] "8 sectors where 1 would do (8x)"
//            ^^^^^^^^^^^^^^^ access! worst=8 best=8 ideal=1 contention=4
}

__constant__ float table[64];

// Constant memory serves one address after the other.
__global__ void constants(float *p, int k) {
    int t = threadIdx.x;
    p[t] = table[k];
//         ^^^^^^^^ access! worst=1 best=1 ideal=1
    p[t] += table[t];
//          ^^^^^^^^ access! worst=32 best=32 ideal=1
    p[t] += table[t / 8];
//          ^^^^^^^^^^^^ access! worst=4 best=4 ideal=1
}

// The same place by other names.
__global__ void aliases(float *p, int k) {
    float *q = p + 1, *r = &p[8];
    int t = threadIdx.x;
    *q = 1;
//  ^^ access! worst=1 best=1 ideal=1
    *(q + t) = 1;
//  ^^^^^^^^ access! worst=5 best=5 ideal=4
    (q + 7)[t] = 1;
//  ^^^^^^^^^^ access! worst=4 best=4 ideal=4
    r[t] = 1;
//  ^^^^ access! worst=4 best=4 ideal=4
    t[r] = 2;
//  ^^^^ access! worst=4 best=4 ideal=4
    for (int i = 0; i < 4; i++)
        *r++ = t;
      //^^^^ info[WC104]
    r[t] = 3;
//  ^^^^ access! worst=5 best=5 ideal=4
    float *either = k > 3 ? p : r;
    either[t + 4] = 1;
//  ^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4
}
