// Kernels that only functions launch which nothing calls: their findings are hints, with the name of one such function.

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

__global__ void by_name(float *out, const float *in, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int x = 0; x < w; x++)
        out[row * w + x] = 2.0f * in[row * w + x];
//      ^^^^^^^^^^^^^^^^ warn[WC101]
}

__global__ void in_a_test(float *out, const float *in, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int x = 0; x < w; x++)
        out[row * w + x] = 2.0f * in[row * w + x];
//      ^^^^^^^^^^^^^^^^ warn[WC101]
}

__global__ void of_a_method(float *out, const float *in, int w, int h) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int x = 0; x < w; x++)
        out[row * w + x] = 2.0f * in[row * w + x];
//      ^^^^^^^^^^^^^^^^ warn[WC101]
}

void scale_old(float *out, const float *in, int w, int h);  // Declared is not called.

// Called by what nothing calls, and by itself.
void scale_old(float *out, const float *in, int w, int h) {
    old_columns<<<h / 128, 128>>>(out, in, w, h);
    if (h > 4096)
        scale_old(out, in, w, h - 4096);
}

void scale_all_old(float *out, const float *in, int w, int h) {
    scale_old(out, in, w, h);
}

namespace scaling {

void scale(float *out, const float *in, int w, int h) {
    columns<<<h / 128, 128>>>(out, in, w, h);
}

}  // namespace scaling

// Its address is taken: who calls it is not in view.
void scale_by_name(float *out, const float *in, int w, int h) {
    by_name<<<h / 128, 128>>>(out, in, w, h);
}

typedef void (*Way)(float *, const float *, int, int);
static Way ways[] = {scale_by_name};

// What macros make of it is called from elsewhere.
#define TEST(name) static struct Test_of { Test_of(); } name; Test_of::Test_of()

TEST(scales) {
    in_a_test<<<32, 128>>>(0, 0, 512, 4096);
}

struct Scaler {
    void scale(float *out, const float *in, int w, int h) { of_a_method<<<h / 128, 128>>>(out, in, w, h); }
};

int main() {
    float *out = 0, *in = 0;
    // scale_all_old(out, in, 512, 4096);
    scaling::scale(out, in, 512, 4096);
    ways[0](out, in, 512, 4096);
}
