// A loop that halves or doubles ends within some rounds, and is executed round by round where a kernel has used up what it may for
// that: which lanes go on at which stride is what a summary of it does not know.
// PARAM: --block 256

__device__ int rank_of(int flag, int *tree) {
    int t = threadIdx.x;
    tree[t] = flag;
    int apart = 1;
    for (int busy = blockDim.x / 2; busy > 0; busy >>= 1) {
        __syncthreads();
        if (t < busy) {
            int right = apart * (2 * t + 2) - 1;
            tree[right] += tree[right - apart];
//          ^^^^^^^^^^^ warn[WC201] "up to 8-way" "uns at most 512 times per warp"
        }
        apart *= 2;
    }
    for (int busy = 1; busy < blockDim.x; busy = 2 * busy) {
        apart /= 2;
        __syncthreads();
        if (t < busy && t > 0) {
            int right = apart * (t + 1) - 1;
            tree[right] += tree[right + apart / 2];
//          ^^^^^^^^^^^ info[WC201] "up to 4-way" "uns at most 448 times per warp"
        }
    }
    __syncthreads();
    return tree[t];
}

__global__ void many_rounds(int *out, const int *in) {
    __shared__ int tree[512];
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        sum += rank_of(in[i * 256 + threadIdx.x] > 0, tree);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// A loop of any number of rounds around one that is executed only in part round by round: each of its rounds happens n times, or so many
// times n, and the mean is that of all.
__global__ void rounds_of_any_number(int *out, const int *in, int n) {
    __shared__ int tree[512];
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 300; j++) {
            int t = threadIdx.x;
            int apart = 1;
            tree[t] = in[(i * 300 + j) * 256 + t];
            for (int busy = blockDim.x / 2; busy > 0; busy >>= 1) {
                __syncthreads();
                if (t < busy) {
                    int right = apart * (2 * t + 2) - 1;
                    tree[right] += tree[right - apart];
//                  ^^^^^^^^^^^ warn[WC201] "up to 8-way, each request takes 3.9 wavefronts on average where 1 would do (3.9x)"
                }
                apart *= 2;
            }
            __syncthreads();
            sum += tree[255];
        }
    out[threadIdx.x] = sum;
}

// How often the rounds happen has nothing to do with each other: nobody knows the mean.
__global__ void rounds_of_two_numbers(float *out, int n, int m) {
    for (int k = 0; k < 4; k++) {
        int rounds = k < 2 ? n : m;
        for (int i = 0; i < rounds; i++)
            out[(threadIdx.x << k) + 65536 * i] = k;
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x)"
    }
}

// Not all of these kernels wait where they should.
