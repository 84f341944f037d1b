// Kernels that the host launches only to verify something, as the names of functions and flags say.

struct Point { float x, y; };

__global__ void sums_one_by_one(float *out, const float *in, int w) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int x = 0; x < w; x++)
        sum += in[row * w + x];
//             ^^^^^^^^^^^^^^^ hint[WC101] "Launched only to verify (`referenceSums`)"
    out[row] = sum;
}

__global__ void heights(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].x;
//           ^^^^^^^ warn[WC101]
}

__global__ void heights_of_test(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].y;
//           ^^^^^^^ hint[WC101] "Launched only to verify (`autoTest`)"
}

__global__ void compared(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] -= in[i].y;
//            ^^^^^^^ hint[WC101] "Launched only to verify (`do_verify`)"
}

// Also where nothing is verified.
__global__ void of_both(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2.0f * in[i].x;
//                  ^^^^^^^ warn[WC101]
}

// A number that chooses one of several tests is what the program is about, and so is a function that runs one.
__global__ void third_test(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].x;
//           ^^^^^^^ warn[WC101]
}

__global__ void tested(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].x;
//           ^^^^^^^ warn[WC101]
}

// What is done where nothing is verified.
__global__ void unverified(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].x;
//           ^^^^^^^ warn[WC101]
}

__global__ void not_verified(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].x;
//           ^^^^^^^ warn[WC101]
}

// Words inside of others, and the golden section.
__global__ void dereferenced(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].x;
//           ^^^^^^^ warn[WC101]
}

__global__ void searched(float *out, const Point *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i].x;
//           ^^^^^^^ warn[WC101]
}

struct Options { int do_verify, skipCheck; };

void referenceSums(float *out, const float *in, int w, int h) { sums_one_by_one<<<h / 256, 256>>>(out, in, w); }

void update(float *out, const Point *in, bool autoTest) {
    if (autoTest)
        heights_of_test<<<64, 256>>>(out, in);
    else
        heights<<<64, 256>>>(out, in);
}

void runTest(float *out, const Point *in, Options options, int test) {
    tested<<<64, 256>>>(out, in);
    if (options.do_verify != 0 && out) {
        compared<<<64, 256>>>(out, in);
        of_both<<<64, 256>>>(out, in);
    } else {
        unverified<<<64, 256>>>(out, in);
    }
    of_both<<<64, 256>>>(out, in);
    if (test == 3) third_test<<<64, 256>>>(out, in);
    if (options.skipCheck) not_verified<<<64, 256>>>(out, in);
}

void dereferenceAll(float *out, const Point *in) { dereferenced<<<64, 256>>>(out, in); }

void golden_section(float *out, const Point *in) { searched<<<64, 256>>>(out, in); }
