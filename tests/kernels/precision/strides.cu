// A size that nobody states decides on which banks lanes meet: what is told and weighed is the mean over its residues, since odd strides
// never conflict and one in 32 makes all lanes meet.
//@ launch block=(256)
__global__ void columns(float *out, int n) {
    extern __shared__ float s[];
    int i = threadIdx.x;
    s[i * n] = out[i];
//  ^^^^^^^^ warn[WC201] "up to 32-way, each request takes 32 wavefronts where 1 would do (32x). 3.5 on average over `n`. 78% of this kernel's shared-memory traffic"
//  ^^^^^^^^ access! worst=32 best=1 ideal=1
    __syncthreads();
    out[i] = s[i];
}

// Even ones only.
//@ launch block=(256)
__global__ void pairs(float *out, int n) {
    extern __shared__ float s[];
    int i = threadIdx.x;
    s[2 * i * n] = out[i];
//  ^^^^^^^^^^^^ warn[WC201] "6.0 on average over `n`. 86%"
    __syncthreads();
    out[i] = s[i];
}

//@ launch block=(256)
//@ assume n % 4 == 2
__global__ void half_known(float *out, int n) {
    extern __shared__ float s[];
    int i = threadIdx.x;
    s[i * n] = out[i];
//  ^^^^^^^^ info[WC201] "2-way, each request takes 2 wavefronts where 1 would do (2x)"
    __syncthreads();
    out[i] = s[i];
}

//@ launch block=(256)
//@ assume n % 2 == 0
__global__ void even(float *out, int n) {
    extern __shared__ float s[];
    int i = threadIdx.x;
    s[i * n] = out[i];
//  ^^^^^^^^ warn[WC201] "up to 32-way, each request takes 32 wavefronts where 1 would do (32x). 6.0 on average over `n`"
    __syncthreads();
    out[i] = s[i];
}

// Rows that are padded against just that.
//@ launch block=(256)
__global__ void padded(float *out, int n) {
    extern __shared__ float s[];
    int i = threadIdx.x;
    s[i * (n + 1)] = out[i];
//  ^^^^^^^^^^^^^^ none[WC201]
//  ^^^^^^^^^^^^^^ access! worst=32 best=1 ideal=1
    __syncthreads();
    out[i] = s[i];
}

// Beside other accesses the mean is less than a tenth of the wavefronts.
//@ launch block=(256)
__global__ void among_others(float *out, int n) {
    extern __shared__ float s[];
    int i = threadIdx.x;
    s[i * n] = out[i];
//  ^^^^^^^^ none[WC201]
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += s[i + 32 * k];
    out[i] = sum;
}

// Where nearly all sizes cost the same, the mean says nothing more.
//@ launch block=(16, 16)
__global__ void nearly_all(float *out, int n) {
    extern __shared__ float s[];
    int i = threadIdx.y * 16 + threadIdx.x;
    s[threadIdx.y * n + threadIdx.x] = out[i];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201] "up to 2-way, each request takes 2 wavefronts where 1 would do (2x). 1 when n % 32 == 16"
    __syncthreads();
    out[i] = s[i];
}

// Rows that begin where the block's record says, in steps of the block: the lanes leave at two neighbouring rounds.
struct Range { unsigned first, last, order; int parent; };
__global__ void sums(const Range *ranges, const float *in, float *out) {
    Range range = ranges[blockIdx.x];
    float sum = 0;
    for (unsigned i = range.first + threadIdx.x; i < range.last; i += 256)
//                                               ^^^^^^^^^^^^^^ none[WC302]
//                                               ^^^^^^^^^^^^^^ branch! divergence=possible
        sum += in[i] * in[i];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Some begin a step further on: two rows, each of records side by side.
__global__ void upwards(const int *bottom, const float4 *in, float *out, int n) {
    int first = *bottom, step = blockDim.x * gridDim.x;
    int k = (first & -32) + threadIdx.x + blockIdx.x * blockDim.x;
    if (k < first) k += step;
    while (k <= n) {
//         ^^^^^^ none[WC302]
        out[k] = in[k].w * 2;
//               ^^^^^^^ warn[WC101] "up to 17 sectors where 4 would do"
//               ^^^^^^^ access! worst=32
        k += step;
    }
}

// Others one that is not that of the loop: `k` may be anywhere.
__global__ void elsewhere(const int *bottom, const int *step, const float *in, float *out, int n) {
    int first = *bottom, i = threadIdx.x + blockIdx.x * blockDim.x, k = first + i;
    if (step[i] > 0) k += step[i];
    while (k <= n) {
//         ^^^^^^ info[WC302]
        out[i] += in[k];
//                ^^^^^ hint[WC101]
        k += 256 * gridDim.x;
    }
}

void run(const int *b, const int *s, const float4 *f, const float *i, float *o, int n) {
    upwards<<<100, 256>>>(b, f, o, n);
    elsewhere<<<100, 256>>>(b, s, i, o, n);
}
