// Excess from alignment alone: information where it is certain, silent where sizes decide.

__global__ void rows(float *out, const float *in, int width) {
    out[threadIdx.x] = in[blockIdx.x * width + threadIdx.x];
    //                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC102]
}

__global__ void shifted(float *out, const float *in, int offset) {
    out[threadIdx.x] = in[offset + threadIdx.x];
    //                 ^^^^^^^^^^^^^^^^^^^^^^^^ none[WC102]
}

__global__ void next(float *out, const float *in) {
    out[threadIdx.x] = in[threadIdx.x + 1];
    //                 ^^^^^^^^^^^^^^^^^^^ info[WC102]! "5 sectors where 4 would do (1.25x)"
}

__global__ void aligned(float *out, const float *in) {
    out[threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    //                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none
}

void run(int n) {
    float *out, *in;
    cudaMalloc(&out, 65536);
    cudaMalloc(&in, 65536);
    rows<<<8, 256>>>(out, in, n);
    shifted<<<8, 256>>>(out, in, n);
    next<<<8, 256>>>(out, in);
    aligned<<<1, dim3(32, 8)>>>(out, in);
}
