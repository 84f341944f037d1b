// Lanes of a warp exchange something in shared memory without `__syncwarp()`.

__global__ void last_warp(float *a) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
//      ^^^^ hint[WC403] "Race within a warp on `s`"
        s[t] += s[t + 16];
        s[t] += s[t + 8];
    }
    if (t == 0) a[0] = s[0];
}

void run_last_warp(float *a) {
    last_warp<<<1, 64>>>(a);
}

// Ordered, or each lane its own.

__global__ void ordered(float *a) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
        float x = s[t + 32];
        __syncwarp();
        s[t] += x;
//      ^^^^ none[WC403]
        __syncwarp();
        x = s[t ^ 16];
        __syncwarp();
        s[t] += x;
    }
    if (t < 32) a[t] = s[t];
}

void run_ordered(float *a) {
    ordered<<<1, 64>>>(a);
}
