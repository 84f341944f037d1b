// What memory says of a place, and what it cannot change: a stride between the lanes of one row is certain, wherever the row begins.

// Rows of 32 entries, one a warp, that a list of rows places: lanes are a record apart in whatever row.
__global__ void of_one_list(float *out, const float *pool, const int *slot, int width, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *row = pool + (size_t)slot[i / 32] * 32 * width;
    if (i < n) out[i] = row[(i % 32) * width + 3];
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "up to 32 sectors where 4 would do (8x)"
}

// Two rows of 16 entries a warp: both are that dear wherever they lie, and so the values of `slot` need no mention.
__global__ void of_two_lists(float *out, const float *pool, const int *slot, int width, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *row = pool + (size_t)slot[i / 16] * 16 * width;
    if (i < n) out[i] = row[(i % 16) * width + 3];
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x)"
}

// Lanes side by side in each row: what is too much are the ends of two rows.
__global__ void side_by_side(float *out, const float *pool, const int *slot, int width, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *row = pool + (size_t)slot[i / 16] * 16 * width;
    if (i < n) out[i] = row[i % 16 + 16 * 3];
//                      ^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// Two loads decide the place.  The one that is multiplied by a pitch takes lanes further apart, and comes first.
__global__ void cells(float *out, const float *grid, const short *east, const short *north, int pitch, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = grid[east[i] + north[i] * pitch];
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "if the values of `north[i]` and `east[i]` scatter"
}

// The same after arithmetic in floating point.
__global__ void sampled(float *out, const float *grid, const float *u, const float *v, int pitch, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = (int)(u[i] * 0.5f), y = (int)(v[i] * 0.5f);
    out[i] = grid[x + y * pitch];
//           ^^^^^^^^^^^^^^^^^^^ hint[WC101] "if the values of `v[i]` and `u[i]` scatter"
}

// One of the two is a constant of all lanes: it takes none apart.
__global__ void of_one_column(float *out, const float *grid, const short *east, const short *north, int pitch, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = grid[east[0] + north[i] * pitch];
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "if the values of `north[i]` scatter"
}

void run(float *out, const float *pool, const int *slot, const short *e, const short *n, int width, int count) {
    of_one_list<<<(count + 127) / 128, 128>>>(out, pool, slot, width, count);
    of_two_lists<<<(count + 127) / 128, 128>>>(out, pool, slot, width, count);
    side_by_side<<<(count + 127) / 128, 128>>>(out, pool, slot, width, count);
    cells<<<(count + 127) / 128, 128>>>(out, pool, e, n, width, count);
    sampled<<<(count + 127) / 128, 128>>>(out, pool, pool, pool, width, count);
    of_one_column<<<(count + 127) / 128, 128>>>(out, pool, e, n, width, count);
}
