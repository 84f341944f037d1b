// Copying with a stride, with an offset, and by kind of row.

__global__ void copy_strided(float *out, const float *in, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride];
}

__global__ void copy_shifted(float *out, const float *in, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + offset];
}

// Odd and even lanes go different ways, and both have work to do.
__global__ void copy_either(float *out, const float *even, const float *odd, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i % 2 == 0)
        out[i] = even[i] * 2.0f;
    else
        out[i] = odd[n - i];
}

void copy(float *out, const float *in, const float *other, int n) {
    copy_strided<<<n / 256, 256>>>(out, in, 4);
    copy_shifted<<<n / 256, 256>>>(out, in, 1);
    copy_either<<<(n + 255) / 256, 256>>>(out, in, other, n);
}
