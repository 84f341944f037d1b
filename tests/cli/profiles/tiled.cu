// Measured by nobody: what tests of exports are about.
__global__ void transpose(float *out, const float *in, int w, int h) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    out[x * h + y] = tile[threadIdx.x][threadIdx.y];
}
template <int N, typename T>
__global__ void scale(T *out, const T *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = N * in[i];
}
__global__ void gather(float *out, const float *in, const int *idx) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[idx[i]];
}
void launch(float *out, const float *in, const int *idx) {
    transpose<<<dim3(32, 32), dim3(32, 32)>>>(out, in, 1024, 1024);
    scale<2, float><<<16, 256>>>(out, in, 4096);
    scale<3, float><<<16, 256>>>(out, in, 4096);
    gather<<<16, 256>>>(out, in, idx);
}
