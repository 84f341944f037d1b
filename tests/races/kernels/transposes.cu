// Matrices turned over, through shared memory and in place.
#define T 16

// free: absent
__global__ void of_one_tile(int *a) {
    __shared__ int s[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = a[y * T + x];
    __syncthreads();
    a[y * T + x] = s[x][y];
}

// free: absent
__global__ void with_given_width(int *out, const int *in) {
    __shared__ int s[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[(blockIdx.y * T + y) * 64 + blockIdx.x * T + x];
    __syncthreads();
    out[(blockIdx.x * T + y) * 64 + blockIdx.y * T + x] = s[x][y];
}

// free: absent
__global__ void above_the_diagonal(int *a) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x > y) {
        int low = a[y * T + x];
        a[y * T + x] = a[x * T + y];
        a[x * T + y] = low;
    }
}

// free: absent
__global__ void rows_of_four(int *out, const int *in) {
    __shared__ int s[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    for (int k = 0; k < T; k += 4) s[y + k][x] = in[(y + k) * T + x];
    __syncthreads();
    for (int k = 0; k < T; k += 4) out[(y + k) * T + x] = s[x][y + k];
}

// racy: certain
__global__ void both_swap(int *a) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x != y) {
        int low = a[y * T + x];
        a[y * T + x] = a[x * T + y];
        a[x * T + y] = low;
    }
}

// racy: certain
__global__ void too_narrow(int *a) {
    __shared__ int s[T * T];
    int x = threadIdx.x, y = threadIdx.y;
    s[y * (T - 1) + x] = a[y * T + x];
    __syncthreads();
    a[y * T + x] = s[x * (T - 1) + y];
}

// racy: certain
__global__ void blocks_in_place(int *a) {
    __shared__ int s[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = a[(blockIdx.y * T + y) * 64 + blockIdx.x * T + x];
    __syncthreads();
    a[(blockIdx.x * T + y) * 64 + blockIdx.y * T + x] = s[x][y];
}

// racy: certain
__global__ void second_half_too_early(int *out, const int *in) {
    __shared__ int s[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = in[y * T + x];
    __syncthreads();
    s[y + 8][x] = in[(y + 8) * T + x];
    out[y * T + x] = s[x][y];
    out[(y + 8) * T + x] = s[x][y + 8];
}

void run(int *a, int *b) {
    of_one_tile<<<1, dim3(T, T)>>>(a), with_given_width<<<dim3(4, 4), dim3(T, T)>>>(a, b), above_the_diagonal<<<1, dim3(T, T)>>>(a);
    rows_of_four<<<1, dim3(T, 4)>>>(a, b), both_swap<<<1, dim3(T, T)>>>(a), too_narrow<<<1, dim3(T, T)>>>(a);
    blocks_in_place<<<dim3(4, 4), dim3(T, T)>>>(a), second_half_too_early<<<1, dim3(T, 8)>>>(a, b);
}
