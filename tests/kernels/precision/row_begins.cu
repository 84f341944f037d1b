// The first element of each row, one row a lane: a strided access as any other, whatever another kernel beside it does.

// The host hands another kernel the same arrays beside it.
__global__ void first_of_rows(float2 *out, const float2 *in, size_t rows, size_t columns, size_t images) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < columns * images; i += blockDim.x * gridDim.x)
        out[i * rows] = in[i * rows];
//      ^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 8 would do (4x)"
}

__global__ void inside_rows(float2 *out, const float2 *in, size_t all, size_t rows, size_t columns, size_t images) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < all; i += blockDim.x * gridDim.x)
        out[i] = i % rows ? in[i] : out[i];
}

// With nobody beside it.
__global__ void first_alone(float2 *out, const float2 *in, size_t rows, size_t columns, size_t images) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < columns * images; i += blockDim.x * gridDim.x)
        out[i * rows] = in[i * rows];
//      ^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 8 would do (4x)"
}

// And so it is where the rest of each row is gone through, too.
__global__ void records(float2 *out, const float2 *in, size_t rows, size_t columns, size_t images) {
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < columns * images; i += blockDim.x * gridDim.x) {
        out[i * rows] = in[i * rows];
        for (size_t k = 1; k < rows; k++) out[i * rows + k].y = in[i * rows + k].x;
//                                        ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 32 sectors where 4 would do (8x)"
    }
}

void over_rows(float2 *out, float2 *in, size_t all, size_t rows, size_t columns, size_t images) {
    inside_rows<<<128, 128>>>(out, in, all, rows, columns, images);
    first_of_rows<<<128, 128>>>(out, in, rows, columns, images);
    records<<<128, 128>>>(out, in, rows, columns, images);
    cudaDeviceSynchronize();
    first_alone<<<128, 128>>>(out, in, rows, columns, images);
}
