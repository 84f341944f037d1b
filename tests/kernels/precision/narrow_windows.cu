// Differences in narrow types, and remainders, that are compared with a number: the lanes that pass lie side by side.  And bits on which a warp agrees.
// PARAM: --block 64

__global__ void short_window(float *a, int first) {
    unsigned short place = threadIdx.x + 7 - first;
    if (place <= 11)
        a[threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^ access worst=3 best=2 space=global
}

__global__ void signed_window(float *a, int first) {
    signed char place = threadIdx.x - first;
    if (place >= -4 && place < 4)
        a[threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^ access worst=2 space=global
}

__global__ void outside(float *a, int first) {
    unsigned char place = first - threadIdx.x;
    if (place >= 248)
        a[threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^ access worst=2 space=global
}

__global__ void on_a_circle(float *a, unsigned first) {
    if ((threadIdx.x + first) % 1024 < 8)
        a[threadIdx.x] = 1;
//      ^^^^^^^^^^^^^^ access worst=2 space=global
}

__global__ void one_place(float *a, int first) {
    unsigned char place = threadIdx.x * 3 + first;
    if (place == 200)
        a[threadIdx.x * 8] = 1;
//      ^^^^^^^^^^^^^^^^^^ access worst=1 space=global
}

__global__ void halves(float *a, int turn) {
    if (((threadIdx.x ^ turn) & 32) != 0)
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ branch divergence=never
        a[threadIdx.x] = 1;
    else
        a[threadIdx.x] = 2;
}

__global__ void warps_above(float *a, int turn) {
    if ((threadIdx.x ^ turn) >> 5 == 1)
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ branch divergence=never
        a[threadIdx.x] = 1;
}

__global__ void either_bit(float *a, int turn) {
    if ((threadIdx.x | turn) & 96)
//      ^^^^^^^^^^^^^^^^^^^^^^^^^ branch divergence=never
        a[threadIdx.x] = 1;
}

__global__ void neither_bit(float *a, int turn, int other) {
    if ((threadIdx.x & ~other ^ turn) & 32)
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ branch divergence=never
        a[threadIdx.x] = 1;
}

__global__ void bits_of_lanes(float *a, int turn) {
    if ((threadIdx.x ^ turn) & 24)
//      ^^^^^^^^^^^^^^^^^^^^^^^^^ branch divergence=always
        a[threadIdx.x] = 1;
}
