// Columns, padding, broadcasts and strides of shared memory.

__global__ void tiles(float *out, const float *in) {
    __shared__ float plain[32][32];
    __shared__ float padded[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    plain[y][x] = in[y * 32 + x];
    //^^^^^^^^^ none
    padded[y][x] = in[y * 32 + x];
    __syncthreads();
    float a = plain[x][y];
    //        ^^^^^^^^^^^ warn[WC201]! "32-way, each request takes 32 wavefronts where 1 would do (32x)"
    float b = padded[x][y];
    //        ^^^^^^^^^^^^ none[WC201]
    float c = plain[y][0];
    //        ^^^^^^^^^^^ none[WC201]
    out[y * 32 + x] = a + b + c;
}

__global__ void doubles(double *out, const double *in) {
    __shared__ double s[256];
    s[threadIdx.x] = in[threadIdx.x];
    // ^^^^^^^^^^^ none
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + s[0];
}

__global__ void histogram(int *out, const unsigned char *in) {
    __shared__ int bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[threadIdx.x]], 1);
    //         ^^^^^^^^^^^^^^^^^^^^^ hint[WC201]! "up to"
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

__global__ void two_rows_of_vectors(float *out, const float4 *in) {
    // 16 rows, each read by two lanes: 4 wavefronts, as for every warp of float4, though merging might have saved two.
    __shared__ float4 s[16 * 33];
    s[threadIdx.y * 33 + threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    float4 v = s[threadIdx.x * 33];
    //         ^^^^^^^^^^^^^^^^^^^ none
    out[threadIdx.y * 16 + threadIdx.x] = v.x;
}

__global__ void bytes_as_floats(float *out, const float *in) {
    // A cast promises the alignment that the type needs: the hardware refuses any other address.
    __shared__ unsigned char raw[1024];
    float *s = (float *)raw;
    s[threadIdx.x] = in[threadIdx.x];
//  ^^^^^^^^^^^^^^ none[WC201]
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
    //                 ^^^^^^^^^^^^^^^^^^^^ none[WC201]
}

__global__ void rows_of_vectors(const int4 *in) {
    // Eight lanes a row of 160 bytes: each quarter of the warp has a row of its own.
    extern __shared__ unsigned char rows[][160];
    int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 4 + lane / 8;
    *((int4 *)&rows[row][0] + lane % 8) = in[threadIdx.x];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
}

__global__ void whose_turn_it_is(int *out, int n) {
    // One lane of a warp at most satisfies lane == k.
    __shared__ int s[32 * 64];
    int lane = threadIdx.x % 32;
    for (int k = 0; k < n; k++)
        if (lane == k) s[lane * 64] = k;
        //             ^^^^^^^^^^^^ none[WC201]
    out[threadIdx.x] = s[0];
}

void run(float *out, const float *in, double *dout, const double *din, int *iout, const unsigned char *iin) {
    tiles<<<1, dim3(32, 32)>>>(out, in);
    doubles<<<1, 256>>>(dout, din);
    histogram<<<1, 256>>>(iout, iin);
    bytes_as_floats<<<1, 256>>>(out, in);
    rows_of_vectors<<<1, 256, 65536>>>((const int4 *)in);
    whose_turn_it_is<<<1, 256>>>(iout, 32);
    two_rows_of_vectors<<<1, dim3(16, 16)>>>(out, (const float4 *)in);
}

// Which row a lane reads comes from memory, and no row changes the bank.
__global__ void rows_by_data(float *out, const int *row) {
    __shared__ float rows[12 * 32];
    for (int i = threadIdx.x; i < 12 * 32; i += 32) rows[i] = i;
    __syncthreads();
    out[threadIdx.x] = rows[32 * row[threadIdx.x] + threadIdx.x];
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 best=1 ideal=1
    out[threadIdx.x + 32] = rows[32 * row[threadIdx.x] + 4 * threadIdx.x];
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4 best=1
//                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "(up to 4) where 1 would do"
}

void runRowsByData(float *out, const int *row) {
    rows_by_data<<<1, 32>>>(out, row);
}

// A conflict that is written out twelve times is told once.
__global__ void everyFourthWord(float *out) {
    __shared__ float cells[1072];
    for (int i = threadIdx.x; i < 1072; i += blockDim.x) cells[i] = i;
    __syncthreads();
    float sum = 0.0f;
    sum += cells[0 + 4 * threadIdx.x];
//         ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC201]! "4-way, each request takes 4 wavefronts where 1 would do (4x). With 11 more accesses to `cells`"
    sum += cells[4 + 4 * threadIdx.x];
    sum += cells[8 + 4 * threadIdx.x];
    sum += cells[12 + 4 * threadIdx.x];
    sum += cells[16 + 4 * threadIdx.x];
    sum += cells[20 + 4 * threadIdx.x];
    sum += cells[24 + 4 * threadIdx.x];
    sum += cells[28 + 4 * threadIdx.x];
    sum += cells[32 + 4 * threadIdx.x];
    sum += cells[36 + 4 * threadIdx.x];
    sum += cells[40 + 4 * threadIdx.x];
    sum += cells[44 + 4 * threadIdx.x];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

void runEveryFourthWord(float *out) {
    everyFourthWord<<<64, 256>>>(out);
}

// The stride of each round is known, and the last rounds collide for certain.
__global__ void all_rounds(float *out) {
    __shared__ float s[512];
    s[threadIdx.x] = s[threadIdx.x + 256] = threadIdx.x;
    for (unsigned stride = 256; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        s[pos] = s[pos + stride];
//      ^^^^^^ info[WC201] "up to 2-way, each request takes 1.6 wavefronts on average where 1 would do (1.56x)"
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

void runAllRounds(float *out) {
    all_rounds<<<1, 256>>>(out);
}
