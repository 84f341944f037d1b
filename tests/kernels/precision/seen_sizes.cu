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
//  ^^^^^^ warn[WC101]! "16 sectors per request, ideal 4 (4.0x); executed once per warp; with 1 more access of `in` 100% of this kernel's sectors at width = height = 128"
//           ^^^^^ access! worst=32 ideal=4
}

// Another launch passes another number, or one that nobody knows.
__global__ void either(const float *in, float *out, int width) {
    int i = threadIdx.y * width + threadIdx.x;
    out[i] = in[i];
//  ^^^^^^ warn[WC101]! "up to 18 sectors per request"
}

__global__ void any(const float *in, float *out, int width) {
    int i = threadIdx.y * width + threadIdx.x;
    out[i] = in[i];
//  ^^^^^^ warn[WC101]! "up to 18 sectors per request"
}

// What the kernel itself changes is another number.
__global__ void changed(const float *in, float *out, int width) {
    width += blockIdx.y;
    int i = threadIdx.y * width + threadIdx.x;
    out[i] = in[i];
//  ^^^^^^ warn[WC101]! "up to 18 sectors per request"
}

static int read_size(int *n);

void host(float *a, float *b) {
    unsigned pitch = 2;
    int rows = 128, n;
    read_size(&n);
    dim3 block(pitch, rows);
    narrow<<<64, block, pitch * rows * sizeof(float)>>>(a, b, pitch, rows);
    wide<<<dim3(rows / pitch, rows), block>>>(a, b, rows, rows);
    either<<<64, block>>>(a, b, rows);
    either<<<64, block>>>(a, b, 2 * rows + 1);
    any<<<64, block>>>(a, b, n);
    changed<<<dim3(64, 64), block>>>(a, b, rows);
}
