// Tree reductions, the last warp apart.

__device__ void warp_tail(volatile int *s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

//@ launch block=(256) grid=((n+511)/512)
__global__ void reduce_warp_tail(const int *in, int *out, int n) {
    __shared__ int s[256];
    unsigned t = threadIdx.x, i = blockIdx.x * 512 + threadIdx.x;
    int mine = i < n ? in[i] : 0;
    if (i + 256 < n) mine += in[i + 256];
    s[t] = mine;
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t < 32) warp_tail(s, t);
    if (t == 0) out[blockIdx.x] = s[0];
}

//@ launch block=(256)
__global__ void reduce_shuffle(const float *in, float *out, int n) {
    __shared__ float part[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) part[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? part[lane] : 0;
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
        if (lane == 0) atomicAdd(out, sum);
    }
}

// Place and value of the greatest element of each block.
__global__ void argmax(const float *in, float *value, int *place, int n) {
    __shared__ float best[128];
    __shared__ int at[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    best[t] = i < n ? in[i] : -1e30f;
    at[t] = i;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
        if (t < s && best[t + s] > best[t]) {
            best[t] = best[t + s];
            at[t] = at[t + s];
        }
        __syncthreads();
    }
    if (t == 0) {
        value[blockIdx.x] = best[0];
        place[blockIdx.x] = at[0];
    }
}

// One block per segment of any length.
__global__ void segment_sums(const int *in, const int *start, int *out) {
    __shared__ int s[64];
    int begin = start[blockIdx.x], end = start[blockIdx.x + 1];
    int sum = 0;
    for (int i = begin + threadIdx.x; i < end; i += 64) sum += in[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

// Column sums: each warp reads whole rows.
//@ launch block=(32,8) grid=((cols+31)/32)
__global__ void column_sums(const float *m, float *out, int rows, int cols) {
    __shared__ float part[8][33];
    int col = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    if (col < cols)
        for (int r = threadIdx.y; r < rows; r += 8) sum += m[r * cols + col];
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && col < cols) {
        for (int k = 1; k < 8; k++) sum += part[k][threadIdx.x];
        out[col] = sum;
    }
}
