// What divergence costs is the work behind it, not how often warps split.
// PARAM: --block 256

// One lane adds up a few shared words, once, beside a pass over a row: a split in nine, and next to no work.
__global__ void epilogue(float *out, const float *in, int n) {
    __shared__ float part[32];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < 1024 * n; i += 256)
        sum += in[i];
    if (threadIdx.x < 32)
        part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
//      ^^^^^^^^^^^^^^^^ none[WC301]
        float all = 0.0f;
        for (int i = 0; i < 32; i++)
            all += part[i];
        out[blockIdx.x] = all;
    }
}

// The same beside nothing else is what the block does.
__global__ void all_by_one(float *out, const float *in) {
    __shared__ float part[256];
    part[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
//      ^^^^^^^^^^^^^^^^ info[WC301]! "1 of 32 threads active. Costs about 88% of this kernel's work"
        float all = 0.0f;
        for (int i = 0; i < 256; i++)
            all += part[i];
        out[blockIdx.x] = all;
    }
}

// Elements at the edge have a few values of their own where the others gather: the lanes that gather would do so anyway.
__global__ void faces(float *flux, const float *density, const float *normals, const int *neighbours, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int j = 0; j < 4; j++) {
        int next = neighbours[i + j * n];
        if (next >= 0) {
//          ^^^^^^^^^ none[WC301]
            for (int d = 0; d < 3; d++)
                sum += normals[i + (j + 4 * d) * n] * (density[next + d * n] + density[next + (d + 4) * n]);
//                                                     ^^^^^^^^^^^^^^^^^^^^^ hint[WC101]
        } else {
            sum -= normals[i + j * n];
        }
    }
    flux[i] = sum;
}

// A cut at a size that lies in memory: the lanes on each side stand side by side, whatever it is.
__global__ void as_many_as(float *out, const float *in, const int *count, int n) {
    if (threadIdx.x < count[0])
//      ^^^^^^^^^^^^^^^^^^^^^^ none[WC301]
        for (int k = 0; k < n; k++)
            out[k * 256 + threadIdx.x] = in[k * 256 + threadIdx.x];
}

// The same with work on both sides: one warp of eight may split.
__global__ void up_to(float *out, const float *in, const int *count, int n) {
    for (int k = 0; k < n; k++)
        if (threadIdx.x < count[0])
//          ^^^^^^^^^^^^^^^^^^^^^^ none[WC301]
            out[k * 256 + threadIdx.x] = in[k * 256 + threadIdx.x];
        else
            out[k * 256 + threadIdx.x] -= in[k * 256 + threadIdx.x];
}

// What another block does is no work of this one: the shift of every other lane is a part of what runs beside it.
__global__ void one_block_counts(float *out, const float *in, int n) {
    if (blockIdx.x == 0) {
        for (int k = 0; k < n; k++)
            out[k * 256 + threadIdx.x] = in[k * 256 + threadIdx.x];
    } else {
        if (threadIdx.x % 2)
//          ^^^^^^^^^^^^^^^ warn[WC301]! "16 of 32 threads active"
            out[threadIdx.x] += in[threadIdx.x + 1] * in[threadIdx.x + 3];
    }
}

// Halves of a warp that do different things; in each round the loop waits for the longer.
__global__ void halves(float *a, int n) {
    for (int k = 0; k < n; k++) {
        if (threadIdx.x & 16) {
//          ^^^^^^^^^^^^^^^^ info[WC301]! "16 of 32 threads active. Runs n times per warp. Costs about 16% of this kernel's work if n = 1024"
            a[k * 256 + threadIdx.x] *= 2.0f;
            a[k * 256 + threadIdx.x] += 1.0f;
        } else {
            a[k * 256 + threadIdx.x] -= 1.0f;
        }
    }
}

// A bound that all threads share cuts one warp of the eight, wherever it lies; the loop around it grows it.
__global__ void below_a_bound(float *a, const float *b, int n) {
    for (int delta = 1; delta < n; delta *= 2) {
        float x = b[delta * 256 + threadIdx.x];
        if (threadIdx.x < delta)
//          ^^^^^^^^^^^^^^^^^^^ none[WC301]
            x = b[threadIdx.x] / (x + 1.0f) + b[threadIdx.x + 256] / (x + 2.0f);
        else
            x = b[threadIdx.x + 512] / (x - 1.0f) - b[threadIdx.x + 1024] / (x - 2.0f);
        if (threadIdx.x >= 256 - delta)
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC301]
            x *= b[threadIdx.x] / (x + 1.0f) + b[threadIdx.x + 256] / (x + 2.0f);
        else
            x *= b[threadIdx.x + 512] / (x - 1.0f) - b[threadIdx.x + 1024] / (x - 2.0f);
        a[delta * 256 + threadIdx.x] = x;
    }
}

// One thread of the block is the last, whatever the stride.
__global__ void one_is_last(float *a, const float *b, int n, int size) {
    for (int k = 1; k < n; k++) {
        int i = k * (int)threadIdx.x + k - 1;
        if (i == size - 1)
//          ^^^^^^^^^^^^^ none[WC301]
            a[k * 256 + threadIdx.x] = b[threadIdx.x] / (b[k] + 1.0f) + b[threadIdx.x + 256] / (b[k] + 2.0f);
        else
            a[k * 256 + threadIdx.x] = b[threadIdx.x + 512] / (b[k] - 1.0f) - b[threadIdx.x + 1024] / (b[k] - 2.0f);
    }
}

// What lanes ask of data of their own cuts every warp.
__global__ void below_their_own(float *a, const float *b, const int *c, int n) {
    for (int k = 0; k < n; k++) {
        float x = b[k * 256 + threadIdx.x];
        if (threadIdx.x < c[k * 256 + threadIdx.x])
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC301] "osts up to about"
            x = b[threadIdx.x] / (x + 1.0f) + b[threadIdx.x + 256] / (x + 2.0f);
        else
            x = b[threadIdx.x + 512] / (x - 1.0f) - b[threadIdx.x + 1024] / (x - 2.0f);
        a[k * 256 + threadIdx.x] = x;
    }
}
