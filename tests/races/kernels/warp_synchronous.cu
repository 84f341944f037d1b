// Lanes of one warp exchange values through shared memory.
#define N 64

// free: absent
__global__ void tail_with_barriers(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
        for (int k = 32; k > 0; k /= 2) {
            int x = s[t + k];
            __syncwarp();
            if (t < k) s[t] += x;
            __syncwarp();
        }
        a[t] = s[0];
    }
}

// free: absent
__global__ void own_row(int *a) {
    __shared__ int s[N / 32][33];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    s[w][lane] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[w][31 - lane];
}

// free: undecided, too many accesses of the same cells
__global__ void turned_in_a_warp(int *a) {
    __shared__ int s[N / 32][32][33];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = 0; k < 32; k++) s[w][k][lane] = a[(w * 32 + k) * 32 + lane];
    __syncwarp();
    for (int k = 0; k < 32; k++) a[(w * 32 + k) * 32 + lane] = s[w][lane][k];
}

// free: absent
__global__ void leader_tells(int *a) {
    __shared__ int s[N / 32];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) s[w] = atomicAdd(a, 32);
    __syncwarp();
    a[32 + threadIdx.x] = s[w] + lane;
}

// racy: lock step
__global__ void tail_in_lock_step(int *a) {
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
    }
    __syncthreads();
    a[t] = s[t];
}

// racy: lock step
__global__ void leader_not_awaited(int *a) {
    __shared__ int s[N / 32];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) s[w] = a[w];
    a[32 + threadIdx.x] = s[w] + lane;
}

// racy: certain
__global__ void row_of_the_other_warp(int *a) {
    __shared__ int s[N / 32][33];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    s[w][lane] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[1 - w][lane];
}

// racy: certain
__global__ void rows_that_overlap(int *a) {
    __shared__ int s[N];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    s[w * 31 + lane] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[w * 31 + 31 - lane];
}

void run(int *a) {
    tail_with_barriers<<<1, N>>>(a), own_row<<<1, N>>>(a), turned_in_a_warp<<<1, N>>>(a), leader_tells<<<1, N>>>(a);
    tail_in_lock_step<<<1, N>>>(a), leader_not_awaited<<<1, N>>>(a), row_of_the_other_warp<<<1, N>>>(a), rows_that_overlap<<<1, N>>>(a);
}
