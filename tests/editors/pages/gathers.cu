// Accesses whose lanes nobody can place before the kernel runs, beside some that are known.

__constant__ float weights[64];

__global__ void gather(float *out, const float *in, const int *idx, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[idx[i]];
}

//@ launch block=(256)
__global__ void histogram(int *bins, const unsigned char *data) {
    __shared__ int part[256];
    part[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&part[data[threadIdx.x]], 1);
    __syncthreads();
    bins[threadIdx.x] = part[threadIdx.x];
}

__global__ void few(float *a, const int *idx) {
    if (threadIdx.x < 8) a[idx[threadIdx.x]] = weights[idx[threadIdx.x] & 63];
    a[idx[threadIdx.x] & 7] = weights[0];
}

__global__ void wide(float3 *a, const int *idx, float *out) {
    out[threadIdx.x] = a[idx[threadIdx.x]].x;
}
