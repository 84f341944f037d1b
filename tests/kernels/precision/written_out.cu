// What a loop's rounds cost where the text says that they are written out: no tests, no steps, and no arithmetic of the counter.
// PARAM: --block 32,4

// Half of the lanes copy for all: the bytes move by however few warps, and little else is left of the loop.
__global__ void short_rows(float *a, int pitch) {
    __shared__ float rows[8][4][64];
    float *from = a + threadIdx.y * 8 * pitch + 2 * threadIdx.x;
    if (threadIdx.x < 16)
//      ^^^^^^^^^^^^^^^^ none[WC301]
#pragma unroll
        for (int k = 0; k < 8; k++)
            *(float2 *)&rows[k][threadIdx.y][2 * threadIdx.x] = *(float2 *)(from + k * (pitch / 2));
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 8; k++)
        sum += rows[k][3 - threadIdx.y][threadIdx.x] * (k + 1);
    a[(threadIdx.y * 32 + threadIdx.x)] = sum;
}

// The same, round by round.
__global__ void counted_rows(float *a, int pitch) {
    __shared__ float rows[8][4][64];
    float *from = a + threadIdx.y * 8 * pitch + 2 * threadIdx.x;
    if (threadIdx.x < 16)
//      ^^^^^^^^^^^^^^^^ info[WC301] "16 of 32 threads active. Costs about 11% of this kernel's work"
        for (int k = 0; k < 8; k++)
            *(float2 *)&rows[k][threadIdx.y][2 * threadIdx.x] = *(float2 *)(from + k * (pitch / 2));
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 8; k++)
        sum += rows[k][3 - threadIdx.y][threadIdx.x] * (k + 1);
    a[(threadIdx.y * 32 + threadIdx.x)] = sum;
}
