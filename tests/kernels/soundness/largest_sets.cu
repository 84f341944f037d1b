// Lanes that cannot all run together: what a request costs at best is what one of the largest sets of lanes pays.
// PARAM: --block 64

// 24 lanes of 32, one each of four, whichever is left out.
__global__ void all_but_one_of_four(float *a, int n) {
    int t = threadIdx.x;
    if (t % 4 != n % 4)
        a[t * 8] = 1;
//      ^^^^^^^^ access! worst=24 best=24 ideal=3
//      ^^^^^^^^ warn[WC101] "24 sectors per request, ideal 3 (8.0x)"
}

// 12 or 13 lanes of 32, or 25 or 26 where it is the other way round.
__global__ void all_but_one_of_five(float *a, int n) {
    int t = threadIdx.x;
    if (t % 5 != n % 5)
        a[t * 8] = 1;
//      ^^^^^^^^ access! worst=26 best=25
//      ^^^^^^^^ warn[WC101] "26 sectors per request, ideal 4"
}

// Three lanes at most, in any places.
__global__ void three_lanes(float *a, int n, int m, int k) {
    int t = threadIdx.x;
    if (t == n || t == m || t == k)
        a[t * 8] = 1;
//      ^^^^^^^^ access best=1
}

// Whatever is not followed may hold back any lanes.
__global__ void by_bits(float *a, int n) {
    int t = threadIdx.x;
    if (__clz(t ^ n) == 30)
        a[t * 8] = 1;
//      ^^^^^^^^ access best=1
}

// Thresholds, and contents of memory, let all lanes run somewhere.
__global__ void all_lanes(float *a, const int *p, int n) {
    int t = threadIdx.x;
    if (t < n)
        a[t * 8] = 1;
//      ^^^^^^^^ access! worst=32 best=32
//      ^^^^^^^^ warn[WC101]
    if (p[t] > 0)
        a[t] = 2;
//      ^^^^ access! worst=4 best=4
}

// As many elements as n says: what is ideal is a range.
__global__ void pairs_or_all(int *a, int n) {
    int t = threadIdx.x;
    a[(t ^ 3) | (4 & n)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^ access worst=4 best=4 ideals=1,4
}
