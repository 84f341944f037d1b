// Sums of vectors: one element a thread behind a boundary guard, blocks of 256.
// PARAM: --block 256

__global__ void sum(const float *left, const float *right, float *result, int n) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < n)
//      ^^^^^^ branch! divergence=boundary active=1,31
//      ^^^^^^ none
        result[at] = left[at] + right[at];
//      ^^^^^^^^^^ access! worst=4 best=4 ideal=4 times=1 rw=W
//                   ^^^^^^^^ access! worst=4 best=4 ideal=4 times=1 rw=R
//                              ^^^^^^^^^ access! worst=4 best=4 ideal=4 times=1 rw=R
}
