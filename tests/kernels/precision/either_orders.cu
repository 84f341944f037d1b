// Which of two elements of one array is the greater one is open for each lane: what stands there weighs half, as behind any such test.
// PARAM: --block 512

__device__ void compare_exchange(unsigned &low, unsigned &with_low, unsigned &high, unsigned &with_high, unsigned up) {
    if ((low > high) == up) {
//       ^^^ warn[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x). Runs 512 times per warp. With 3 more accesses to `key`: 60% of this kernel's shared-memory traffic"
        unsigned t = low;
        low = high;
        high = t;
        t = with_low;
//          ^^^^^^^^ info[WC201]! "uns at most 512 times per warp. With 3 more accesses to `number`: 40% of this kernel's shared-memory traffic"
        with_low = with_high;
        with_high = t;
    }
}

// The numbers that go along are moved for half of the pairs; the keys are asked for all of them.
__global__ void transposed(unsigned *keys, unsigned *numbers, unsigned up) {
    __shared__ unsigned key[1025];
    __shared__ unsigned number[1025];
    int at = 1024 * blockIdx.x + threadIdx.x;
    key[threadIdx.x] = keys[at];
    number[threadIdx.x] = numbers[at];
    key[threadIdx.x + 512] = keys[at + 512];
    number[threadIdx.x + 512] = numbers[at + 512];
    for (int round = 0; round < 512; round++) {
        __syncthreads();
        int pair = 2 * threadIdx.x + round % 2;
        compare_exchange(key[pair], number[pair], key[pair + 1], number[pair + 1], up);
    }
    __syncthreads();
    keys[at] = key[threadIdx.x];
    numbers[at] = number[threadIdx.x];
    keys[at + 512] = key[threadIdx.x + 512];
    numbers[at + 512] = number[threadIdx.x + 512];
}

// Scattered elements are fetched by half of the lanes: 16 of some 26 sectors, of which the ones side by side are told a little short.
__global__ void exchanged(float *value, float *payload, int reach) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (value[i] > value[i + reach]) {
        float held = payload[8 * i];
//                   ^^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do (8x). Runs at most once per warp. 62% of this kernel's global traffic"
        payload[i + reach] = held;
    }
}

// A flag may leave whole warps out: what stands there weighs half.
__global__ void flagged(const bool *flag, float *value, float *payload, int reach) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (flag[i]) {
        float held = payload[8 * i];
//                   ^^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do (8x). Runs at most once per warp. 84% of this kernel's global traffic"
        payload[i + reach] = held;
    }
}
