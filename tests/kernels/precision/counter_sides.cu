// Sides of tests that a loop's counter decides are run in the rounds in which they are chosen, and not in all of them.
// PARAM: --default-block 32

// Every third column of the odd rows: rows 1, 3, 5 and columns 2, 5, 8.
//! bound sectors "4*floor(h/2)*floor(n/3)" exact
__global__ void every_third(float *a, int h, int n) {
    for (int row = 0; row < h; ++row)
        for (int column = 0; column < n; ++column)
            if (row % 2 != 0) {
                if (column % 3 == 2) a[32 * (row * n + column) + threadIdx.x] = 1;
            }
}

// A buffer is filled in even rounds and another one in odd ones; each side has its rounds.
//! bound sectors "8*ceil(rounds/2) + 4*floor(rounds/2)" exact
__global__ void in_turn(float *ping, float2 *pong, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        if (round & 1)
            ping[32 * round + threadIdx.x] = 1;
        else
            pong[32 * round + threadIdx.x] = make_float2(1, 1);
    }
}

// All but the first, and the last one alone.
//! bound sectors "4*max(0, n - 1) + 4*min(1, n)" exact
__global__ void at_the_ends(float *a, float *last, int n) {
    for (int i = 0; i < n; ++i) {
        if (i > 0) a[32 * i + threadIdx.x] = 1;
        if (i == n - 1) last[threadIdx.x] = 1;
    }
}

// A halo of `few` rows costs twice as much.
//! bound sectors "4*max(0, n - few) + 8*min(few, n)" exact
__global__ void a_halo(float *a, float2 *b, int few, int n) {
    for (int i = 0; i < n; ++i) {
        if (i < few)
            b[32 * i + threadIdx.x] = make_float2(0, 0);
        else
            a[32 * i + threadIdx.x] = 0;
    }
}

// In a triangle the ends meet but for a part of its side.
//! bound sectors "n*n - n"
//! bound sectors "max(0, n*n - 3*n)" lower
__global__ void every_other_below(float *a, int n) {
    for (int row = 0; row < n; ++row)
        for (int column = 0; column < row; ++column)
            if (column & 1) a[32 * (row * n + column) + threadIdx.x] = 1;
}
