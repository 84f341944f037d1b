// Blocks that a program has as it is run: `main` begins with a size that only an option on its command line changes.

#include <cstdlib>

// No more than two lanes of a block of 64 lie on one bank; of 256 threads eight would.
__global__ void halve(const float *in, float *out, int rounds) {
    extern __shared__ float row[];
    int step = 1, active = blockDim.x / 2;
    row[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int round = 0; round < rounds; round++) {
        __syncthreads();
        if (threadIdx.x < active) row[2 * step * threadIdx.x] += row[2 * step * threadIdx.x + step];
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]! "2-way, each request takes 2 wavefronts where 1 would do (2x). Runs at most 6 times per warp (2 requests each). With 1 more access to `row`: 89% of this kernel's shared-memory traffic. Assumes block 64"
        step *= 2;
        active /= 2;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = row[threadIdx.x];
}

// Two calls with two blocks: nobody knows which of them counts.
__global__ void halve_in_both(const float *in, float *out, int rounds) {
    extern __shared__ float row[];
    int step = 1, active = blockDim.x / 2;
    row[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int round = 0; round < rounds; round++) {
        __syncthreads();
        if (threadIdx.x < active) row[2 * step * threadIdx.x] += row[2 * step * threadIdx.x + step];
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]! "up to 8-way, each request takes 3.9 wavefronts on average where 1 would do (3.9x)"
        step *= 2;
        active /= 2;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = row[threadIdx.x];
}

bool has_option(int count, const char **words, const char *option);

void both(float *in, float *out, int size, int rounds) {
    dim3 threads(size);
    halve_in_both<<<512, threads, size * 4>>>(in, out, rounds);
}

void solve(float *in, float *out, int size, int systems, int rounds) {
    size_t width;
    width = size / 2;
    dim3 threads(width);
    halve<<<systems, threads, width * 4>>>(in, out, rounds);
}

int main(int argc, const char **argv) {
    float *in, *out;
    int size = 128, systems = 4096;
    cudaMalloc(&in, 1 << 24);
    cudaMalloc(&out, 1 << 24);
    if (has_option(argc, (const char **)argv, "size")) {
        size = atoi(getenv("SIZE"));
        if (size > 128) return 1;
    }
    solve(in, out, size, systems, argc);
    both(in, out, size, argc);
    both(in, out, 2 * size, argc);
}
