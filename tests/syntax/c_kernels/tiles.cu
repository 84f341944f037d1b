#define TILE 16
#define IDX(r, c, p) ((r) * (p) + (c))
#define IN_RANGE(x, lo, hi) ((x) >= (lo) && (x) <= (hi))
typedef struct { float x, y; int tag[4]; } cell;

__global__ void multiply(float *c, const float *a, const float *b, int n, int p)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
#pragma unroll 4
    for (int t = 0; t < (n + TILE - 1) / TILE; ++t) {
        as[ty][tx] = (row < n && t * TILE + tx < n) ? a[IDX(row, t * TILE + tx, p)] : 0.0f;
        bs[ty][tx] = col < n && t * TILE + ty < n ? b[IDX(t * TILE + ty, col, p)] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    if (row < n && col > (p - 1)) return;
    if (IN_RANGE(row, 0, n) && (col) <= (p)) c[IDX(row, col, p)] = sum;
}

__global__ void __launch_bounds__(256) casts(unsigned char *out, const cell *in, int n, int m)
{
    const int i = (int)(blockIdx.x * blockDim.x) + (int)threadIdx.x;
    unsigned int u = (unsigned)-1, v = (unsigned int)(i) - (n);
    float *f = (float *)(out + n), g = (float)(n) * (m) - (float)-m;
    const cell *p = &in[i];
    out[i] = (unsigned char)(p->x + (*p).y * (float)p->tag[i & 3]);
    out[(i) + (n)] = (n) & (m);
    f[i] = -g - - g, f[i + 1] = (v, u);
    u <<= 2, v ^= u | 1u << 3;
    out[sizeof(cell) * i + sizeof u] = !u && ~v;
}

extern "C" __global__ void control(int *a, int *b, int n, volatile int *flag)
{
    extern __shared__ int s[];
    int *q = s, j = 0, k;
    switch (n % 4) {
    case 0:
    case 1: j = 1; break;
    case 2: { j = 2; }
    default: j--;
    }
    do { *q++ = a[j++]; if (j == 7) continue; } while (j < n);
    while (n --> 0) if (a[n]) break; else b[n] = a[n] ? n : -n;
    for (k = 0, j = n; k < j; k++, --j) ;
    for (;;) { if (*flag) break; }
    a[b[a[j]]] += a[j] > b[j] ? a[j] : a[j] < k ? k : (j = 3, j);
    if (n) if (k) a[0] = 1; else a[1] = 2;
    atomicAdd(&a[k >> 5], 1);
    ;
}

__device__ static inline float poly(float x, const float c[8], float (*t)[4])
{
    return ((c[3] * x + c[2]) * x + c[1]) * x + c[0] + t[1][2] / (1.0 + (x) / (c[0]) + (x) / c[7]);
}
