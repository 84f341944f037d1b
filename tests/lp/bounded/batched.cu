// Batches of small problems, and triangular loops.

// A block per row: greatest element, sum of exponentials, division.
//@ launch block=(128) grid=(rows)
__global__ void softmax_rows(const float *in, float *out, int rows, int cols) {
    __shared__ float s[128];
    const float *x = in + blockIdx.x * cols;
    float *y = out + blockIdx.x * cols;
    float top = -1e30f;
    for (int j = threadIdx.x; j < cols; j += 128) top = fmaxf(top, x[j]);
    s[threadIdx.x] = top;
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + k]);
        __syncthreads();
    }
    top = s[0];
    __syncthreads();
    float sum = 0;
    for (int j = threadIdx.x; j < cols; j += 128) {
        float e = expf(x[j] - top);
        y[j] = e;
        sum += e;
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    sum = s[0];
    for (int j = threadIdx.x; j < cols; j += 128) y[j] /= sum;
}

// Factors of many small matrices, one per thread; matrices are interleaved.
__global__ void cholesky_batch(float *a, int n, int batch) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch) return;
#define A(r, c) a[((r) * n + (c)) * batch + b]
    for (int k = 0; k < n; k++) {
        float d = sqrtf(A(k, k));
        A(k, k) = d;
        for (int i = k + 1; i < n; i++) A(i, k) /= d;
        for (int j = k + 1; j < n; j++)
            for (int i = j; i < n; i++) A(i, j) -= A(i, k) * A(j, k);
    }
#undef A
}

// Forward substitution, a right-hand side per thread.
//@ launch block=(64) grid=(columns/64)
//@ assume columns % 64 == 0 && columns >= 64
__global__ void forward_substitution(const float *L, float *x, int n, int columns) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < n; i++) {
        float v = x[i * columns + c];
        for (int j = 0; j < i; j++) v -= L[i * n + j] * x[j * columns + c];
        x[i * columns + c] = v / L[i * n + i];
    }
}

// Distances of all pairs i < j: each thread has a row of the upper triangle.
__global__ void pairs(const float *x, float *d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int j = i + 1; j < n; j++) d[i * n + j] = fabsf(x[i] - x[j]);
}

// One block eliminates below the pivot of a matrix in shared memory.
__global__ void eliminate(float *m, int n) {
    __shared__ float s[32][33];
    int c = threadIdx.x;
    for (int r = 0; r < 32; r++) s[r][c] = r < n && c < n ? m[r * n + c] : 0.0f;
    __syncthreads();
    for (int k = 0; k < n - 1; k++) {
        for (int r = k + 1; r < n; r++) {
            float f = s[r][k] / s[k][k];
            __syncthreads();
            if (c >= k) s[r][c] -= f * s[k][c];
            __syncthreads();
        }
    }
    for (int r = 0; r < n; r++)
        if (c < n) m[r * n + c] = s[r][c];
}
