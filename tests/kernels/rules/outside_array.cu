// Indexes that are numbers in each thread, beyond a declared array.

__constant__ float weights[4];

__global__ void one_beyond(float *a) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    float w = 0;
    for (int k = 0; k <= 4; k++) w += weights[k];
    //                                ^^^^^^^^^^ warn[WC405] "`weights[k]` lies outside of `weights`: byte 16 of 16, in thread (0, 0, 0)"
    a[threadIdx.x] = w + s[threadIdx.x + 1];
    //                   ^^^^^^^^^^^^^^^^^^ warn[WC405] "`s[threadIdx.x + 1]` lies outside of `s`: byte 1024 of 1024, in thread (255, 0, 0)"
}

void run_one_beyond(float *a) {
    one_beyond<<<1, 256>>>(a);
}

// Kept inside by a guard, by another launch, or by what nobody knows here.

__global__ void inside(float *a, int n, int at) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 255) a[threadIdx.x] = s[threadIdx.x + 1];
    //                                      ^^^^^^^^^^^^^^^^^^ none[WC405]
    if (threadIdx.x < n) a[threadIdx.x] += s[threadIdx.x + 1];
    //                                     ^^^^^^^^^^^^^^^^^^ none[WC405]
    a[threadIdx.x] += s[255 - threadIdx.x] + s[at];
    //                                       ^^^^^ none[WC405]
}

void run_inside(float *a, int n, int at) {
    inside<<<1, 256>>>(a, n, at);
}
