// Products of square matrices in tiles of 32x32: rows in shared memory, columns in shared memory, and no shared memory.
// PARAM: --block 32,32

#define EDGE 32

__global__ void tiled(float *c, const float *a, const float *b, int n) {
    __shared__ float left[EDGE][EDGE], right[EDGE][EDGE];
    int col = blockIdx.x * EDGE + threadIdx.x, row = blockIdx.y * EDGE + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += EDGE) {
        left[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 times=ceil(n/32)
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 exact=true times=ceil(n/32)
        right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 times=ceil(n/32)
//                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 exact=true times=ceil(n/32)
        __syncthreads();
        for (int k = 0; k < EDGE; k++)
//                      ^^^^^^^^ branch! divergence=never
            sum += left[threadIdx.y][k] * right[k][threadIdx.x];
//                 ^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 times=32*ceil(n/32) pattern=uniform
//                                        ^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 times=32*ceil(n/32)
        __syncthreads();
    }
    c[row * n + col] = sum;
//  ^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 exact=true times=1
}

__global__ void tiled_turned(float *c, const float *a, const float *b, int n) {
    __shared__ float left[EDGE][EDGE], right[EDGE][EDGE];
    int col = blockIdx.x * EDGE + threadIdx.x, row = blockIdx.y * EDGE + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += EDGE) {
        left[threadIdx.x][threadIdx.y] = a[row * n + t + threadIdx.x];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 best=32 ideal=1 times=ceil(n/32)
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 exact=true times=ceil(n/32)
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "32-way, each request takes 32 wavefronts where 1 would do (32x)"
        right[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < EDGE; k++)
            sum += left[k][threadIdx.y] * right[k][threadIdx.x];
//                 ^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 times=32*ceil(n/32) pattern=uniform
//                                        ^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 times=32*ceil(n/32)
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void untiled(float *c, const float *a, const float *b, int n) {
    int col = blockIdx.x * EDGE + threadIdx.x, row = blockIdx.y * EDGE + threadIdx.y;
    for (int t = 0; t < n; t += EDGE) {
        for (int k = 0; k < EDGE; k++) {
            float x = a[row * n + t + k], y = b[(t + k) * n + col];
            //                                ^^^^^^^^^^^^^^^^^^^^ info[WC105]
//                    ^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1 times=32*ceil(n/32)
//                                            ^^^^^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 times=32*ceil(n/32)
            float part;
            if (y - 1.0 < 0.001) {
//              ^^^^^^^^^^^^^^^ branch! divergence=possible active=1,31 cause=data
//              ^^^^^^^^^^^^^^^ none
                part = x;
            } else {
                part = x * y;
            }
            c[row * n + col] += part;
//          ^^^^^^^^^^^^^^^^ access! worst=5 best=4 ideal=4 exact=true rw=RW requests=2 times=32*ceil(n/32)
        }
    }
}
