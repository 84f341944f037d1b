// Renditions of the kernels whose costs were profiled for the POPL 2021 paper on resource bounds of CUDA kernels: the same
// accesses, branches and steps, written anew.  Sizes and totals are in published.tsv.

__global__ void vector_add(const float *a, const float *b, float *c, int n) {
    int k = blockDim.x * blockIdx.x + threadIdx.x;
    if (k < n) c[k] = a[k] + b[k];
}

__global__ void add_sub_0(const int *v, int *m, int w, int h) {
    for (int col = 0; col < w; col++) {
        int row = blockIdx.x * blockDim.x + threadIdx.x;
        if (row % 2 == 0) {
            m[row * w + col] += v[col];
        } else {
            m[row * w + col] -= v[col];
        }
    }
}

__global__ void add_sub_1(const int *v, int *m, int w, int h) {
    for (int col = 0; col < w; col++) {
        int pair = blockIdx.x * blockDim.x + threadIdx.x;
        m[2 * pair * w + col] += v[col];
        m[(2 * pair + 1) * w + col] -= v[col];
    }
}

__global__ void add_sub_2(const int *v, int *m, int w, int h) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int row = 0; row < h; row += 2) {
        m[row * w + col] += v[col];
        m[(row + 1) * w + col] -= v[col];
    }
}

__global__ void add_sub_3(const int *v, int *m, int w, int h) {
    __shared__ int mine[1024];
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    mine[threadIdx.x] = v[col];
    for (int row = 0; row < h; row += 2) {
        m[row * w + col] += mine[col];
        m[(row + 1) * w + col] -= mine[col];
    }
}

__global__ void mat_mul(float *c, const float *a, const float *b, int wa, int wb) {
    int bx = blockIdx.x;
    int by = blockIdx.y;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int from = wa * 32 * by;
    int to = from + wa - 1;
    int step_a = 32;
    int start_b = 32 * bx;
    int step_b = 32 * wb;
    float sum = 0;
    for (int i = from, j = start_b; i <= to; i += step_a, j += step_b) {
        __shared__ float left[32][32];
        __shared__ float right[32][32];
        left[ty][tx] = a[i + wa * ty + tx];
        right[ty][tx] = b[j + wb * ty + tx];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    int at = wb * 32 * by + 32 * bx;
    c[at + wb * ty + tx] = sum;
}

__global__ void mat_mul_trans(float *c, const float *a, const float *b, int wa, int wb) {
    int bx = blockIdx.x;
    int by = blockIdx.y;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int from = wa * 32 * by;
    int to = from + wa - 1;
    int step_a = 32;
    int start_b = 32 * bx;
    int step_b = 32 * wb;
    float sum = 0;
    for (int i = from, j = start_b; i <= to; i += step_a, j += step_b) {
        __shared__ float left[32][32];
        __shared__ float right[32][32];
        left[tx][ty] = a[i + wa * ty + tx];
        right[ty][tx] = b[j + wb * ty + tx];
        __syncthreads();
        for (int k = 0; k < 32; ++k) sum += left[k][ty] * right[k][tx];
        __syncthreads();
    }
    int at = wb * 32 * by + 32 * bx;
    c[at + wb * ty + tx] = sum;
}

__global__ void mat_mul_bad(float *c, const float *a, const float *b, int wa, int wb) {
    int bx = blockIdx.x;
    int by = blockIdx.y;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int from = wa * 32 * by;
    int to = from + wa - 1;
    int step_a = 32;
    int start_b = 32 * bx;
    int step_b = 32 * wb;
    float x, y;
    for (int i = from, j = start_b; i <= to; i += step_a, j += step_b) {
        __syncthreads();
        float part;
        for (int k = 0; k < 32; ++k) {
            x = a[i + wa * ty + k];
            y = b[j + wb * k + tx];
            if ((y - 1.0) < 0.001) {
                part = x;
            } else {
                part = x * y;
            }
            c[wb * 32 * by + 32 * bx + wb * ty + tx] += part;
        }
        __syncthreads();
    }
}

__global__ void reduce_0(const int *in, int *out, unsigned int n) {
    __shared__ int s[256];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) s[t] = in[i];
    for (unsigned int d = 1; d < blockDim.x; d *= 2) {
        if ((t % (2 * d)) == 0) s[t] += s[t + d];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void reduce_1(const int *in, int *out, unsigned int n) {
    __shared__ int s[256];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) s[t] = in[i];
    for (unsigned int d = 1; d < blockDim.x; d *= 2) {
        int at = 2 * d * t;
        if (at < blockDim.x) s[at] += s[at + d];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void reduce_2(const int *in, int *out, unsigned int n) {
    __shared__ int s[256];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) s[t] = in[i];
    for (unsigned int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void reduce_2a(const int *in, int *out, unsigned int n) {
    __shared__ int s[256];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) s[t] = in[i];
    for (unsigned int d = 2; d < blockDim.x; d *= 2) {
        int half = blockDim.x / d;
        if (t < half) s[t] += s[t + half];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void reduce_3(const int *in, int *out, unsigned int n) {
    __shared__ int s[256];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    int sum = 0;
    if (i < n) sum = in[i];
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    s[t] = sum;
    for (unsigned int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) s[t] = sum = sum + s[t + d];
    }
    if (t == 0) out[blockIdx.x] = sum;
}

__global__ void reduce_3a(const int *in, int *out, unsigned int n) {
    __shared__ int s[256];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    int sum = 0;
    if (i < n) sum = in[i];
    if (i + blockDim.x < n) sum += in[i + blockDim.x];
    s[t] = sum;
    for (unsigned int d = 2; d < blockDim.x; d *= 2) {
        int half = blockDim.x / d;
        if (t < half) s[t] = sum = sum + s[t + half];
    }
    if (t == 0) out[blockIdx.x] = sum;
}

__global__ void distributed(int n, int m, int v) {
    extern __shared__ int first[];
    int *second = first + m;
    for (int i = 0; i < n; ++i) {
        if ((threadIdx.x + i) % 2 == 0) {
            for (int j = 0; j < m; ++j) first[j] = v;
            int sum = 0;
            for (int j = 0; j < m; ++j) {
                sum += first[j];
                second[j] = sum;
            }
            for (int j = 0; j < m; ++j) second[j] += v;
        } else {
            for (int j = 0; j < m; ++j) first[j] = v * 2;
            int sum = 0;
            for (int j = 0; j < m; ++j) {
                sum += first[j];
                second[j] = sum;
            }
            for (int j = 0; j < m; ++j) second[j] *= second[j];
        }
    }
}

__global__ void distributed_opt(int n, int m, int v) {
    extern __shared__ int first[];
    int *second = first + m;
    for (int i = 0; i < n; ++i) {
        if ((threadIdx.x + i) % 2 == 0) {
            for (int j = 0; j < m; ++j) first[j] = v;
        } else {
            for (int j = 0; j < m; ++j) first[j] = v * 2;
        }
        int sum = 0;
        for (int j = 0; j < m; ++j) {
            sum += first[j];
            second[j] = sum;
        }
        if ((threadIdx.x + i) % 2 == 0) {
            for (int j = 0; j < m; ++j) second[j] += v;
        } else {
            for (int j = 0; j < m; ++j) second[j] *= second[j];
        }
    }
}
