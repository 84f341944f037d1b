// Lanes that load from one address hold one value: what they address by it is one place.

// Four rows in a warp: four columns of the matrix, whatever is in memory.
//@ launch block=(8, 4, 8)
__global__ void by_row(float *out, const int *column, const float *weights, int n) {
    int row = blockIdx.x * 32 + threadIdx.y + 4 * threadIdx.z, c = column[row];
    out[row * n + threadIdx.x] = weights[c];
//                               ^^^^^^^^^^ access! worst=4
//                               ^^^^^^^^^^ none[WC101]
}

// Through another array too, and beside what the lanes add themselves: two runs of 16 words.
//@ launch block=(16, 16)
__global__ void blocks(float *out, const int *first, const int *order, const float *in) {
    int y = blockIdx.x * 16 + threadIdx.y, start = first[order[y]];
    out[16 * y + threadIdx.x] = in[start + threadIdx.x];
//                              ^^^^^^^^^^^^^^^^^^^^^^^ access! worst=6
//                              ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// In shared memory: two words, on one bank at worst.
//@ launch block=(16, 16)
__global__ void words(float *out, const int *at) {
    __shared__ float table[1024];
    int t = threadIdx.y * 16 + threadIdx.x, where = at[blockIdx.x * 16 + threadIdx.y];
    table[t] = out[t];
    __syncthreads();
    out[t] = table[where & 1023];
//           ^^^^^^^^^^^^^^^^^^^ access! worst=2
//           ^^^^^^^^^^^^^^^^^^^ hint[WC201] "up to 2-way bank conflict"
}

// What changed in between is another value, and lanes of an atomic wait for each other.
//@ launch block=(8, 32)
__global__ void queues(int *count, const int *bin) {
    int where = bin[blockIdx.x * 32 + threadIdx.y];
    atomicAdd(&count[where], 1);
//             ^^^^^^^^^^^^ access! worst=4
}
