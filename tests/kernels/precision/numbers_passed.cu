// With the number that all launches pass, a distance that doubles in a loop and the lanes that are left belong together: the bounds have a case, and
// conflicts are told that nobody knows of without it.

__global__ void sums(float *out, const float *in, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x, apart = 1;
    s[t] = in[t];
    s[t + n / 2] = in[t + n / 2];
    for (int left = n / 2; left > 0; left /= 2) {
        __syncthreads();
        if (t < left)
            s[apart * (2 * t + 2) - 1] += s[apart * (2 * t + 1) - 1];
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "up to 16-way"
        apart *= 2;
    }
    __syncthreads();
    out[t] = s[t];
}
void one(float *o, const float *i) { sums<<<1, 256, 512 * sizeof(float)>>>(o, i, 512); }

// A word more after every 32 keeps the lanes apart: there is nothing to tell.
__device__ int at(int i) { return i + i / 32; }

__global__ void sums_apart(float *out, const float *in, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x, apart = 1;
    s[at(t)] = in[t];
    s[at(t + n / 2)] = in[t + n / 2];
    for (int left = n / 2; left > 0; left /= 2) {
        __syncthreads();
        if (t < left)
            s[at(apart * (2 * t + 2) - 1)] += s[at(apart * (2 * t + 1) - 1)];
//                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
        apart *= 2;
    }
    __syncthreads();
    out[t] = s[at(t)];
}
void two(float *o, const float *i) { sums_apart<<<1, 256, 528 * sizeof(float)>>>(o, i, 512); }

// Of two numbers none is all launches'.
__global__ void sums_of_any(float *out, const float *in, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x, apart = 1;
    s[at(t)] = in[t];
    for (int left = n / 2; left > 0; left /= 2) {
        __syncthreads();
        if (t < left)
            s[at(apart * (2 * t + 2) - 1)] += s[at(apart * (2 * t + 1) - 1)];
//                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ todo[WC201]
        apart *= 2;
    }
    __syncthreads();
    out[t] = s[at(t)];
}
void three(float *o, const float *i) {
    sums_of_any<<<1, 256, 528 * sizeof(float)>>>(o, i, 512);
    sums_of_any<<<1, 256, 528 * sizeof(float)>>>(o, i, 256);
}
