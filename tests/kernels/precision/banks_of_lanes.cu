// What memory adds to an index in shared memory is a multiple of some words, so the bank modulo that is the lane's own.
// PARAM: --block 64

// A histogram of its own for each 16 threads: lanes t and t + 16 may meet, no others.
__global__ void columns(const int *data, int *out) {
    __shared__ int counts[64 * 16];
    int bin = data[blockIdx.x * 64 + threadIdx.x] & 63;
    counts[threadIdx.x % 16 + 16 * bin] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=2
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "up to 2-way"
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = counts[threadIdx.x % 8 + 8 * bin];
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 4) where 1 would do"
}

// Elements of 8 bytes: half a warp at a time, in which four lanes have each place.
__global__ void pairs(const int *data, double *out) {
    __shared__ double sums[64 * 4];
    int bin = data[blockIdx.x * 64 + threadIdx.x] & 63;
    out[blockIdx.x * 64 + threadIdx.x] = sums[threadIdx.x % 4 + 4 * bin];
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=8
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 8) where 2 would do"
}

// Bytes: four lanes share a word's place, and pick four words of its bank.
__global__ void bytes(const int *data, unsigned char *out) {
    __shared__ unsigned char counts[64 * 64];
    int bin = data[blockIdx.x * 64 + threadIdx.x] & 63;
    out[blockIdx.x * 64 + threadIdx.x] = counts[threadIdx.x + 64 * bin];
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 4) where 1 would do"
}

// Any word: any bank.
__global__ void anywhere(const int *data, int *out) {
    __shared__ int counts[1024 + 64];
    int bin = data[blockIdx.x * 64 + threadIdx.x] & 1023;
    out[blockIdx.x * 64 + threadIdx.x] = counts[threadIdx.x + bin];
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32
//                                       ^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "about 3.4 wavefronts"
}
