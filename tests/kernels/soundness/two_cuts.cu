// PARAM: --block 256

// Two cuts over one value, from either side: warps are alike only if both cuts shift by what the lanes shift.
__global__ void cuts_from_both_sides(float *p, int n, int w) {
    if (n - (int)threadIdx.x >= w) return;
    if (95 - (int)threadIdx.x + w - 1 > n)
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ branch! divergence=boundary
        p[1] = 0.0f;
    else
        p[threadIdx.x] = 0.0f;
//      ^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
}
