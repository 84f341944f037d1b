// Neighbouring elements of a thread that are moved one by one, though one request could move them.

__global__ void four(float *out, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[4 * t] = in[4 * t] * 2;
  //^^^^^^^^^^ hint[WC104]
  //^^^^^^^^^^ info[WC101]
    out[4 * t + 1] = in[4 * t + 1] * 2;
    out[4 * t + 2] = in[4 * t + 2] * 2;
    out[4 * t + 3] = in[4 * t + 3] * 2;
}
void run_four(float *out, float *in, int n) { four<<<n / 256, 256>>>(out, in); }

__global__ void unrolled(float *out, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) v += in[8 * t + k];
    //                               ^^^^^^^^^^^^^ hint[WC104]
    out[t] = v;
}
void run_unrolled(float *out, float *in, int n) { unrolled<<<n / 256, 256>>>(out, in); }

__global__ void pairs(double *out, const double *in, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[2 * t + n] + in[2 * t + 1 + n];
    //       ^^^^^^^^^^^^^ hint[WC104]
}
void run_pairs(double *out, double *in, int n) { pairs<<<n / 256, 256>>>(out, in, n); }

__global__ void bytes(unsigned char *out, const unsigned char *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 16; k++) out[16 * t + k] = 255 - in[16 * t + k];
    //                           ^^^^^^^^^^^^^^^ hint[WC104]
    //                           ^^^^^^^^^^^^^^^ info[WC101]
}
void run_bytes(unsigned char *out, unsigned char *in, int n) { bytes<<<n / 256, 256>>>(out, in); }

// Quiet: neighbours that begin anywhere, rounds that are no piece of code, elements of which stores come between, one request already.

__global__ void stencil(float *out, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t] + in[t + 1] + in[t + 2];
}
void run_stencil(float *out, float *in, int n) { stencil<<<n / 256, 256>>>(out, in); }

__global__ void three(float *out, const float *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[3 * t] + in[3 * t + 1] + in[3 * t + 2];
}
void run_three(float *out, float *in, int n) { three<<<n / 256, 256>>>(out, in); }

__global__ void rolled(float *out, const float *in, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = 0; k < n; k++) v += in[t + 256 * k];
    out[t] = v;
}
void run_rolled(float *out, float *in, int n) { rolled<<<n / 256, 256>>>(out, in, n); }

__global__ void in_turns(float *a) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    a[4 * t] = a[4 * t + 1];
  //^^^^^^^^ warn[WC101]
    a[4 * t + 2] = a[4 * t + 3];
}
void run_in_turns(float *a, int n) { in_turns<<<n / 256, 256>>>(a); }

__global__ void wide(float4 *out, const float4 *in) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = in[t];
}
void run_wide(float4 *out, float4 *in, int n) { wide<<<n / 256, 256>>>(out, in); }

__global__ void by_data(float *out, const float *in, const int *at) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int k = at[t];
    out[t] = in[k] + in[k + 1] + in[k + 2] + in[k + 3];
    //       ^^^^^ hint[WC101]
}
void run_by_data(float *out, float *in, int *at, int n) { by_data<<<n / 256, 256>>>(out, in, at); }
