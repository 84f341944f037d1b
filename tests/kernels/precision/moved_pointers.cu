// Where a pointer comes from something that the launch does not show, nobody knows how it is aligned.

struct Input {
    float *b;
};

__global__ void member(const float *b, float *out) {
    int i = threadIdx.x;
    out[i] = b[i - 1];
//           ^^^^^^^^ none[WC102]
}

__global__ void handed(const float *b, float *out) {
    int i = threadIdx.x;
    out[i] = b[i - 1];
//           ^^^^^^^^ none[WC102]
}

//@ aligned(b, 256)
__global__ void stated(const float *b, float *out) {
    int i = threadIdx.x;
    out[i] = b[i + 1];
//           ^^^^^^^^ info[WC102]! "5 sectors where 4 would do"
}

__global__ void allocated(const float *b, float *out) {
    int i = threadIdx.x;
    out[i] = b[i + 1];
//           ^^^^^^^^ info[WC102]! "5 sectors where 4 would do"
}

void run(Input &input, float *b, float *out) {
    member<<<1, 256>>>(input.b, out);
    handed<<<1, 256>>>(b, out);
    stated<<<1, 256>>>(b, out);
}

void start() {
    float *b, *out;
    cudaMalloc(&b, 4096);
    cudaMalloc(&out, 4096);
    allocated<<<1, 256>>>(b, out);
}
