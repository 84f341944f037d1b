// Loops whose counters come to be what they are compared with, and those that unsigned counters end by wrapping around: how often they go
// round is what it is, and the bounds of the kernel meet.
// PARAM: --default-block 32

// From one number to another, up and down; that the first one is the less is assumed.
//! bound sectors "4*max(0, n - 2 - first)" exact
__global__ void up_to_the_last_but_one(float *a, int first, int n) {
    for (int row = first; row != n - 2; ++row)
        a[32 * row + threadIdx.x] = 1;
}

//! bound sectors "4*n" exact
__global__ void down_in_threes(float *a, int n) {
    for (int row = 3 * n; row != 0; row -= 3)
        a[32 * row + threadIdx.x] = 1;
}

// 0, 2^32 - 1: no assumption is needed, for n = 0 either.
//! bound sectors "4*n" exact
__global__ void back_to_front(float *a, unsigned n) {
    for (unsigned row = n - 1; row < n; --row)
        a[32 * row + threadIdx.x] = 1;
}

//! bound sectors "4*floor(n/2)" exact
__global__ void half_of_them_back(float *a, size_t n) {
    for (size_t row = n / 2 - 1; row != (size_t)-1; row--)
        a[32 * row + threadIdx.x] = 1;
}

//! bound sectors "2*n*n - 2*n" exact
__global__ void below_the_diagonal(float *a, unsigned n) {
    for (unsigned row = 0; row < n; ++row)
        for (unsigned column = row - 1; column < n; --column)
            a[32 * (n * row + column) + threadIdx.x] = 1;
}

// What else ends the loop may end it where the counter began beyond.
__global__ void found_first(float *a, const int *keys, int n, int key) {
    for (int row = 1; row != n; ++row) {
        if (keys[row] == key) break;
        a[32 * row + threadIdx.x] = 1;
    }
}
