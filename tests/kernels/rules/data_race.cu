// Two threads meet in shared memory with no barrier between.

__global__ void neighbours(int *a) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    int mine = a[i]; s[t] = mine;
    //               ^^^^ warn[WC401] "is written here while another thread reads `s[t + 1]`"
    if (t < 255) a[i] = s[t + 1];
}

void run_neighbours(int *a) {
    neighbours<<<64, 256>>>(a);
}

__global__ void overwrites_what_is_read(float *c, const float *a, int rounds) {
    __shared__ float s[256];
    float sum = 0;
    for (int m = 0; m < rounds; m++) {
        float mine = a[m * 256 + threadIdx.x]; s[threadIdx.x] = mine;
        //                                     ^^^^^^^^^^^^^^ warn[WC401] "while another thread reads `s[k]`"
        __syncthreads();
        for (int k = 0; k < 256; k++) sum += s[k];
    }
    c[blockIdx.x * 256 + threadIdx.x] = sum;
}

void run_overwrites(float *c, const float *a, int rounds) {
    overwrites_what_is_read<<<64, 256>>>(c, a, rounds);
}

// A barrier lies between, or the threads are lanes of one warp, or all of them store one value, or memory decides.

__global__ void ordered(int *a) {
    __shared__ int s[256];
    __shared__ int seen;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    int mine = a[i]; s[t] = mine, seen = 1;
    //               ^^^^ none[WC401]
    //                            ^^^^ hint[WC401] "Data race on `seen`, harmless as all store the same value: several threads of a block write here at the same time"
    __syncthreads();
    if (t < 255) a[i] = s[t + 1] + seen;
    __syncthreads();
    if (t < 32) s[t] += s[t + 32];
    //          ^^^^ hint[WC403]
    if (t < 16) s[t] += s[t + 16];
    //          ^^^^ none[WC401]
    a[i] = s[t];
}

void run_ordered(int *a) {
    ordered<<<64, 256>>>(a);
}

__global__ void counted(unsigned *bins, const unsigned char *data, int n) {
    __shared__ unsigned local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) local[data[i]]++;
    //         ^^^^^^^^^^^^^^ hint[WC201]
    //         ^^^^^^^^^^^^^^ hint[WC401] "Data race on `local` if memory holds the values for it: several threads of a block read and write here at the same time"
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

void run_counted(unsigned *bins, const unsigned char *data, int n) {
    counted<<<64, 256>>>(bins, data, n);
}
