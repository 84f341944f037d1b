// Prefix sums.

// Hillis and Steele with two buffers; n elements a block.
//@ launch block=(128)
__global__ void scan_naive(const int *in, int *out, int n) {
    __shared__ int s[2 * 128];
    int t = threadIdx.x, now = 0, was = 1;
    s[t] = t > 0 && t < n ? in[t - 1] : 0;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        now = 1 - now;
        was = 1 - was;
        if (t >= d)
            s[now * 128 + t] = s[was * 128 + t] + s[was * 128 + t - d];
        else
            s[now * 128 + t] = s[was * 128 + t];
        __syncthreads();
    }
    if (t < n) out[t] = s[now * 128 + t];
}

// Blelloch's two sweeps.
//@ launch block=(128) grid=(n/256)
//@ assume n % 256 == 0 && n >= 256
__global__ void scan_blelloch(const int *in, int *out, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, base = blockIdx.x * 256, apart = 1;
    s[2 * t] = in[base + 2 * t];
    s[2 * t + 1] = in[base + 2 * t + 1];
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = apart * (2 * t + 1) - 1, b = apart * (2 * t + 2) - 1;
            s[b] += s[a];
        }
        apart *= 2;
    }
    if (t == 0) s[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        apart >>= 1;
        __syncthreads();
        if (t < d) {
            int a = apart * (2 * t + 1) - 1, b = apart * (2 * t + 2) - 1;
            int v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    out[base + 2 * t] = s[2 * t];
    out[base + 2 * t + 1] = s[2 * t + 1];
}

// The same with indices spread over the banks.
#define SPREAD(i) ((i) + ((i) >> 5))

__global__ void scan_spread(const int *in, int *out, int n) {
    __shared__ int s[256 + 8];
    int t = threadIdx.x;
    s[SPREAD(t)] = t < n ? in[t] : 0;
    s[SPREAD(t + 128)] = t + 128 < n ? in[t + 128] : 0;
    int apart = 1;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = SPREAD(apart * (2 * t + 1) - 1), b = SPREAD(apart * (2 * t + 2) - 1);
            s[b] += s[a];
        }
        apart *= 2;
    }
    __syncthreads();
    if (t < n) out[t] = s[SPREAD(t)];
}

// Sums of warps by shuffles, then of the block.
//@ launch block=(256)
__global__ void scan_warps(const int *in, int *out, int n) {
    __shared__ int ends[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d <<= 1) {
        int left = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += left;
    }
    if (lane == 31) ends[warp] = v;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; w++) before += ends[w];
    if (i < n) out[i] = v + before;
}
