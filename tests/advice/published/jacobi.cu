// One step of a one-dimensional Jacobi iteration between the halves of an array: S results of a thread, X threads, all read through shared memory.
//@ assume n % (S * X) == 2 && n >= S * X + 2
//@ launch block=(X) grid=((n - 2) / (S * X))
__global__ void jacobi(int *data, int n, int step) {
    __shared__ int before[S * X + 2], after[S * X];
    int first = blockIdx.x * S * X;
    int from = step % 2 ? n : 0, to = step % 2 ? 0 : n;
    for (int k = 0; k < S; k++) before[k * X + threadIdx.x] = data[from + first + k * X + threadIdx.x];
    if (threadIdx.x < 2) before[S * X + threadIdx.x] = data[from + first + S * X + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < S; k++) {
        int at = k * X + threadIdx.x;
        after[at] = (before[at] + before[at + 1] + before[at + 2]) / 3;
    }
    for (int k = 0; k < S; k++) data[to + first + k * X + threadIdx.x + 1] = after[k * X + threadIdx.x];
}
