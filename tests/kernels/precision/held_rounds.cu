// The host leaves numbers in an array of which the greatest is in the text: loops that they bound have no more rounds than those tell.

// At most 60, twelve of them a round: four rounds.
__global__ void taken_off(const unsigned *lengths, float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned length = lengths[i];
    float sum = in[i];
    while (length > 12) {
//         ^^^^^^^^^^^ info[WC302]! "at T8 = 4"
        sum = expf(sum) + sinf(sum * length);
        length -= 12;
    }
    out[i] = sum;
}

// Eight at most.
__global__ void counted(const int *counts, float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = in[i];
    for (int j = 0; j < counts[i]; j++)
//                  ^^^^^^^^^^^^^ info[WC302]! "at T20 = 8"
        sum = expf(sum) + sinf(sum * j);
    out[i] = sum;
}

// Some are read from a file: any number.
__global__ void read_in(const int *sizes, float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = in[i];
    for (int j = 0; j < sizes[i]; j++)
//                  ^^^^^^^^^^^^ info[WC302]! "at T30 = 32"
        sum = expf(sum) + sinf(sum * j);
    out[i] = sum;
}

// Data moves the counter, too: how long it takes is not told by where it begins.
__global__ void wandering(const unsigned *lengths, float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    unsigned length = lengths[i];
    float sum = in[i];
    while (length > 12) {
//         ^^^^^^^^^^^ info[WC302]! "at T41 = 32"
        sum = expf(sum) + sinf(sum * length);
        if (sum > 0.5f)
            length -= 1;
    }
    out[i] = sum;
}

void host(float *in, float *out, int n, FILE *file) {
    unsigned *lengths, *d_lengths;
    int *counts = (int *)malloc(4 * n), *sizes = (int *)malloc(4 * n), *d_counts, *d_sizes;
    posix_memalign((void **)&lengths, 1024, 4 * n);
    for (int i = 0; i < n; i++) {
        lengths[i] = rand() % 61;
        counts[i] = 1 + rand() % 8;
        sizes[i] = 4;
    }
    fread(sizes, 4, n, file);
    cudaMalloc(&d_lengths, 4 * n);
    cudaMalloc(&d_counts, 4 * n);
    cudaMalloc(&d_sizes, 4 * n);
    cudaMemcpy(d_lengths, lengths, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_counts, counts, 4 * n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_sizes, sizes, 4 * n, cudaMemcpyHostToDevice);
    taken_off<<<n / 256, 256>>>(d_lengths, out, in);
    counted<<<n / 256, 256>>>(d_counts, out, in);
    read_in<<<n / 256, 256>>>(d_sizes, out, in);
    wandering<<<n / 256, 256>>>(d_lengths, out, in);
}
