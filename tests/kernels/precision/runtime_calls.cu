// The device's runtime: its heap, and kernels that are launched from a kernel.  A lane that calls it pays hundreds of sectors.
// PARAM: --block 256

struct Line { float points[10]; float *made; };

// Beside the call of each lane the stride of 48 bytes is nothing.
__global__ void gives_back(Line *lines, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        free(lines[i].made);
//           ^^^^^^^^^^^^^ none[WC101]
//           ^^^^^^^^^^^^^ access! worst=32
}

// What is looped over is another matter.
__global__ void uses_it(Line *lines, int n, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float *made = (float *)malloc(count * sizeof(float));
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC900]
        lines[i].made = made;
//      ^^^^^^^^^^^^^ none[WC101]
        float sum = 0.0f;
        for (int k = 0; k < count; k++) sum += lines[i * count + k].points[0];
//                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors per request"
        lines[i].points[1] = sum;
//      ^^^^^^^^^^^^^^^^^^ none[WC101]
    }
}

// So are other lanes than the one that calls.
__global__ void one_calls(Line *lines, float **made, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) made[blockIdx.x] = (float *)malloc(1024);
    out[i] = lines[i].points[0];
//           ^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors per request"
}
