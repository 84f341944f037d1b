// What both sides of a branch do is no cost of the split: a sign that is picked, an edge that is read from elsewhere.
// PARAM: --block 256

// The same places are loaded and stored, with another sign.
__global__ void signs(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ re, float *__restrict__ im) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i % 2 == 0) {
//      ^^^^^^^^^^ hint[WC301]! "Costs about 48% of this kernel's work, unless the compiler merges what both sides do"
        re[i] = a[i];
        im[i] = b[i];
    } else {
        re[i] = -a[i];
        im[i] = -b[i];
    }
}

// Other places are other requests.
__global__ void crossed(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ re, float *__restrict__ im) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i % 2 == 0) {
//      ^^^^^^^^^^ warn[WC301]! "osts about"
        re[i] = a[i + 1];
        im[i] = b[i + 2];
    } else {
        re[i + 3] = a[i];
        im[i + 4] = b[i];
    }
}

// The place that is stored to is the same; how the values are made is not.
__global__ void made_otherwise(const float *__restrict__ a, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float x = a[i];
    if (i % 2 == 0)
//      ^^^^^^^^^^ warn[WC301]! "osts about"
        out[i] = expf(x) / (1.0f + sinf(x)) + logf(x);
    else
        out[i] = cosf(x) * powf(x, 1.5f) - tanf(x);
}

// The last arm reads the same tile as the others but for the edge, and subtracts the same.
__global__ void edges(const float *__restrict__ v, const float *__restrict__ east, float *__restrict__ out) {
    __shared__ float tile[10][34];
    int x = threadIdx.x % 32 + 1, y = threadIdx.x / 32 + 1;
    tile[y][x] = v[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    float n, s, w, e, c = tile[y][x];
    if (x == 1) {
//      ^^^^^^ hint[WC301]! "unless the compiler merges what both sides do"
        n = tile[y - 1][x] - c;
        s = tile[y + 1][x] - c;
        w = east[y] - c;
        e = tile[y][x + 1] - c;
    } else if (x == 32) {
//             ^^^^^^^ none[WC301]
        n = tile[y - 1][x] - c;
        s = tile[y + 1][x] - c;
        w = tile[y][x - 1] - c;
        e = east[y + 8] - c;
    } else {
        n = tile[y - 1][x] - c;
        s = tile[y + 1][x] - c;
        w = tile[y][x - 1] - c;
        e = tile[y][x + 1] - c;
    }
    out[blockIdx.x * 256 + threadIdx.x] = n * s + w * e;
}

// What is loaded at a variable of the sides' own is another place, though the text is the same; and loops are no part of what is alike.
__global__ void own_names(const float *__restrict__ a, float *__restrict__ out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0.0f;
    if (i % 2 == 0) {
//      ^^^^^^^^^^ warn[WC301]! "osts about 4"
        int k = i + n;
        for (int j = 0; j < 32; j++)
            sum += a[k + j * 8192];
    } else {
        int k = i - n;
        for (int j = 0; j < 32; j++)
            sum += a[k + j * 8192];
    }
    out[i] = sum;
}
