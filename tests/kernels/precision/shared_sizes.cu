// A size in memory is the same for all lanes: what it makes of them is arithmetic, as of a parameter, and nothing that memory scatters.
// PARAM: --block 256

__constant__ int sizes[4];

// A window that is cut at both ends: lanes are neighbours, or stay where they are.
__global__ void windows(const float *in, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int row = (i + 1) % sizes[0];
    int first = sizes[1] < row + 1 ? row + 1 - sizes[1] : 1;
    int last = sizes[2] < row ? sizes[2] : row;
    float sum = 0;
    for (int k = first; k <= last; k++)
//                      ^^^^^^^^^ info[WC302] "threads of a warp may exit at different iterations"
        sum += in[k - 1];
//             ^^^^^^^^^ none[WC101]
//             ^^^^^^^^^ access! worst=32
    out[i] = sum;
}

// Rows by a quotient in floating point: neighbours but for the ends of rows.
__global__ void rows(const int *widths, float *field, float *out) {
    __shared__ float tile[1024];
    int width = widths[blockIdx.x];
    float inverse = 1.0f / (float)width;
    int row = (int)(threadIdx.x * inverse), column = threadIdx.x % width;
    tile[row * width + column] = field[blockIdx.x * 256 + threadIdx.x];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
    __syncthreads();
    int above = row == 0 ? 0 : row - 1;
    out[blockIdx.x * 256 + threadIdx.x] = tile[above * width + column];
//                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
}

// Coordinates of each lane's own are another matter, whatever all lanes share.
__global__ void gathered(const float *points, const float *matrix, const float *image, float *out, int width) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int x = (int)(points[i] * matrix[0] + matrix[1]);
    //                        ^^^^^^^^^ hint[WC104]
    out[i] = image[x];
//           ^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
}

// So is a choice that each lane's own contents make.
__global__ void chosen(const int *flag, const float *in, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int at = flag[i] > 0 ? i : 1024 - 5 * i;
    out[i] = in[at * sizes[0]];
//           ^^^^^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
}

// A sum of such products is a rotation: neighbours may be rows apart.
__global__ void rotated(const float *matrix, const float *image, float *out, int width) {
    int x = (blockIdx.x * 256 + threadIdx.x) % width, y = (blockIdx.x * 256 + threadIdx.x) / width;
    int at = (int)(matrix[0] * x + matrix[1] * y);
    //             ^^^^^^^^^ hint[WC104]
    out[blockIdx.x * 256 + threadIdx.x] = image[at];
//                                        ^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
}

// A generator of random numbers scatters, whoever sows.
__global__ void shuffled(const unsigned *seeds, unsigned *out, unsigned n) {
    unsigned seed = seeds[0] ^ threadIdx.x;
    for (unsigned j = n; j > 0; j--) {
        seed = seed * 1664525u + 1013904223u;
        out[seed % j] = j;
//      ^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do"
    }
}

// Orbits of points that a scale in memory sets apart leave at their own time.
__global__ void escaped(const float *scale, int *out, int most) {
    float step = threadIdx.x * scale[0], x = 0;
    int count = 0;
    for (int k = 0; k < most; k++) {
        if (x * x >= 4.0f)
//          ^^^^^^^^^^^^^ info[WC302]! "threads of a warp may exit at different iterations (depends on data"
            break;
        x = x * x + step;
        count++;
    }
    out[threadIdx.x] = count;
}
