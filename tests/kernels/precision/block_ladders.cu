// Blocks of which the host's text leaves a few: each that a conditional, an `if` or a `switch` may make is a shape of its own, and
// of a minimum with a constant the most.

//! block (8, 32)
__global__ void by_ifs(float *out, const float *in) {
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    out[i] = in[2 * i];
//           ^^^^^^^^^ access! worst=8 ideal=4 exact=true
//           ^^^^^^^^^ warn[WC101]! "8 sectors where 4 would do"
}

void launch_by_ifs(float *out, int n) {
    int threads = 1024;
    if (n <= 256)
        threads = 256;
    else if (n <= 512) {
        threads = 512;
    } else if (n < 0) {
        threads = 0;
        return;
    }
    dim3 block(threads / 32, 32);
    by_ifs<<<n, block>>>(out, out);
}

//! block (128)
template <int THREADS> __global__ void by_condition(float *out, const float *in) {
    __shared__ float row[THREADS];
    row[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * THREADS + threadIdx.x] = row[THREADS - 1 - threadIdx.x];
//                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=1 exact=true
}

void launch_by_condition(float *out, int n) {
    const int threads = n > 64 ? 128 : 96;
    switch (threads) {
    case 96: by_condition<96><<<n, threads>>>(out, out); break;
    case 128: by_condition<128><<<n, threads>>>(out, out); break;
    }
}

//! block (192)
__global__ void at_most(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[3 * i];
//               ^^^^^^^^^ access! worst=12 ideal=4 exact=true
//               ^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do"
}

void launch_at_most(float *out, int n) { at_most<<<8, std::min((n + 31) / 32 * 32, 192)>>>(out, out, n); }
