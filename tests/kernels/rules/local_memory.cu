// An index that nobody knows when the kernel is compiled keeps an array from registers.

__global__ void by_parameter(float *out, const float *in, int n, int s) {
    float a[8];
    //    ^ info[WC103] "32 bytes per thread"
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 8; i++) a[i] = in[t + i * n];
    out[t] = a[s & 7];
}
void run_by_parameter(float *out, float *in, int n, int s) { by_parameter<<<n / 256, 256>>>(out, in, n, s); }

__global__ void by_data(float *out, const float *in, const int *which, int n) {
    float a[8];
    //    ^ info[WC103] "depends on data"
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 8; i++) a[i] = in[t + i * n];
    out[t] = a[which[t] & 7];
}
void run_by_data(float *out, float *in, int *which, int n) { by_data<<<n / 256, 256>>>(out, in, which, n); }

__global__ void by_thread(float *out, const float *in, int n) {
    float a[4];
    //    ^ info[WC103] "not known when the kernel is compiled"
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 4; i++) a[i] = in[t + i * n];
    out[t] = a[threadIdx.x & 3];
}
void run_by_thread(float *out, float *in, int n) { by_thread<<<n / 256, 256>>>(out, in, n); }

__global__ void by_count(float *out, const float *in, int n, int m) {
    float a[16];
    //    ^ info[WC103] "counts the iterations of a loop that is not unrolled"
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < m; i++) {
        int j = i + 1;
        a[j] = in[t + i * n];
    }
    float v = 0;
    for (int i = 0; i < 16; i++) v += a[i];
    out[t] = v;
}
void run_by_count(float *out, float *in, int n, int m) { by_count<<<n / 256, 256>>>(out, in, n, m); }

__global__ void told_not_to(float *out, const float *in, int n) {
    float a[16];
    //    ^ info[WC103]
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 16; i++) a[i] = in[t + i * n];
    float v = 0;
    for (int i = 0; i < 16; i++) v += a[i];
    out[t] = v;
}
void run_told_not_to(float *out, float *in, int n) { told_not_to<<<n / 256, 256>>>(out, in, n); }

__device__ float pick(const float *row, int s) {
    float a[4];
    //    ^ info[WC103] "`a` lies in local memory (16 bytes per thread)"
    for (int i = 0; i < 4; i++) a[i] = row[32 * i] * 2;
    return a[s & 3];
}
__global__ void in_a_function(float *out, const float *in, int s) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = pick(in + t, s);
}
void run_in_a_function(float *out, float *in, int s) { in_a_function<<<64, 256>>>(out, in, s); }

__device__ float total(const float *a, int m) {
    float v = 0;
    for (int i = 0; i < m; i++) v += a[i];
    return v;
}
__global__ void through_a_pointer(float *out, const float *in, int n, int m) {
    float a[8];
    //    ^ info[WC103]
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 8; i++) a[i] = in[t + i * n];
    out[t] = total(a, m);
}
void run_through_a_pointer(float *out, float *in, int n, int m) { through_a_pointer<<<n / 256, 256>>>(out, in, n, m); }

__global__ void hardly_ever(float *out, const float *in, int n, int s) {
    float a[2];
    //    ^ hint[WC103]
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int i = 0; i < n; i++) v += in[t + i * 256];
    a[0] = v;
    a[1] = -v;
    out[t] = a[s & 1];
}
void run_hardly_ever(float *out, float *in, int n, int s) { hardly_ever<<<1, 256>>>(out, in, n, s); }

// Quiet: short loops are unrolled unasked, long ones by a pragma; tables of constants are kept once; one element has no index.

__global__ void short_loops(float *out, const float *in, int n) {
    float a[8];
    //    ^ none
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 8; i++) a[i] = in[t + i * n];
    float v = 0;
    for (int i = 7; i >= 0; i--) {
        int j = 7 - i;
        v += a[j];
    }
    out[t] = v;
}
void run_short_loops(float *out, float *in, int n) { short_loops<<<n / 256, 256>>>(out, in, n); }

__global__ void one_counter_for_all(float *out, const float *in, int n) {
    float a[8];
    //    ^ none
    int i, t = blockIdx.x * blockDim.x + threadIdx.x;
    for (i = 0; i < 8; i++) a[i] = in[t + i * n];
    float v = 0;
    for (i = 0; i < n; i++) v += in[t + i * n];
    out[t] = v + a[0] + a[7];
}
void run_one_counter(float *out, float *in, int n) { one_counter_for_all<<<n / 256, 256>>>(out, in, n); }

__global__ void constants(float *out, const float *in, int s) {
    const float table[4] = {1, 2, 4, 8};
    //          ^^^^^ none
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] * table[s & 3];
}
void run_constants(float *out, float *in, int s) { constants<<<64, 256>>>(out, in, s); }

__global__ void left_to_compilers(float *out, const float *in, int n) {
    float a[48];
    //    ^ hint[WC103] "a loop that may not be unrolled"
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 48; i++) {
        float x = in[t + i * n];
        x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3;
        x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3;
        x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3;
        x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3;
        x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3;
        x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3;
        x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3;
        x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3; x = x * x + 2 * x - 3;
        a[47 - i] = x;
    }
    float v = 0;
    for (int i = 0; i < 48; i++) v += a[i];
    out[t] = v;
}
void run_left(float *out, float *in, int n) { left_to_compilers<<<n / 256, 256>>>(out, in, n); }

__global__ void in_parts(float *out, const float *in, int n) {
    float a[16];
    //    ^ hint[WC103] "a loop that may not be unrolled"
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
    for (int i = 0; i < 16; i++) a[i] = in[t + i * n];
    float v = 0;
    for (int i = 0; i < 16; i++) v += a[i];
    out[t] = v;
}
void run_in_parts(float *out, float *in, int n) { in_parts<<<n / 256, 256>>>(out, in, n); }

// Quiet: few iterations are written out, whatever they do.

__global__ void few_and_long(float *out, const float *in, int n, int m) {
    float a[8];
    //    ^ none
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 8; i++) {
        float x = in[t + i * n];
        for (int j = 0; j < m; j++) x += in[t + j * n] * x / (x + 2);
        a[i] = x;
        __syncthreads();
    }
    float v = 0;
    for (int o = 0; o < sizeof(int4) / sizeof(long long); o++)
        for (int i = 0; i < 4; i++) {
            v += a[o * 4 + i];
            for (int j = 0; j < m; j++) v = v * in[t + j] / (v + in[t - j]);
        }
    out[t] = v;
}
void run_few(float *out, float *in, int n, int m) { few_and_long<<<n / 256, 256>>>(out, in, n, m); }
