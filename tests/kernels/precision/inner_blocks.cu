// Coordinates that are clamped or reflected at borders: in a share they cost what they cost where there is no border.
// PARAM: --block 32,8

#define ROWS 12
#define COLUMNS 36

// The tile and two elements around, three rounds for a block; borders cut lanes in two directions, and rows of 36 do.
__global__ void reflected(const unsigned char *in, unsigned char *out, int w, int h, int pitch) {
    __shared__ unsigned char tile[ROWS * COLUMNS];
    for (int e = threadIdx.y * 32 + threadIdx.x; e < ROWS * COLUMNS; e += 256) {
        int y = blockIdx.y * 8 + e / COLUMNS - 2, x = blockIdx.x * 32 + e % COLUMNS - 2;
        y = y < 0 ? -y : y;
        y = y >= h ? 2 * h - 2 - y : y;
        x = x < 0 ? -x : x;
        x = x >= w ? 2 * w - 2 - x : x;
        tile[e] = in[y * pitch + x];
        //        ^^^^^^^^^^^^^^^^^ access worst=32
        //        ^^^^^^^^^^^^^^^^^ none[WC101]
    }
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < w && y < h) out[8 * (y * w + x)] = tile[(threadIdx.y + 2) * COLUMNS + threadIdx.x + 2];
    //                  ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "57% of this kernel's global traffic if w = 1024"
}

// Clamped in one direction, periodic in the other.
__global__ void clamped(const unsigned char *in, unsigned char *out, int w, int h, int pitch) {
    __shared__ unsigned char tile[ROWS * COLUMNS];
    for (int e = threadIdx.y * 32 + threadIdx.x; e < ROWS * COLUMNS; e += 256) {
        int y = min(max((int)(blockIdx.y * 8) + e / COLUMNS - 2, 0), h - 1);
        int x = blockIdx.x * 32 + e % COLUMNS - 2;
        if (x < 0) x += w;
        if (x >= w) x -= w;
        tile[e] = in[y * pitch + x];
        //        ^^^^^^^^^^^^^^^^^ none[WC101]
    }
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < w && y < h) out[8 * (y * w + x)] = tile[(threadIdx.y + 2) * COLUMNS + threadIdx.x + 2];
    //                  ^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "57% of this kernel's global traffic if w = 1024"
}

// Mirrored for every second block: no border, and lanes lie where they are found to.
__global__ void folded(const unsigned char *in, unsigned char *out, int w, int half) {
    int i = blockIdx.x * 256 + threadIdx.y * 32 + threadIdx.x, at = 8 * i;
    if (i % half < half / 2) at = 8 * (w - i);
    out[i] = in[at];
    //       ^^^^^^ access worst=32
}
