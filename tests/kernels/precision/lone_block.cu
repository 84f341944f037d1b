// One block, of which nobody knows how many threads it has: it may be as large as blocks are, and no `main` in view launches it.

// A block of which the size is known, as examples have it.
__global__ void last_sum(const float *in, float *out) {
    extern __shared__ float sums[];
    sums[2 * threadIdx.x] = in[8 * threadIdx.x];
//  ^^^^^^^^^^^^^^^^^^^^^ info[WC201]!
//                          ^^^^^^^^^^^^^^^^^^^ warn[WC101]!
    __syncthreads();
    out[threadIdx.x] = sums[2 * threadIdx.x + 1];
}

__global__ void of_any_size(const float *in, float *out) {
    out[threadIdx.x] = in[8 * threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^ info[WC101]
//                     ^^^^^^^^^^^^^^^^^^^ access! worst=32 ideal=4
}

// What goes on for long costs time in one block, too.
__global__ void all_in_one(const float *in, float *out, int rows) {
    float sum = 0;
    for (int r = 0; r < rows; r++)
        sum += in[8 * (r * blockDim.x + threadIdx.x)];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
    out[threadIdx.x] = sum;
}

// Another launch is of many blocks.
__global__ void of_many(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[8 * i];
//           ^^^^^^^^^ warn[WC101]!
}

void example(float *a, float *b) {
    last_sum<<<1, 64, 512>>>(a, b);
}

void host(float *a, float *b, int n) {
    of_any_size<<<dim3(1), n / 2>>>(a, b);
    all_in_one<<<1, n / 2>>>(a, b, n);
    of_many<<<1, n / 2>>>(a, b);
    of_many<<<n, n / 2>>>(a, b);
}
