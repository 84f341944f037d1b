// A launch that a constant condition of the host leaves out still says how the kernel is meant to be launched.

__global__ void rows_of(const float *in, float *out, int width) {
    __shared__ float tile[2048];
    int i = threadIdx.y * width + threadIdx.x;
    tile[i] = in[blockIdx.x * 256 + i];
//  ^^^^^^^ none[WC201]
//               ^^^^^^^^^^^^^^^^^^^^ none[WC101]
    __syncthreads();
    out[8 * (blockIdx.x * 256 + i)] = tile[i];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "Assumes block 128x2. Every launch is left out by a constant condition"
}

// Where another launch is made, that one counts.
__global__ void both(const float *in, float *out, int width) {
    int i = threadIdx.y * width + threadIdx.x;
    out[i] = in[i];
//           ^^^^^ access! worst=5 ideal=4
}

void host(float *a, float *b) {
    bool periodic = false;
    int width = 128;
    dim3 block(width, 2);
    if (periodic) {
        rows_of<<<64, block>>>(a, b, width);
        both<<<64, dim3(2, width)>>>(a, b, width);
    } else
        both<<<64, block>>>(a, b, width);
}
