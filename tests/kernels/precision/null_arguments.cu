// What stands below a test of a pointer that the launch passes as null never runs there.

__device__ float of_row(const float *scale, int i) {
    return scale ? scale[8 * i] : 1.0f;
//                 ^^^^^^^^^^^^ none[WC101]
//                 ^^^^^^^^^^^^ access! worst=32 ideal=4
}

__global__ void classify(float *out, float *probs, const float *scale, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    bool asked = probs != NULL;
    if (asked && n > 3)
        probs[8 * i] = 1;
//      ^^^^^^^^^^^^ none[WC101]
//      ^^^^^^^^^^^^ access! worst=32 ideal=4
    if (!probs)
        out[8 * i] = in[i] * of_row(scale, i);
//      ^^^^^^^^^^ warn[WC101]! "89% of this kernel's global traffic"
}

// A default argument is passed, too.
__global__ void optional(float *out, float *best = nullptr) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (best)
        best[8 * i] = 1;
//      ^^^^^^^^^^^ none[WC101]
    out[8 * i] = 2;
//  ^^^^^^^^^^ warn[WC101]! "100% of this kernel's global traffic"
}

// One launch of two passes something, with the same block, or another one.
__global__ void either(float *out, float *best) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (best != nullptr)
        best[8 * i] = 1;
//      ^^^^^^^^^^^ warn[WC101]!
    out[i] = 2;
}

__global__ void one_of_two(float *out, float *best) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (best != nullptr)
        best[8 * i] = 1;
//      ^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). 89%"
    out[i] = 2;
}

// A pointer that the kernel itself sets is another one.
__global__ void chosen(float *out, float *best) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (best == nullptr)
        best = out + 1;
    if (best != nullptr)
        best[8 * i] = 1;
//      ^^^^^^^^^^^ warn[WC101]!
}

void host(float *a, float *b, int n) {
    classify<<<n / 256, 256>>>(a, (float *)NULL, 0, b, n);
    optional<<<n / 256, 256>>>(a);
    either<<<n / 256, 256>>>(a, nullptr);
    either<<<n / 256, 256>>>(a, b);
    one_of_two<<<n / 256, 256>>>(a, nullptr);
    one_of_two<<<n / 128, 128>>>(a, b);
    chosen<<<n / 256, 256>>>(a, nullptr);
}
