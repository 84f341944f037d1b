// Textbook kernels whose results are known: compared with numpy.
#include <cuda_fp16.h>

__global__ void vector_add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

template <int TILE>
__global__ void matrix_product(const float *a, const float *b, float *c, int n) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < (n + TILE - 1) / TILE; t++) {
        int column = t * TILE + threadIdx.x, row = t * TILE + threadIdx.y;
        left[threadIdx.y][threadIdx.x] = y < n && column < n ? a[y * n + column] : 0.0f;
        right[threadIdx.y][threadIdx.x] = row < n && x < n ? b[row * n + x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    if (x < n && y < n) c[y * n + x] = sum;
}

void launch(const float *a, const float *b, float *c, int n) {
    matrix_product<16><<<dim3(8, 8), dim3(16, 16)>>>(a, b, c, n);
}

__global__ void reduction(const float *in, float *out, int n) {
    extern __shared__ float partial[];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    partial[t] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) partial[t] += partial[t + half];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, partial[0]);
}

__inline__ __device__ int warp_sum(int v) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}

__global__ void shuffled_reduction(const int *in, int *out, int n) {
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int v = warp_sum(i < n ? in[i] : 0);
    if (lane == 0) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
        if (lane == 0) out[blockIdx.x] = v;
    }
}

__global__ void scan(const int *in, int *out, int n) {
    __shared__ int buffer[2][512];
    int t = threadIdx.x, from = 0, to = 1;
    buffer[0][t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        buffer[to][t] = t >= d ? buffer[from][t] + buffer[from][t - d] : buffer[from][t];
        __syncthreads();
        from = 1 - from;
        to = 1 - to;
    }
    if (t < n) out[t] = buffer[from][t];
}

__global__ void histogram(const unsigned char *data, unsigned int *bins, int n) {
    __shared__ unsigned int mine[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[data[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], mine[b]);
}

__global__ void transpose(const double *in, double *out, int w, int h) {
    __shared__ double tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < h && y < w) out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

__constant__ float weights[5];

__global__ void stencil(const float *in, float *out, int n) {
    __shared__ float near[128 + 4];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 2;
    near[t] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < 2) {
        near[threadIdx.x] = i >= 2 ? in[i - 2] : 0.0f;
        near[t + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int d = -2; d <= 2; d++) sum += weights[d + 2] * near[t + d];
    if (i < n) out[i] = sum;
}

struct Rows {
    int count;
    const int *start;
    const int *column;
    const float *value;
};

__global__ void sparse_product(Rows m, const float *x, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m.count) return;
    float sum = 0.0f;
    for (int k = m.start[row]; k < m.start[row + 1]; k++) sum += m.value[k] * x[m.column[k]];
    y[row] = sum;
}

struct Particle {
    float3 place;
    float mass;
    short kind;
};

__device__ float4 pulled(float4 force, const Particle &p, float3 at) {
    float dx = p.place.x - at.x, dy = p.place.y - at.y, dz = p.place.z - at.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1.0f);
    float strength = p.mass * inverse * inverse * inverse;
    force.x += strength * dx;
    force.y += strength * dy;
    force.z += strength * dz;
    force.w += p.kind < 0 ? 0.0f : 1.0f;
    return force;
}

__global__ void forces(const Particle *particles, float4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 force = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        force = pulled(force, particles[j], particles[i].place);
    }
    out[i] = force;
}

__global__ void integers(const int *a, const int *b, long long *out, unsigned char *bytes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x = a[i], y = b[i];
    unsigned int u = (unsigned int)x * 2654435761u;
    short s = (short)(x * 3);
    long long result = (long long)x * y;
    switch (i % 5) {
        case 0: result += x / y; break;
        case 1: result -= x % y;
        case 2: result ^= u >> (i & 31); break;
        case 3: result = (result << 3) + s; break;
        default: result = -(result >> 2) | (x & ~y);
    }
    do {
        result -= 7;
        if (result % 11 == 0) break;
    } while (result % 13 != 0);
    out[i] = result;
    bytes[i] = (unsigned char)(x - y);
}

__global__ void halves(const __half *a, const __half *b, __half *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = __hadd(__hmul(a[i], b[i]), __float2half(0.5f));
}

__global__ void last_block(const int *in, int *partial, int *ticket, int *out, int n) {
    __shared__ int sum;
    __shared__ bool last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sum, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc((unsigned int *)ticket, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) total += partial[b];
        *out = total;
    }
}

__global__ void ballots(const int *in, unsigned int *out, int *ranks, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool odd = in[i] & 1;
    unsigned int votes = __ballot_sync(0xffffffff, odd);
    int before = __popc(votes & ((1u << (threadIdx.x % 32)) - 1));
    ranks[i] = odd ? before : -1;
    if (threadIdx.x % 32 == 0) out[i / 32] = votes;
}
