// The same reduction on both sides of a test of which a launch takes one: told once, where it loses more.
// PARAM: --block 256

__global__ void full_or_not(float *sums, int n) {
    __shared__ float part[256];
    int tid = threadIdx.x, at = blockIdx.x * 256 + tid;
    part[tid] = at < n ? sums[at] : 0.0f;
    __syncthreads();
    int last = 256 - (gridDim.x * 256 - n);
    if (last == 256) {
        for (int s = 2; s <= 256; s *= 2) {
            if ((tid + 1) % s == 0)
//              ^^^^^^^^^^^^^^^^^^ none[WC301]
                part[tid] += part[tid - s / 2];
            __syncthreads();
        }
        if (tid == 255)
            sums[blockIdx.x] = part[255];
    } else {
        for (int s = 2; s <= 256; s *= 2) {
            if ((tid + 1) % s == 0) {
//              ^^^^^^^^^^^^^^^^^^ warn[WC301]
                part[tid] += part[tid - s / 2];
                part[tid] += 0.5f * part[tid];
            }
            __syncthreads();
        }
        if (tid == 255)
            sums[blockIdx.x] = part[255];
    }
}

// One after the other: a run pays for both.
__global__ void one_then_other(float *sums, int n) {
    __shared__ float part[256];
    int tid = threadIdx.x, at = blockIdx.x * 256 + tid;
    part[tid] = at < n ? sums[at] : 0.0f;
    __syncthreads();
    int last = 256 - (gridDim.x * 256 - n);
    if (last == 256) {
        for (int s = 2; s <= 256; s *= 2) {
            if ((tid + 1) % s == 0)
//              ^^^^^^^^^^^^^^^^^^ info[WC301]
                part[tid] += part[tid - s / 2];
            __syncthreads();
        }
    }
    if (last != 7) {
        for (int s = 2; s <= 256; s *= 2) {
            if ((tid + 1) % s == 0)
//              ^^^^^^^^^^^^^^^^^^ info[WC301]
                part[tid] += part[tid - s / 2];
            __syncthreads();
        }
    }
    if (tid == 255)
        sums[blockIdx.x] = part[255];
}

// Another question on the other side.
__global__ void two_questions(float *sums, int n) {
    __shared__ float part[256];
    int tid = threadIdx.x, at = blockIdx.x * 256 + tid;
    part[tid] = at < n ? sums[at] : 0.0f;
    __syncthreads();
    if (n % 256 == 0) {
        for (int s = 2; s <= 256; s *= 2) {
            if ((tid + 1) % s == 0)
//              ^^^^^^^^^^^^^^^^^^ warn[WC301]
                part[tid] += part[tid - s / 2];
            __syncthreads();
        }
    } else {
        for (int s = 1; s < 256; s *= 2) {
            if (tid % (2 * s) == 0)
//              ^^^^^^^^^^^^^^^^^^ warn[WC301]
                part[tid] += part[tid + s];
            __syncthreads();
        }
    }
    if (tid == 0)
        sums[blockIdx.x] = part[0] + part[255];
}
