// The launch stands in the host's code, the grid in a variable, and shared memory is the launch's.
// resources T Z
// case THREADS <= T and EACH*THREADS <= Z: EACH kept
// case THREADS <= T and THREADS <= Z and Z < EACH*THREADS: EACH=1
// case THREADS <= T and Z < THREADS: no Z
// case T < THREADS: no T
#define THREADS 128
#define EACH 4
__global__ void turn_round(float *out, const float *in) {
    extern __shared__ float row[];
    int first = blockIdx.x * THREADS * EACH;
    for (int k = 0; k < EACH; k++) row[k * THREADS + threadIdx.x] = in[first + k * THREADS + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < EACH; k++) out[first + k * THREADS + threadIdx.x] = row[THREADS * EACH - 1 - k * THREADS - threadIdx.x];
}
void run(float *out, const float *in, int n) {
    int blocks = n / (THREADS * EACH);
    dim3 block(THREADS);
    turn_round<<<blocks, block, THREADS * EACH * sizeof(float)>>>(out, in);
}
