// Blocks that the host's function is handed: who calls it is not here, and a warp may be one row as well as two.

__global__ void bytes(const unsigned char *in, float *out, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += in[(y + i) * pitch + x];
//                                       ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    out[threadIdx.y * 32 + threadIdx.x] = sum;
}

// What lies across memory does so whatever the block is.
__global__ void across(const float *in, float *out, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < 100; ++i) sum += in[x * pitch + y + i];
//                                       ^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "ssumes block 16x16"
    out[threadIdx.y * 32 + threadIdx.x] = sum;
}

// Here the function itself makes the block, of a number that it reads.
__global__ void own(const unsigned char *in, float *out, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += in[(y + i) * pitch + x];
//                                       ^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]! "up to 4 sectors"
    out[threadIdx.y * 32 + threadIdx.x] = sum;
}

void run(dim3 grid, const dim3 block, const unsigned char *in, const float *wide, float *out, int pitch) {
    bytes<<<grid, block>>>(in, out, pitch);
    across<<<grid, block>>>(wide, out, pitch);
}

void start(int argc, char **argv) {
    unsigned char *in;
    float *out;
    cudaMalloc(&in, 65536);
    cudaMalloc(&out, 65536);
    int side = atoi(argv[1]);
    dim3 block(side, side);
    own<<<8, block>>>(in, out, argc);
}
