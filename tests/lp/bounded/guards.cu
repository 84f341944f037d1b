// Branches that depend on what was loaded.

__global__ void relu_backward(const float *x, const float *dy, float *dx, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (x[i] > 0.0f)
            dx[i] = dy[i];
        else
            dx[i] = 0.0f;
    }
}

__global__ void compact(const int *in, int *out, int *count, int n, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    if (v < limit) {
        int at = atomicAdd(count, 1);
        out[at] = v;
    }
}

// Square roots by Newton's method; lanes converge at different times.
__global__ void newton_sqrt(const float *x, float *root, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = x[i], r = a > 1.0f ? a : 1.0f;
    while (r * r - a > 1e-3f * a)
        r = 0.5f * (r + a / r);
    root[i] = r;
}

__global__ void dispatch(const unsigned char *op, const int *a, const int *b, int *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (op[i]) {
        case 0: c[i] = a[i] + b[i]; break;
        case 1: c[i] = a[i] - b[i]; break;
        case 2: c[i] = a[i] * b[i]; break;
        default: c[i] = 0;
    }
}

// A lower bound in a sorted table.
__global__ void lookup(const int *table, int size, const int *key, int *place, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int k = key[i], low = 0, high = size;
        while (low < high) {
            int middle = (low + high) / 2;
            if (table[middle] < k)
                low = middle + 1;
            else
                high = middle;
        }
        place[i] = low;
    }
}

// Threads leave for more reasons than are told apart.
__global__ void leave_in_turn(float *a, const int *b, int n, int m) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
#define TURN(K) if (t > n + 3 * K) return; a[t] += K; if (m == K) return; if (b[t] == K) return; a[2 * t] = K;
#define TURNS(K) TURN(K) TURN(K + 1) TURN(K + 2) TURN(K + 3)
    TURNS(0) TURNS(4) TURNS(8) TURNS(12)
    if (t < n) a[t + 1] += 1;
    if (m == 2) a[t + 2] += 1;
#undef TURNS
#undef TURN
}
