// Loops from one size to another are there to run: of two that nobody knows, the one that they begin with is taken for the smaller.

__global__ void best_of(const float *in, float *out, int count, int first) {
    int t = blockIdx.x * 256 + threadIdx.x;
    float least = 0;
    for (int i = 0; i < first; i++)
        least = fminf(least, in[t * 64 + i]);
//                           ^^^^^^^^^^^^^^ none[WC101]
    for (int i = first; i < count; i++)
        least = fminf(least, in[t * 32 + i * 8]);
//                           ^^^^^^^^^^^^^^^^^^ warn[WC101]! "97% of this kernel's global traffic if count = 1024, first = 32"
    out[t] = least;
}

// Where nothing is left out, sizes stay what they are.
__global__ void both(const float *in, float *out, int count, int first) {
    int t = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < count + first; i++)
        sum += in[t * 32 + i];
//             ^^^^^^^^^^^^^^ warn[WC101]! "if count = first = 1024"
    out[t] = sum;
}

// A number that is passed is the size.
__global__ void passed(const float *in, float *out, int count, int first) {
    int t = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < first; i++)
        sum += in[t * 64 + i];
//             ^^^^^^^^^^^^^^ warn[WC101]! "if count = first = 1024"
    for (int i = first; i < count; i++)
        sum += in[t * 32 + i * 8];
//             ^^^^^^^^^^^^^^^^^^ none[WC101]
    out[t] = sum;
}

void host(float *a, float *b, int n, int k) {
    best_of<<<n, 256>>>(a, b, n, k);
    both<<<n, 256>>>(a, b, n, k);
    passed<<<n, 256>>>(a, b, 1024, 1024);
}

// One round is as good as none where one size is taken away from another: as many places as a pattern has to begin at.
//@ launch block=(256)
__global__ void places(const float *in, float *out, int count, int pattern) {
    int t = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int i = 0; i <= count - pattern; i++)
        sum += in[t * 32 + i];
//             ^^^^^^^^^^^^^^ warn[WC101]! "uns max(0, 1 + count - pattern) times per warp. 100% of this kernel's global traffic if count = 1024, pattern = 32"
    for (int i = 0; i < pattern; i++)
        sum += in[t + i * 4096];
    out[t] = sum;
}
