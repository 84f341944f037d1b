// Loops that stride over the grid or over the block.

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}

//@ launch block=(128) grid=(rows)
__global__ void scale_rows(float *m, const float *__restrict__ factor, int rows, int cols) {
    float *row = m + blockIdx.x * cols;
    const float f = factor[blockIdx.x];
    for (int j = threadIdx.x; j < cols; j += blockDim.x)
        row[j] *= f;
}

// Four elements at a time, and what is left one by one.
__global__ void add_vectors(const float4 *a, const float4 *b, float4 *c, int n) {
    const int stride = gridDim.x * blockDim.x;
    const int quads = n / 4;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < quads; i += stride) {
        float4 u = a[i], v = b[i];
        c[i] = make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
    }
    const float *ra = (const float *)a, *rb = (const float *)b;
    float *rc = (float *)c;
    for (int j = 4 * quads + blockIdx.x * blockDim.x + threadIdx.x; j < n; j += stride)
        rc[j] = ra[j] + rb[j];
}

// Array of structures: every field is a strided access.
struct Particle { float x, y, z, vx, vy, vz; };

__global__ void drift(Particle *p, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].x += p[i].vx * dt;
    p[i].y += p[i].vy * dt;
    p[i].z += p[i].vz * dt;
}

// Each thread takes a run of neighbouring elements: lanes are `chunk` apart.
__global__ void chunked_sum(const int *in, int *out, int chunk, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int first = t * chunk, last = min(first + chunk, n);
    int sum = 0;
    for (int i = first; i < last; ++i) sum += in[i];
    out[t] = sum;
}
