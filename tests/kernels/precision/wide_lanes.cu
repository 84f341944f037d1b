// Few lanes of a warp that move four floats each fill sectors and wavefronts: as much as full warps would move, in fewer instructions.
// PARAM: --block 16,16

// A quarter of each row's lanes bring the row. (16, 16): two rows of a warp.
//@ assume w % 16 == 0
__global__ void four_each(float *out, const float *a, int w) {
    __shared__ float tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int k = 0; k < w; k += 16) {
        if (4 * x < 16) {
            *(float4 *)&tile[y][4 * x] = *(const float4 *)&a[(16 * blockIdx.x + y) * w + k + 4 * x];
        }
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < 16; i++)
            sum += tile[y][i] * tile[i][x];
        __syncthreads();
    }
    out[(16 * blockIdx.x + y) * 16 + x] = sum;
}

// The same lanes bring a float at a time: four times the instructions, and wavefronts a quarter full.
//@ assume w % 16 == 0
__global__ void one_each(float *out, const float *a, int w) {
    __shared__ float tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int k = 0; k < w; k += 16) {
        if (x < 4) {
//          ^^^^^ info[WC301]
            tile[y][x] = a[(16 * blockIdx.x + y) * w + k + x];
            tile[y][x + 4] = a[(16 * blockIdx.x + y) * w + k + x + 4];
            tile[y][x + 8] = a[(16 * blockIdx.x + y) * w + k + x + 8];
            tile[y][x + 12] = a[(16 * blockIdx.x + y) * w + k + x + 12];
        }
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < 16; i++)
            sum += tile[y][i] * tile[i][x];
        __syncthreads();
    }
    out[(16 * blockIdx.x + y) * 16 + x] = sum;
}

// Of 16 bytes that are aligned to a float's 4 an asynchronous copy makes four pieces, one after the other: each lane could take one.
//@ assume w % 16 == 0
__global__ void copied(float *out, const float *a, int w) {
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    __shared__ float tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    for (int k = 0; k < w; k += 16) {
        if (4 * x < 16)
//          ^^^^^^^^^^ warn[WC301] "the warp splits, 8 of 32 threads active"
            cuda::memcpy_async(&tile[y][4 * x], &a[(16 * blockIdx.x + y) * w + k + 4 * x], 16, ready);
        ready.arrive_and_wait();
        #pragma unroll
        for (int i = 0; i < 16; i++)
            sum += tile[y][i] * tile[i][x];
        ready.arrive_and_wait();
    }
    out[(16 * blockIdx.x + y) * 16 + x] = sum;
}

// Places that a counter hands out are neighbours: half of the warps would move them.
__global__ void handed_out(float *out, const float *a, int *top, int w) {
    int x = 16 * threadIdx.y + threadIdx.x;
    float sum = a[x];
    if (x % 2 == 0) {
//      ^^^^^^^^^^ warn[WC301]
        int at = atomicAdd(top, 1);
        out[at] = 2.0f * sum;
    }
    out[x + 2 * w] = sum;
}
