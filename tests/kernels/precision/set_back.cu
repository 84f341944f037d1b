// A counter that a round moves on and sets back again is in the next round what it was before the loop.
// PARAM: --block 128

__global__ void neighbours(float *f, const float *r, const int *near) {
    __shared__ float b[100];
    int tx = threadIdx.x, at = tx;
    for (int k = 0; k < near[blockIdx.x]; k++) {
        while (at < 100) {
            b[at] = r[near[k] * 104 + at];
//          ^^^^^ access! worst=1 best=1
//                  ^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=4
            at += 128;
        }
        at = tx;
        __syncthreads();
        f[tx] += b[tx < 100 ? tx : 0];
    }
}

// What it is set back to is something else than before the loop.
__global__ void begun_elsewhere(float *f, const float *r, const int *near) {
    int tx = threadIdx.x, at = 2 * tx;
    for (int k = 0; k < near[blockIdx.x]; k++) {
        while (at < 100) {
            f[at] += r[near[k] * 104 + at];
//          ^^^^^ access! worst=32 best=1
            at += 128;
        }
        at = tx;
    }
}
