// Barriers to which a part of the block comes.

__global__ void first_ones(int *a, int n) {
    if (threadIdx.x < n) {
        a[blockIdx.x * 256 + threadIdx.x] = 1;
        __syncthreads();
//      ^^^^^^^^^^^^^^^ warn[WC402] "`__syncthreads()` parts the block: some threads wait here and others never come"
    }
}

__global__ void rounds(float *a, int n) {
    __shared__ float s[256];
    for (int i = threadIdx.x; i < n; i += 256) {
        s[threadIdx.x] = a[i];
        __syncthreads();
//      ^^^^^^^^^^^^^^^ warn[WC402] "parts the block"
    }
}

__global__ void returned(const float *__restrict__ a, float *b, int n) {
    __shared__ float s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    s[threadIdx.x] = a[i];
    __syncthreads();
//  ^^^^^^^^^^^^^^^ info[WC402] "Threads of the block may have returned before `__syncthreads()`"
    b[i] = s[threadIdx.x ^ 32];
}

__global__ void by_data(int *a) {
    if (a[threadIdx.x] > 0) __syncthreads();
//                          ^^^^^^^^^^^^^^^ hint[WC402] "may part the block"
    a[threadIdx.x] = 1;
}

void run_parted(float *a, float *b, int *c, int n) {
    first_ones<<<64, 256>>>(c, n);
    rounds<<<1, 256>>>(a, n);
    returned<<<64, 256>>>(a, b, n);
    by_data<<<1, 256>>>(c);
}

// All threads of the block decide alike.

__global__ void together(const float *__restrict__ a, float *b, int n) {
    __shared__ float s[256];
    __shared__ int go_on;
    if (threadIdx.x == 0) go_on = n > 3;
    __syncthreads();
    if (go_on && n % 2 == 0) {
        for (int k = 0; k < n; k++) {
            s[threadIdx.x] = a[256 * k + threadIdx.x];
            __syncthreads();
//          ^^^^^^^^^^^^^^^ none[WC402]
            b[256 * k + threadIdx.x] = s[255 - threadIdx.x];
            __syncthreads();
        }
    }
}

void run_together(float *a, float *b, int n) {
    together<<<1, 256>>>(a, b, n);
}
