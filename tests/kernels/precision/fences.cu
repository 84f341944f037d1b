// A fence is where it stands: an element that is loaded three times before it is loaded once, and again behind it.

__global__ void delta(const unsigned long long *in, unsigned char *out, int *sums, int n) {
    __shared__ int counts[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long prev = 7, diff;
    if (in[i] >= prev)
        diff = in[i] - prev;
    else
        diff = prev - in[i];
    counts[threadIdx.x] = (int)diff;
    __threadfence_block();
    sums[8 * i] = counts[threadIdx.x];
//  ^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). 80% of this kernel's global traffic"
}

__global__ void again(const unsigned long long *in, int *sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long first = in[i];
    __threadfence();
    unsigned long long second = in[i];
    sums[8 * i] = (int)(first - second);
//  ^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). 67% of this kernel's global traffic"
}

// What is stored before a fence is stored, whatever is stored over it behind.
__global__ void announced(int *flags, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    flags[8 * i] = 1;
//  ^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). With 1 more access to `flags`: 89%"
    __threadfence();
    flags[8 * i] = 2;
//  ^^^^^^^^^^^^ access! worst=32 ideal=4
    out[i] = in[i];
}

// What nobody writes is loaded once, whatever stands between: a volatile access lets others in, and they do not write it either.
__global__ void colours(const int *__restrict__ start, const int *__restrict__ next, volatile unsigned char *state, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    unsigned char own = state[v];
    for (int i = start[v]; i < start[v + 1]; i++) {
//                         ^^^^^^^^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `start[v]`)"
        if (own > state[next[i]])
//                      ^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x). Each thread reads the rest of these sectors in its next iterations. Runs once per iteration of the loop at line 49. About 33"
            state[v] = 1;
        if (own == state[next[i]] && v > next[i])
            state[v] = 2;
    }
}

// An array of the name of a parameter is another one, and is written.
__device__ void exchanged(float v, float *out) {
    __shared__ float data[256 * 33];
    int t = threadIdx.x;
    data[33 * t] = v;
    __syncthreads();
    float a = data[33 * t];
    data[33 * t] = a + 1;
    __syncthreads();
    out[blockIdx.x * 256 + t] = a + data[33 * t];
}

__global__ void of_one_name(const float *__restrict__ data, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    exchanged(data[8 * i], out);
//            ^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). 89%"
}
