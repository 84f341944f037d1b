// A pitch that is a parameter and nothing else: rows are as long as what is accessed of them, where no launch says more.

__global__ void gathered(float *out, const float *terms, int n, int count) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float a = terms[i * count + 0];
//            ^^^^^^^^^^^^^^^^^^^^ info[WC101]! "16 sectors per request, ideal 4 (4.0x); loads beside it use the same sectors; executed once per warp; with 3"
//            ^^^^^^^^^^^^^^^^^^^^ access! worst=32
    float b = terms[i * count + 1];
    float c = terms[i * count + 2];
    float d = terms[i * count + 3];
    out[i] = a * b + c * d;
}

// By way of a variable.
__global__ void spread(float *terms, const float *in, int n, int count) {
    int i = blockIdx.x * 256 + threadIdx.x, row = i * count;
    if (i >= n) return;
    terms[row] = in[i];
//  ^^^^^^^^^^ info[WC101]! "12 sectors per request, ideal 4 (3.0x)"
    terms[row + 1] = 1;
    terms[row + 2] = 2;
}

// The pitch bounds a loop: rows are longer than their first elements.
__global__ void longer(float *out, const float *terms, int n, int count) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float s = terms[i * count] + terms[i * count + 1] + terms[i * count + 2];
//            ^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors"
    for (int k = 0; k < count; k++) s *= 2;
    out[i] = s;
}

// A launch says how long they are.
__global__ void said(float *out, const float *terms, int n, int count) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    out[i] = terms[i * count] + terms[i * count + 1] + terms[i * count + 2];
//           ^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors per request"
}

// Element 1 alone is no row.
__global__ void middle(float *out, const float *terms, int n, int count) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    out[i] = terms[i * count + 1] + terms[i * count + 3];
//           ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors"
}

void run(float *out, float *terms, int n, int count) {
    gathered<<<n / 256, 256>>>(out, terms, n, count);
    spread<<<n / 256, 256>>>(terms, out, n, count);
    longer<<<n / 256, 256>>>(out, terms, n, count);
    said<<<n / 256, 256>>>(out, terms, n, 16);
    middle<<<n / 256, 256>>>(out, terms, n, count);
}
