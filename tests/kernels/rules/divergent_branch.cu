// Which branches are worth a line, and which are not.

__global__ void both_sides(float *s_out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    if (t & 1) {
    //  ^^^^^ info[WC301]! "the warp splits, 16 of 32 threads active"
        s[t] = 1.0f;
    } else {
        s[255 - t] = 2.0f;
    }
    __syncthreads();
    s_out[blockIdx.x * 256 + t] = s[t];
}

__global__ void boundary(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
    //  ^^^^^ none
        a[i] = a[i] + 1.0f;
    }
}

__global__ void early_return(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    //  ^^^^^^ none
    a[i] = 1.0f;
}

__global__ void by_warps(float *s_out) {
    int t = threadIdx.x;
    if (t / 32 % 2 == 0)
    //  ^^^^^^^^^^^^^^^ none
        s_out[t] = 1.0f;
    else
        s_out[t + 256] = 2.0f;
}

__global__ void predicated(float *a) {
    int t = threadIdx.x;
    float x = a[t];
    if (t & 1) x = -x;
    //  ^^^^^ none
    a[t] = x;
}

__global__ void one_thread_writes(float *out, const float *in) {
    __shared__ float s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
    //  ^^^^^^^^^^^^^^^^ none
}

__global__ void interleaved_reduction(float *out, const float *in) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (t % (2 * step) == 0) s[t] += s[t + step];
        //  ^^^^^^^^^^^^^^^^^^^ info[WC301]! "uns 8 times per warp"
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void halving_reduction(float *out, const float *in) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (t < step) s[t] += s[t + step];
        //  ^^^^^^^^ none
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void warp_leaders(float *out, const float *in) {
    __shared__ float s[8];
    for (int round = 0; round < 8; round++) {
        if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = in[threadIdx.x + round];
        //  ^^^^^^^^^^^^^^^^^^^^^ none
    }
    out[threadIdx.x] = s[threadIdx.x % 8];
}

__global__ void first_of_four(float *out, const float *in) {
    // A store by some lanes is predicated; a sum by some lanes is not.
    float x = in[threadIdx.x];
    if (threadIdx.x % 4 == 0) out[threadIdx.x / 4] = x;
    //  ^^^^^^^^^^^^^^^^^^^^ none[WC301]
    if (threadIdx.x % 4 == 1) out[threadIdx.x] += in[threadIdx.x + 1];
    //  ^^^^^^^^^^^^^^^^^^^^ warn[WC301]! "8 of 32 threads active"
    // The lanes of each side stand side by side in memory: the gaps between them are the branch's.
    //                        ^^^^^^^^^^^^^^^^ none[WC101]
}

__global__ void message(char *out, int depth) {
    // One lane puts a text together, in memory of its own: nothing to share out.
    if (threadIdx.x == 0) {
        //  ^^^^^^^^^^^^^^^^ none[WC301]
        char text[32];
        for (int i = 0; i < depth; i++) text[i] = '|';
        printf("%s", text);
    }
}

__global__ void serial(float *out, const float *in, int n) {
    out[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0) {
    //  ^^^^^^^^^^^^^^^^ info[WC301]! "the warp splits, 1 of 32 threads active"
        float sum = 0.0f;
        for (int i = 0; i < n; i++) sum += in[i];
        out[256] = sum;
    }
}

__global__ void serial_in_the_grid(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
    //  ^^^^^^ info[WC301]! "the warp may split, 1 of 32 threads active"
        for (int k = 1; k < n; k++) out[k] = out[k - 1] + in[k];
    }
}

__global__ void two_dimensional_guard(float *out, const float *in, int w, int h) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h) {
    //  ^^^^^^^^^^^^^^ none
        out[y * w + x] = in[y * w + x] + 1.0f;
    }
}

__global__ void by_data(float *a, const int *flags) {
    int t = threadIdx.x;
    if (flags[t])
    //  ^^^^^^^^ info[WC301]! "the warp may split (depends on data"
        for (int k = 0; k < 8; k++) a[t] = a[t] * 2.0f;
}

__global__ void clamped(float *a) {
    // A store on each side that memory decides between: the compiler selects the value, or predicates the stores.
    float x = a[threadIdx.x];
    if (x < 0.0f) a[threadIdx.x] = 0.0f;
    //  ^^^^^^^^ none
    else if (x > 1.0f) a[threadIdx.x] = 1.0f;
    //       ^^^^^^^^ none
    else a[threadIdx.x] = x * x;
}

__global__ void gathered_or_not(float *a, const int *next) {
    int n = next[threadIdx.x];
    if (n >= 0) {
    //  ^^^^^^ hint[WC301]! "the warp may split (depends on data"
        a[threadIdx.x] = a[threadIdx.x + 512] * 2.0f;
    } else {
        a[threadIdx.x] = a[threadIdx.x] + a[threadIdx.x + 256];
    }
}

// A macro of several statements in its wrapping is no loop.
#define STEP(x) do { x = x * 2.0f; x = x + 1.0f; } while (0)

__global__ void wrapped(float *a, const int *flags) {
    float x = a[threadIdx.x];
    if (flags[threadIdx.x] > 0) STEP(x);
    //  ^^^^^^^^^^^^^^^^^^^^^^ none
    a[threadIdx.x] = x;
}

// To go on elsewhere is no work on this side; what is there stands there.
__global__ void leaves(float *a, const int *flags, int n) {
    float x = 0.0f;
    for (int k = 0; k < n; k++) {
    //              ^^^^^ info[WC302]
        if (flags[threadIdx.x + 256 * k] < 0) {
        //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none
            goto found;
        //  ^^^^^^^^^^^ info[WC900]
        } else {
            x += a[threadIdx.x + 256 * k];
        }
    }
    x = -x;
found:
    a[threadIdx.x] = x;
}

void run(float *a, const float *in, const int *flags, int n) {
    both_sides<<<4, 256>>>(a, n);
    boundary<<<(n + 255) / 256, 256>>>(a, n);
    early_return<<<(n + 255) / 256, 256>>>(a, n);
    by_warps<<<1, 256>>>(a);
    predicated<<<1, 256>>>(a);
    one_thread_writes<<<1, 256>>>(a, in);
    interleaved_reduction<<<1, 256>>>(a, in);
    halving_reduction<<<1, 256>>>(a, in);
    warp_leaders<<<1, 256>>>(a, in);
    first_of_four<<<1, 256>>>(a, in);
    message<<<1, 256>>>((char *)a, n);
    serial<<<1, 256>>>(a, in, n);
    serial_in_the_grid<<<8, 256>>>(a, in, n);
    two_dimensional_guard<<<dim3(8, 8), dim3(16, 16)>>>(a, in, n, n);
    by_data<<<1, 256>>>(a, flags);
    clamped<<<1, 256>>>(a);
    gathered_or_not<<<1, 256>>>(a, flags);
    wrapped<<<1, 256>>>(a, flags);
    leaves<<<1, 256>>>(a, flags, n);
}

// Not all of these kernels wait where they should.
