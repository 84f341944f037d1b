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
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900]
        lines[i].made = made;
//      ^^^^^^^^^^^^^ none[WC101]
        float sum = 0.0f;
        for (int k = 0; k < count; k++) sum += lines[i * count + k].points[0];
//                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors"
        lines[i].points[1] = sum;
//      ^^^^^^^^^^^^^^^^^^ none[WC101]
    }
}

// So are other lanes than the one that calls.
__global__ void one_calls(Line *lines, float **made, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) made[blockIdx.x] = (float *)malloc(1024);
    out[i] = lines[i].points[0];
//           ^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors"
}

// To seed a generator for a subsequence of the lane's own takes thousands of instructions, to which one store in a loop over the grid is
// nothing; other loops are another matter.
__global__ void seeds(float2 *points, float *rows, unsigned seed, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    curandState state;
    curand_init(seed, i, 0, &state);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900]
    for (int at = i; at < n; at += threads)
        points[2 * at].x = curand_uniform(&state);
//      ^^^^^^^^^^^^^^^^ none[WC101]
//      ^^^^^^^^^^^^^^^^ access! worst=16 ideal=4
    for (int k = 0; k < n; k++)
        rows[n * i + k] = curand_uniform(&state);
//      ^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors"
}

// A generator that counts, and one that begins with the lane's own seed, are made at once.
__global__ void counts(float2 *points, unsigned seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, i, 0, &state);
    points[2 * i].x = curand_uniform(&state);
//  ^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors"
}

__global__ void own_seeds(float2 *points, unsigned seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state;
    curand_init(seed + i, 0, 0, &state);
    points[2 * i].x = curand_uniform(&state);
//  ^^^^^^^^^^^^^^^ warn[WC101]! "16 sectors"
}

// What an assertion reads is read while a program is tested, and by no release: nobody makes it faster.
__global__ void checked(const int *next, const int *at, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        assert(next[at[i]] != -1);
//             ^^^^^^^^^^^ access! worst=32
//             ^^^^^^^^^^^ none[WC101]
        out[i] = i;
    }
}
