// Strided and scattered accesses of global memory, loud and quiet.

__global__ void column(float *out, const float *in, int pitch) {
    // 32 rows apart: each lane in a sector of its own.
    out[threadIdx.x] = in[threadIdx.x * pitch];
    //                 ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
    //                 ^^^^^^^^^^^^^^^^^^^^^^^ hover "Each warp touches"
}

__global__ void reversed(float *out, const float *in) {
    // Backwards is as good as forwards.
    out[threadIdx.x] = in[255 - threadIdx.x];
    //                 ^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

__global__ void gather(float *out, const float *in, const int *index) {
    out[threadIdx.x] = in[index[threadIdx.x]];
    //                 ^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
}

__global__ void one_lane(float *out, const float *in, int pitch) {
    if (threadIdx.x == 0)
        out[0] = in[blockIdx.x * pitch];
        //       ^^^^^^^^^^^^^^^^^^^^^^ none
}

__global__ void broadcast(float *out, const float *in, int k) {
    out[threadIdx.x] = in[k];
    //                 ^^^^^ none
}

__global__ void worst_of_a_statement(float *out, const float *a, const float *b) {
    // One finding per statement and rule: the worse of the two.
    out[threadIdx.x] = a[4 * threadIdx.x] + b[8 * threadIdx.x];
    //                                      ^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors"
}

__global__ void small_share(float *out, const float *in, int n) {
    // One strided load beside many good ones is not worth a line.
    float sum = in[8 * threadIdx.x];
    //          ^^^^^^^^^^^^^^^^^^^ none[WC101]
    for (int k = 0; k < n; k++) sum += in[k * 256 + threadIdx.x];
    out[threadIdx.x] = sum;
}

__global__ void silenced(float *out, const float *in) {
    // warpcost: ignore[WC101]
    out[threadIdx.x] = in[8 * threadIdx.x];
    //                 ^^^^^^^^^^^^^^^^^^^ none[WC101]
}

__global__ void guessed(float *out, const float *in) {
    // Nobody launches this one: the shape is a guess, so the finding is information.
    out[threadIdx.x] = in[8 * threadIdx.x];
    //                 ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "ssumes block 256"
}

__global__ void rows_of_broadcasts(float *out, const float *in, int pitch) {
    // Two rows, each one address for half a warp: 2 sectors instead of 1 are not worth a line.
    out[threadIdx.y * 16 + threadIdx.x] = in[threadIdx.y * pitch];
    //                                    ^^^^^^^^^^^^^^^^^^^^^^^ none
}

void runForLong(float *out, const float *in, int n) { small_share<<<1, 256>>>(out, in, n); }

void run(float *out, const float *in, const int *index, int n) {
    column<<<1, 256>>>(out, in, n);
    reversed<<<1, 256>>>(out, in);
    gather<<<1, 256>>>(out, in, index);
    one_lane<<<1, 256>>>(out, in, n);
    broadcast<<<1, 256>>>(out, in, n);
    worst_of_a_statement<<<1, 256>>>(out, in, in);
    silenced<<<1, 256>>>(out, in);
    rows_of_broadcasts<<<1, dim3(16, 16)>>>(out, in, n);
}

// Twelve lines with a small share each are one cost: told once, at the first of them.
__global__ void rowsOfLanes(float *rows, float scale) {
    float *row = rows + 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    row[0] = row[0] * scale + 0;
//  ^^^^^^ info[WC101]! "32 sectors where 4 would do (8x). Neighbouring stores fill the rest of these sectors. With 23 more accesses to `rows`: 100%"
    row[1] = row[1] * scale + 1;
    row[2] = row[2] * scale + 2;
    row[3] = row[3] * scale + 3;
    row[4] = row[4] * scale + 4;
    row[5] = row[5] * scale + 5;
    row[6] = row[6] * scale + 6;
    row[7] = row[7] * scale + 7;
    row[8] = row[8] * scale + 8;
    row[9] = row[9] * scale + 9;
    row[10] = row[10] * scale + 10;
    row[11] = row[11] * scale + 11;
}

void runRowsOfLanes(float *rows, float scale) {
    rowsOfLanes<<<64, 256>>>(rows, scale);
}

// A record of a library is copied eight bytes at a time: six loads and six stores, 48 bytes apart.  The loads meet few lines.
__global__ void keepState(curandState *states, curandState *kept) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState local = states[i];
    //                  ^^^^^^^^^ hint[WC104]
//                      ^^^^^^^^^ none[WC101]
    kept[i] = local;
  //^^^^^^^ hint[WC104]
//  ^^^^^^^ info[WC101]! "32 sectors where 8 would do (4x). Neighbouring stores fill the rest of these sectors. With 5 more accesses to `kept`: 50%"
}

void runKeepState(curandState *states, curandState *kept) {
    keepState<<<64, 256>>>(states, kept);
}

// Rows of half a warp at a pitch: 6 sectors at most where 4 are ideal, and 4 for aligned rows.  The editor says so, no finding.
__global__ void half_rows(float *out, const float *in, int pitch, int shift) {
    out[threadIdx.y * pitch + threadIdx.x] = in[threadIdx.y * pitch + threadIdx.x + shift];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none
//                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none
}

void runHalfRows(float *out, const float *in, int pitch, int shift) {
    half_rows<<<64, dim3(16, 16)>>>(out, in, pitch, shift);
}

// Half rows beside their neighbours: 6 sectors instead of 4 for a small part of what the kernel moves.
__global__ void half_rows_of_a_stencil(float *out, const float *in) {
    int at = (blockIdx.x * 16 + threadIdx.y + 1) * 1024 + threadIdx.x;
    out[at] = in[at] + in[at + 32] + in[at + 64] + in[at + 96] + in[at + 128] + in[at + 160] + in[at + 192] + in[at + 1];
//                                                                                                             ^^^^^^^^^^ none
}

void runStencil(float *out, const float *in) {
    half_rows_of_a_stencil<<<63, dim3(16, 16)>>>(out, in);
}

// A field at a distance in bytes: an access is aligned to its size, so no lane touches two sectors.
__global__ void fields(float *out, const unsigned char *records, int step, int w) {
    const float *field = (const float *)(records + step * (blockIdx.x * w + threadIdx.x));
    out[blockIdx.x * 32 + threadIdx.x] = field[4];
//                                       ^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
}

void runFields(float *out, const unsigned char *records, int step, int w) {
    fields<<<64, 32>>>(out, records, step, w);
}

// Pairs at a distance: 8 sectors for a distance of 1, and 4 for the 32 and more that callers pass.  Nobody can say which.
__global__ void merge_step(float *out, const float *in, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pos = 2 * t - (t & (stride - 1));
    out[pos] = in[pos + stride];
//  ^^^^^^^^ none
//             ^^^^^^^^^^^^^^^^ access! worst=8
//             ^^^^^^^^^^^^^^^^ none[WC101]
}

// The same with four times the ideal at worst: worth a remark, but no warning.
__global__ void radix_step(float *out, const float *in, int stride) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int low = t & (stride - 1);
    out[4 * (t - low) + low] = in[4 * (t - low) + low + stride];
//  ^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 16 sectors where 4 would do (4x)"
}

void runSteps(float *out, const float *in, unsigned stride) {
    merge_step<<<64, 256>>>(out, in, stride);
    radix_step<<<64, 256>>>(out, in, stride);
}
