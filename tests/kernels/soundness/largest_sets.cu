// Lanes that cannot all run together: what a request costs at best is what one of the largest sets of lanes pays.
// PARAM: --block 64

// 24 lanes of 32, one each of four, whichever is left out.
__global__ void all_but_one_of_four(float *a, int n) {
    int t = threadIdx.x;
    if (t % 4 != n % 4)
        a[t * 8] = 1;
//      ^^^^^^^^ access! worst=24 best=24 ideal=3
//      ^^^^^^^^ warn[WC101] "24 sectors where 3 would do (8x)"
}

// 12 or 13 lanes of 32, or 25 or 26 where it is the other way round.
__global__ void all_but_one_of_five(float *a, int n) {
    int t = threadIdx.x;
    if (t % 5 != n % 5)
        a[t * 8] = 1;
//      ^^^^^^^^ access! worst=26 best=25
//      ^^^^^^^^ warn[WC101] "26 sectors where 4 would do"
}

// Three lanes at most, in any places.
__global__ void three_lanes(float *a, int n, int m, int k) {
    int t = threadIdx.x;
    if (t == n || t == m || t == k)
        a[t * 8] = 1;
//      ^^^^^^^^ access worst=3 best=1
}

// Two lanes, or the one that both are; five side by side and one more.
__global__ void two_lanes(float *a, int n, int m) {
    int t = threadIdx.x;
    if (t == n + 1 || m == t)
        a[t * 8] = 1;
//      ^^^^^^^^ access! worst=2 best=2 ideal=1
    if ((unsigned)(t - n) < 5u || t == m)
        a[t * 16] = 2;
//      ^^^^^^^^^ access! worst=6 best=6 ideal=1
//      ^^^^^^^^^ warn[WC101]
}

// What is joined before it is tested asks what the joins asked.
__global__ void by_flags(float *a, int n, int m) {
    int t = threadIdx.x;
    int found = 0;
    if (t == n)
        found = 1;
    if (t == m)
        found += 1;
    if (found)
        a[t * 8] = 1;
//      ^^^^^^^^ access! worst=2 best=2 ideal=1
    if (found == 2)
        a[t * 8] = 2;
//      ^^^^^^^^ access! worst=1 best=1
    bool one = t / 2 == n, other = t / 2 == m;
    if (one != other)
        a[t * 8] = 3;
//      ^^^^^^^^ access! worst=4 best=4 ideal=1
}

// A few lanes side by side, wherever numbers wrap around; beside others, and where places are told case by case.
__global__ void wrapped_windows(double *a, unsigned n, int m) {
    unsigned t = threadIdx.x;
    if (t - n < 4u)
        a[t * 4] = 1;
//      ^^^^^^^^ access! worst=4 best=4 ideal=1
    if (t - n < 8u || t == m)
        a[t] = 2;
//      ^^^^ access! worst=4 best=3
    if (t - n < 8u && (t % 16 - n < 1u || t % 16 - n < 8u))
        a[(t & ~3u) + (t + n) % 4] = 3;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^ access best=1
}

// Lanes that their places are told with, case by case, need not all be there.
__global__ void below_a_pattern(double *a, int n, int k) {
    int t = threadIdx.x;
    if (t < n && (t ^ k) < 3)
        a[(t + n) % 32] = 1;
//      ^^^^^^^^^^^^^^^ access best=1
    if (__popc(t ^ k) < 2)
        a[(t + n) % 32 + 32] = 1;
//      ^^^^^^^^^^^^^^^^^^^^ access best=1
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
