// Halving a size goes on for as many rounds as its type has bits, at most: how many there are nobody can say, but it is not the most.
// PARAM: --block 256

__global__ void radix_four(float *out, int log2n) {
    extern __shared__ float data[];
    data[threadIdx.x] = out[threadIdx.x];
    for (int stride = 1 << log2n >> 2; stride > 0; stride >>= 2) {
        int low = threadIdx.x & (stride - 1);
        int at = (threadIdx.x - low) * 4 + low;
        __syncthreads();
        data[at] += 1.0f;
//      ^^^^^^^^ warn[WC201] "uns at most 15 times per warp"
    }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
}

// From a number that is known they are counted.
__global__ void of_a_number(float *out) {
    __shared__ float data[4096];
    data[threadIdx.x] = out[threadIdx.x];
    for (int stride = 1024; stride > 0; stride >>= 2) {
        __syncthreads();
        data[threadIdx.x * 8 + stride] += 1.0f;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "uns 6 times per warp"
    }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
}
