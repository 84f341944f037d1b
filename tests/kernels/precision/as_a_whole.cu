// What is not understood but is the same for all lanes moves a request as a whole: how lanes lie to each other is known, and so is what
// a request costs, but for where it begins.

// Lanes go over rows; which channel it is, a quotient and a remainder of the block's number say.
__global__ void channels_last(float *out, const float *x, int C, int G, int n) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int group = blockIdx.y % G;
    int size = C / G;
    if (p < n)
        out[p * C + group * size] = x[p];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
}

// Lanes lie side by side, wherever the block begins: a sector too many at most.
__global__ void channels_first(float *out, const float *x, int P, int G, int n) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < n)
        out[(blockIdx.y % G) * P + p] = x[p];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// In shared memory the place of the request costs nothing at all.
__global__ void columns(float *out, const float *x, int G) {
    __shared__ float tile[32 * 33];
    tile[threadIdx.x * 32 + blockIdx.y % G] = x[threadIdx.x];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "32-way"
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

// The same of a pitch that nobody knows.
__global__ void columns_at_a_pitch(float *out, const float *x, int C, int G) {
    extern __shared__ float rows[];
    for (int i = 0; i < 8; i++)
        rows[threadIdx.x * C + i * G + blockIdx.y % G] = x[threadIdx.x];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "up to 32-way"
    __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x];
}

// Where the quotient is one of the lane's own number, nobody knows how lanes lie to each other.
__global__ void taken_apart(float *out, const float *x, int C, int H, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[(i / C) * H + i % C] = x[i];
//      ^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

void run(float *out, const float *x, int P, int C, int G, int H, int n) {
    channels_last<<<dim3(n / 256, 64), 256>>>(out, x, C, G, n);
    channels_first<<<dim3(n / 256, 64), 256>>>(out, x, P, G, n);
    columns<<<dim3(1, 64), 32>>>(out, x, G);
    columns_at_a_pitch<<<dim3(1, 64), 32, 4096>>>(out, x, C, G);
    taken_apart<<<n / 256, 256>>>(out, x, C, H, n);
}

// A border holds back the last rows: away from it lanes are a row apart.
__global__ void clamped_rows(float *out, const float *x, int w, int h) {
    int row = min(blockIdx.x * blockDim.x + threadIdx.x, (unsigned)h - 1);
    for (int c = 0; c < 8; c++)
        out[(c * gridDim.x + blockIdx.x) * 256 + threadIdx.x] = x[row * w + c * 512];
//                                                              ^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
}

// A border of columns: away from it lanes lie side by side.
__global__ void clamped_columns(float *out, const float *x, int w, int h) {
    int column = min(blockIdx.x * blockDim.x + threadIdx.x, (unsigned)w - 1);
    for (int c = 0; c < 8; c++)
        out[(c * gridDim.x + blockIdx.x) * 256 + threadIdx.x] = x[c * w + column];
//                                                              ^^^^^^^^^^^^^^^^^ none[WC101]
}

void run_clamped(float *out, const float *x, int w, int h) {
    clamped_rows<<<h / 256, 256>>>(out, x, w, h);
    clamped_columns<<<w / 256, 256>>>(out, x, w, h);
}
