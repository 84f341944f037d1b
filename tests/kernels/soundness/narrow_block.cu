// Blocks of 24: a warp holds one row and a third of the next; the last is half empty.
// PARAM: --block 24,2

__global__ void flat(float *out) {
    out[threadIdx.y * 24 + threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4 ideal=4
}

__global__ void one_row(float *out) {
    out[threadIdx.x] = 1.0f;
//  ^^^^^^^^^^^^^^^^ access! worst=3 best=3 ideal=3
}

__global__ void by_row(float *out) {
    if (threadIdx.y == 0)
//      ^^^^^^^^^^^^^^^^ branch! divergence=always active=8,24
        out[threadIdx.x] = 1.0f;
//      ^^^^^^^^^^^^^^^^ access! worst=3 best=3 ideal=3
}
