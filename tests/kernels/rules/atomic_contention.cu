// Lanes of a warp that update one address wait for each other.

__global__ void sum(float *total, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(total, in[t]);
    //        ^^^^^ warn[WC202] "32 threads of each warp (256 of the block) update one address"
}
void run_sum(float *total, float *in, int n) { sum<<<n / 256, 256>>>(total, in); }

__global__ void rows(float *total, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&total[t / 8], in[t]);
    //         ^^^^^^^^^^^^ warn[WC202] "8 threads of each warp update"
}
void run_rows(float *total, float *in, int n) { rows<<<n / 256, 256>>>(total, in); }

__global__ void of_the_block(float *out, const float *in) {
    __shared__ float s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, in[blockIdx.x * blockDim.x + threadIdx.x]);
    //         ^ warn[WC202] "256 of the block"
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = s;
}
void run_of_the_block(float *out, float *in, int n) { of_the_block<<<n / 256, 256>>>(out, in); }

__global__ void few_bins(int *bins, const unsigned char *in) {
    __shared__ int s[8];
    if (threadIdx.x < 8) s[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 64; k++)
        atomicAdd(&s[in[(blockIdx.x * 64 + k) * 256 + threadIdx.x] & 7], 1);
    //             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC202] "about 6.6 threads of each warp (up to 32)"
    __syncthreads();
    if (threadIdx.x < 8) bins[blockIdx.x * 8 + threadIdx.x] = s[threadIdx.x];
}
void run_few_bins(int *bins, unsigned char *in, int n) { few_bins<<<n, 256>>>(bins, in); }

__global__ void degrees(int *degree, const int *to) {
    atomicAdd(&degree[to[blockIdx.x * blockDim.x + threadIdx.x]], 1);
    //         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]
}
void run_degrees(int *degree, int *to, int n) { degrees<<<n / 256, 256>>>(degree, to); }

__global__ void some_of_them(float *total, const float *in, const int *flag) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (flag[t]) atomicAdd(total, in[t]);
    //                     ^^^^^ info[WC202] "up to 32 threads"
}
void run_some(float *total, float *in, int *flag, int n) { some_of_them<<<n / 256, 256>>>(total, in, flag); }

// Quiet: one lane, one address for each lane, a counter that compilers update once for a warp, many words, and little beside a long loop.

__global__ void one_lane(float *total, const float *in) {
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(total, v);
    //                                   ^^^^^ none
}
void run_one_lane(float *total, float *in, int n) { one_lane<<<n / 256, 256>>>(total, in); }

__global__ void own_place(float *out, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&out[t], in[t]);
    //         ^^^^^^ none
}
void run_own_place(float *out, float *in, int n) { own_place<<<n / 256, 256>>>(out, in); }

__global__ void counter(int *count, const int *in) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] > 0) atomicAdd(count, 1);
    //                                                           ^^^^^ none
}
void run_counter(int *count, int *in, int n) { counter<<<n / 256, 256>>>(count, in); }

__global__ void many_bins(int *bins, const unsigned char *in) {
    __shared__ int s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[in[blockIdx.x * 256 + threadIdx.x]], 1);
    //         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201]
    __syncthreads();
    bins[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}
void run_many_bins(int *bins, unsigned char *in, int n) { many_bins<<<n, 256>>>(bins, in); }

__global__ void after_a_long_loop(float *total, const float *in) {
    float v = 0;
    for (int k = 0; k < 4096; k++) v += in[(blockIdx.x * 4096 + k) * 256 + threadIdx.x];
    atomicAdd(total, v);
    //        ^^^^^ none
}
void run_after(float *total, float *in) { after_a_long_loop<<<64, 256>>>(total, in); }

__global__ void first_of_a_ballot(float *total, const float *in, const int *flag) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    if (flag[t]) {
        unsigned here = __activemask();
        if (lane == __ffs(here) - 1) atomicAdd(total, in[t]);
        //                                     ^^^^^ none[WC202]
    }
}
void run_first(float *total, float *in, int *flag, int n) { first_of_a_ballot<<<n / 256, 256>>>(total, in, flag); }
