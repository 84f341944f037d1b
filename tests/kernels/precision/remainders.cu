// Places that rest on remainders of one number are fellows in each of the cases, whatever it is.

// Red or black first, as the column says: together they are all of the row.
__global__ void both_colours(const double *__restrict__ f, double *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, column = blockIdx.y + 1;
    const double *row = f + column * 1026 + 2 * i;
    out[column * 513 + i] = row[-(column & 1)] - row[-((column + 1) & 1)];
//                          ^^^^^^^^^^^^^^^^^^ none[WC101]
//                          ^^^^^^^^^^^^^^^^^^ access! worst=17 ideal=8
}

// One of them.
__global__ void one_colour(const double *__restrict__ f, double *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, column = blockIdx.y + 1;
    const double *row = f + column * 1026 + 2 * i;
    out[column * 513 + i] = row[-(column & 1)];
//                          ^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 17 sectors where 8 would do (2.1x)"
}

// The same one twice, and its neighbour: two of four in a row.
__global__ void same_colour(const double *__restrict__ f, double *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, column = blockIdx.y + 1;
    const double *row = f + column * 2052 + 4 * i;
    out[column * 513 + i] = row[-(column & 1)] - row[-((column + 2) & 1)] - row[-((column + 1) & 1)];
//                          ^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 8 would do (4x)"
}

// Remainders of two numbers: what is between them is not known.
__global__ void two_numbers(const double *__restrict__ f, double *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1, column = blockIdx.y + 1;
    const double *row = f + column * 1026 + 2 * i;
    out[column * 513 + i] = row[-(column & 1)] - row[-(blockIdx.z & 1)];
//                          ^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 17 sectors where 8 would do (2.1x)"
}

// One of three, and the others.
__global__ void all_of_three(const float *__restrict__ f, float *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *row = f + 3 * i;
    out[blockIdx.y * 512 + i] = row[blockIdx.y % 3] + row[(blockIdx.y + 1) % 3] * row[(blockIdx.y + 2) % 3];
//                              ^^^^^^^^^^^^^^^^^^^ none[WC101]
//                              ^^^^^^^^^^^^^^^^^^^ access! worst=13 ideal=4
}

void run(const double *f, const float *g, double *out, float *sums) {
    dim3 grid(2, 512), grids(2, 512, 2);
    both_colours<<<grid, 256>>>(f, out);
    one_colour<<<grid, 256>>>(f, out);
    same_colour<<<grid, 256>>>(f, out);
    two_numbers<<<grids, 256>>>(f, out);
    all_of_three<<<grid, 256>>>(g, sums);
}
