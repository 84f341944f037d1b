// Elements that threads of a block load from global memory again and again.

__global__ void product(float *c, const float *a, const float *b, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float v = 0;
    for (int k = 0; k < n; k++)
        v += a[y * n + k] * b[k * n + x];
        //   ^^^^^^^^^^^^ info[WC105]
    c[y * n + x] = v;
}
void run_product(float *c, float *a, float *b, int n) { product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(c, a, b, n); }

__global__ void filter(float *out, const float *in, const float *weights) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = 0; k < 64; k++)
        v += in[t + k] * weights[k];
        //               ^^^^^^^^^^ info[WC104]
        //   ^^^^^^^^^ info[WC105]
    out[t] = v;
}
void run_filter(float *out, float *in, float *w, int n) { filter<<<n / 256, 256>>>(out, in, w); }

__global__ void all_pairs(float *out, const float4 *body, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = threadIdx.y; k < n; k += 8) v += body[k].x;
    //                                            ^^^^^^^^^ info[WC105]
    out[t] = v;
}
void run_all_pairs(float *out, float4 *body, int n) { all_pairs<<<n / 32, dim3(32, 8)>>>(out, body, n); }

// Quiet: one element for all threads, each element once, a few times, once in all, in an array that is written, or shared already.

__global__ void scalar(float *out, const float *w, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = 0; k < n; k++) v += w[k];
    out[t] = v;
}
void run_scalar(float *out, float *w, int n) { scalar<<<n / 256, 256>>>(out, w, n); }

__global__ void once(float *out, const float *in, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = 0; k < n; k++) v += in[k * 65536 + t];
    out[t] = v;
}
void run_once(float *out, float *in, int n) { once<<<256, 256>>>(out, in, n); }

__global__ void twice(float *out, const float *in, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = 0; k < n; k++) v += in[k * 65536 + t / 2];
    out[t] = v;
}
void run_twice(float *out, float *in, int n) { twice<<<256, 256>>>(out, in, n); }

__global__ void no_loop(float *out, const float *in, int n) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x / 32 + n];
}
void run_no_loop(float *out, float *in, int n) { no_loop<<<n / 256, 256>>>(out, in, n); }

__global__ void written(float *c, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    float v = 0;
    for (int k = 0; k < n; k++) v += c[y * n + k];
    c[y * n + x + n * n] = v;
}
void run_written(float *c, int n) { written<<<1, dim3(16, 16)>>>(c, n); }
