// Kernels whose only callers are left out by conditionals as the file is written: hints.  What a macro of the command line may bring back is not.

#define USE_TILES 1

__global__ void old_columns(float *out, const float *in, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int x = 0; x < w; x++)
        out[row * w + x] = 2.0f * in[row * w + x];
//      ^^^^^^^^^^^^^^^^ hint[WC101] "aunched by scale_old, which nothing calls"
}

__global__ void columns(float *out, const float *in, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int x = 0; x < w; x++)
        out[row * w + x] = 2.0f * in[row * w + x];
//      ^^^^^^^^^^^^^^^^ warn[WC101]
}

__global__ void checked(float *out, const float *in, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int x = 0; x < w; x++)
        out[row * w + x] = 2.0f * in[row * w + x];
//      ^^^^^^^^^^^^^^^^ warn[WC101]
}

void scale_old(float *out, const float *in, int w, int h) {
    old_columns<<<h / 128, 128>>>(out, in, w, h);
}

void scale(float *out, const float *in, int w, int h) {
    columns<<<h / 128, 128>>>(out, in, w, h);
}

void scale_checked(float *out, const float *in, int w, int h) {
    checked<<<h / 128, 128>>>(out, in, w, h);
}

int main() {
    float *out = 0, *in = 0;
#if USE_TILES
    scale(out, in, 512, 4096);
#else
    scale_old(out, in, 512, 4096);
#endif
#ifdef CHECKED  // -DCHECKED
    scale_checked(out, in, 512, 4096);
#endif
}
