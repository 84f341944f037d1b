// Columns, padding, broadcasts and strides of shared memory.

__global__ void tiles(float *out, const float *in) {
    __shared__ float plain[32][32];
    __shared__ float padded[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    plain[y][x] = in[y * 32 + x];
    //^^^^^^^^^ none
    padded[y][x] = in[y * 32 + x];
    __syncthreads();
    float a = plain[x][y];
    //        ^^^^^^^^^^^ warn[WC201]! "32-way bank conflict: 32 wavefronts per request, ideal 1 (32.0x)"
    float b = padded[x][y];
    //        ^^^^^^^^^^^^ none[WC201]
    float c = plain[y][0];
    //        ^^^^^^^^^^^ none[WC201]
    out[y * 32 + x] = a + b + c;
}

__global__ void doubles(double *out, const double *in) {
    __shared__ double s[256];
    s[threadIdx.x] = in[threadIdx.x];
    // ^^^^^^^^^^^ none
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + s[0];
}

__global__ void histogram(int *out, const unsigned char *in) {
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x]], 1);
    //         ^^^^^^^^^^^^^^^^^^^^^ hint[WC201]! "up to"
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void two_rows_of_vectors(float *out, const float4 *in) {
    // 16 rows, each read by two lanes: 4 wavefronts, as for every warp of float4, though merging might have saved two.
    __shared__ float4 s[16 * 33];
    s[threadIdx.y * 33 + threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    float4 v = s[threadIdx.x * 33];
    //         ^^^^^^^^^^^^^^^^^^^ none
    out[threadIdx.y * 16 + threadIdx.x] = v.x;
}

void run(float *out, const float *in, double *dout, const double *din, int *iout, const unsigned char *iin) {
    tiles<<<1, dim3(32, 32)>>>(out, in);
    doubles<<<1, 256>>>(dout, din);
    histogram<<<1, 256>>>(iout, iin);
    two_rows_of_vectors<<<1, dim3(16, 16)>>>(out, (const float4 *)in);
}
