// Sizes that all launches in view pass as one number: findings say what is paid at these.

// Rows of two words: a warp's words follow each other.
__global__ void narrow(const float *in, float *out, int pitch, int rows) {
    extern __shared__ float tile[];
    tile[threadIdx.y * pitch + threadIdx.x] = in[(blockIdx.x * rows + threadIdx.y) * pitch + threadIdx.x];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 ideal=1
//                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    __syncthreads();
    out[(blockIdx.x * rows + threadIdx.y) * pitch + threadIdx.x] = tile[(threadIdx.y ^ 1) * pitch + threadIdx.x];
}

// Rows of 128: each of the sixteen begins with a sector.  At a pitch of 1 they would straddle.
__global__ void wide(const float *in, float *out, int width, int height) {
    int i = blockIdx.y * width * height + threadIdx.y * width + blockIdx.x * 2 + threadIdx.x;
    out[i] = in[i];
//  ^^^^^^ warn[WC101]! "16 sectors where 4 would do (4x). With 1 more access to `in`: 100% of this kernel's global traffic if width = height = 128"
//           ^^^^^ access! worst=32 ideal=4
}

// Another launch passes another number, or one that nobody knows.
__global__ void either(const float *in, float *out, int width) {
    int i = threadIdx.y * width + threadIdx.x;
    out[i] = in[i];
//  ^^^^^^ warn[WC101]! "up to 18 sectors"
}

__global__ void any(const float *in, float *out, int width) {
    int i = threadIdx.y * width + threadIdx.x;
    out[i] = in[i];
//  ^^^^^^ warn[WC101]! "up to 18 sectors"
}

// What the kernel itself changes is another number.
__global__ void changed(const float *in, float *out, int width) {
    width += blockIdx.y;
    int i = threadIdx.y * width + threadIdx.x;
    out[i] = in[i];
//  ^^^^^^ warn[WC101]! "up to 18 sectors"
}

// Nine lanes of the first warp go over rows: nine sectors of two, for any number 32 of four.
__global__ void guarded(const float *rows, const float *all, float *out, int count, int length) {
    float sum = all[blockIdx.x * 256 + threadIdx.x];
    if (threadIdx.x < count)
        for (int j = 0; j < length; j++)
            sum += rows[threadIdx.x * length + j];
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "9 sectors where 2 would do (4.5x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this). Runs at most length times per warp. 95% of this kernel's global traffic if count = 9, length = 128"
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 ideal=4
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Eight lanes of a warp, in four rows of which the array has no more: fewer sectors than a warp side by side needs.
__global__ void small(const double *table, const double *in, double *out, int n) {
    int i = threadIdx.x, j = threadIdx.y;
    if (i < n && j < n) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += table[i * n + k] * in[j * n + k];
            //     ^^^^^^^^^^^^^^^^ info[WC105]
//                 ^^^^^^^^^^^^^^^^ none[WC101]
        out[i * n + j] = sum;
//      ^^^^^^^^^^^^^^ none[WC101]
    }
}

// Nobody passes the condition at the number that is passed: nothing is paid, whatever it costs at others.
__global__ void beyond(const float *in, float *out, int first, int pitch) {
    int i = threadIdx.x;
    out[i] = in[i];
    if (i >= first)
        out[i * pitch] = in[i * pitch];
//      ^^^^^^^^^^^^^^ none[WC101]
//      ^^^^^^^^^^^^^^ access! worst=32 ideal=4
}

static int read_size(int *n);

void host_of_wide(float *a, float *b) {
    unsigned pitch = 2;
    int rows = 128;
    wide<<<dim3(rows / pitch, rows), dim3(pitch, rows)>>>(a, b, rows, rows);
}

void host_of_several(float *a, float *b) {
    int rows = 128, n;
    read_size(&n);
    dim3 block(2, rows);
    either<<<64, block>>>(a, b, rows);
    either<<<64, block>>>(a, b, 2 * rows + 1);
    any<<<64, block>>>(a, b, n);
}

void host(float *a, float *b) {
    unsigned pitch = 2;
    int rows = 128;
    dim3 block(pitch, rows);
    narrow<<<64, block, pitch * rows * sizeof(float)>>>(a, b, pitch, rows);
    changed<<<dim3(64, 64), block>>>(a, b, rows);
    guarded<<<64, 256>>>(a, a, b, 9, rows);
    beyond<<<1, 256>>>(a, b, 256, rows);
    double *table, *inputs, *outputs;
    int n = 4;
    cudaMalloc(&table, n * n * sizeof(double));
    cudaMalloc(&inputs, n * n * sizeof(double));
    cudaMalloc(&outputs, n * n * sizeof(double));
    small<<<1, dim3(16, 16)>>>(table, inputs, outputs, n);
}
