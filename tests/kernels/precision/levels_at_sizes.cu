// Levels of a tree in which an index is cut to a power of two that launches pass: what is derived from the step is known in each round.

__global__ void eliminated(float *out, const float *in, const int n, const int rounds) {
    extern __shared__ float shared[];
    int t = threadIdx.x, half = n >> 1, busy = half, step = 1;
    float *a = shared, *b = shared + n;
    a[t] = in[t + blockIdx.x * n];
    a[t + half] = in[t + half + blockIdx.x * n];
    b[t] = a[t];
    b[t + half] = a[t + half];
    for (int j = 0; j < rounds; j++) {
        __syncthreads();
        step <<= 1;
        int delta = step >> 1;
        if (t < busy) {
            int i = step * t + step - 1;
            int right = (i + delta) & (n - 1);
            b[i] = b[i] - a[right] * b[i - delta];
//                        ^^^^^^^^ access! worst=32 ideal=1
//          ^^^^ warn[WC201] "up to 4-way, each request takes 2.9 wavefronts on average where 1 would do (2.9x)"
        }
        busy >>= 1;
    }
    __syncthreads();
    out[t + blockIdx.x * n] = b[t];
    out[t + half + blockIdx.x * n] = b[t + half];
}

// Of the launched size the step of each round is left.
__global__ void divided(float *out, const float *in, const int w, const int size, const int rounds) {
    extern __shared__ float shared[];
    int t = threadIdx.x, busy = size >> 1, step = 1;
    shared[t] = in[t + blockIdx.x * size];
    shared[t + busy] = in[t + busy + blockIdx.x * size];
    for (int j = 0; j < rounds; j++) {
        __syncthreads();
        step <<= 1;
        if (t < busy)
            shared[(step * t + step - 1) / w] *= 2;
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "2.9 wavefronts on average where 1 would do (2.9x)" "w = 1"
        busy >>= 1;
    }
    __syncthreads();
    out[t + blockIdx.x * size] = shared[t];
}

void run(float *out, const float *in, int blocks, int rounds) {
    divided<<<blocks, 64, 512>>>(out, in, 1, 128, rounds);
    eliminated<<<blocks, 64, 1024>>>(out, in, 128, rounds);
}
