// Sizes that a loop of the host halves from launch to launch: a few of many passes are at small ones.

// Ideal at each power of two from eight on.
__global__ void pass(float *out, const float *in, int stride) {
    int t = blockIdx.x * 256 + threadIdx.x;
    int low = t & (stride - 1);
    int first = ((t - low) << 2) + low;
    out[first] = in[first] + in[first + stride];
//  ^^^^^^^^^^ none[WC101]
//  ^^^^^^^^^^ access! worst=16 ideal=4
//               ^^^^^^^^^ none[WC101]
}

// Nobody says what it is.
__global__ void any(float *out, const float *in, int stride) {
    int t = blockIdx.x * 256 + threadIdx.x;
    int low = t & (stride - 1);
    int first = ((t - low) << 2) + low;
    out[first] = in[first] + in[first + stride];
//  ^^^^^^^^^^ info[WC101] "up to 16 sectors where 4 would do"
}

// Dear for all that it becomes.
__global__ void rows(float *out, const float *in, int stride) {
    int t = blockIdx.x * 256 + threadIdx.x;
    out[8 * t * stride] = in[t];
//  ^^^^^^^^^^^^^^^^^^^ warn[WC101] "32 sectors where 4 would do"
}

void host(float *a, float *b, int levels, int width) {
    for (int n = 1 << levels; levels > 11; levels -= 2, n >>= 2) {
        pass<<<1 << 12, 256>>>(a, b, n / 4);
        any<<<1 << 12, 256>>>(a, b, width);
    }
    for (int stride = 1; stride < width; stride *= 2)
        rows<<<1 << 12, 256>>>(a, b, stride);
}
