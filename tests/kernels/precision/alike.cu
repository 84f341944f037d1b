// Accesses of one array whose lanes stand to each other in the same way are one finding, at one of them.

// A tile whose rows are 18 words: two rows a warp, two of whose words share a bank.  Five reads and a store, one cause.
//@ launch block=(16, 16)
__global__ void stencil(float *out, const float *in, int w) {
    __shared__ float tile[18][18];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;
    tile[y + 1][x + 1] = in[at];
//  ^^^^^^^^^^^^^^^^^^ warn[WC201] "2-way, each request takes 2 wavefronts where 1 would do (2x). With 4 more accesses to `tile`: 100%"
    __syncthreads();
    float sum = tile[y][x + 1] + tile[y + 2][x + 1];
//              ^^^^^^^^^^^^^^ access! worst=2 ideal=1
    out[at] = sum + tile[y + 1][x] + tile[y + 1][x + 2];
//                  ^^^^^^^^^^^^^^ access! worst=2 ideal=1
}

// The same place of a lane, read at the head of one loop and of another.
//@ launch block=(256)
__global__ void again(int *out, const int *size, const int *root, const int *rows) {
    int i = blockIdx.x * 256 + threadIdx.x, id = root[i], sum = 0;
    for (int k = 0; k < size[id]; k++)
//                  ^^^^^^^^^^^^ info[WC302]
//                      ^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `root[i]` scatter. With 1 more access to `size`: up to 47% of"
        sum += rows[64 * k + 1];
    for (int k = 1; k < size[id]; k++)
//                  ^^^^^^^^^^^^ info[WC302]
//                      ^^^^^^^^ access! worst=32 ideal=4
        sum -= rows[64 * k];
    out[i] = sum;
}

// Other lanes of the same array are another cost.
//@ launch block=(256)
__global__ void transposed(float *m, int n) {
    __shared__ float tile[16][16];
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    tile[x][y] = m[threadIdx.x];
//  ^^^^^^^^^^ warn[WC201] "8-way"
    __syncthreads();
    m[threadIdx.x] = tile[(3 * x) % 16][0] + tile[y][x];
//                   ^^^^^^^^^^^^^^^^^^^^^ warn[WC201] "8-way"
}

struct Node {
    int key[7];
    int next;
    char leaf;
};

// Of a record the members that lose most are shown, not the narrowest.
//@ launch block=(256)
__global__ void copied(Node *to, const Node *from) {
    int i = blockIdx.x * 256 + threadIdx.x;
    Node node = from[i];
//              ^^^^^^^ info[WC101] "32 sectors where 4 would do (8x). Neighbouring loads read the rest of these sectors. With 17 more accesses to `from` and `to`: 100%"
    node.next = i;
    to[i] = node;
//  ^^^^^ none[WC101]
}

// Four corners of the cell that a sample falls into: one gather, whose parts nobody mends apart.
//@ launch block=(256)
__global__ void sampled(float *out, const float *texture, const float2 *at, int w) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float2 where = at[i];
    int x = (int)floorf(where.x), y = (int)floorf(where.y), right = (int)ceilf(where.x), below = (int)ceilf(where.y);
    float sum = texture[y * w + x];
//              ^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `at[i]` scatter. With 3 more accesses to `texture`"
    sum += texture[y * w + right] + texture[below * w + x] + texture[below * w + right];
//         ^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//                                  ^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    out[i] = sum;
}

// What costs twice the ideal is worth a line where at least eight per cent of the kernel would be saved; what costs eight times as much, sooner.
//@ launch block=(256)
__global__ void slight(float *out, const float *in, const double *weights, const float *rows) {
    __shared__ float tile[512], other[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    for (int k = 0; k < 12; k++) {
        other[t] = in[i + 256 * k];
        __syncthreads();
        out[i + 256 * k] = other[255 - t];
        __syncthreads();
    }
    tile[2 * t] = rows[i];
//  ^^^^^^^^^^^ access! worst=2 ideal=1
//  ^^^^^^^^^^^ none[WC201]
    out[i] = tile[2 * t + 1];
}
