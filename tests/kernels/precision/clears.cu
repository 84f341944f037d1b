// Kernels that store nothing but constants waste what others waste: findings speak of them as of any kernel, as the rounds of loops beside them are in memory.

struct Body {
    float x, y, z, w;
};

__global__ void clears(Body *bodies, const int *used, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = *used + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        bodies[i].w = -1.0f;
//      ^^^^^^^^^^^ warn[WC101]! "up to 17 sectors where 4 would do (4.2x)"
}

// It computes something.
__global__ void halves(Body *bodies, const int *used, int n) {
    for (int i = *used + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        bodies[i].w = 0.5f * i;
//      ^^^^^^^^^^^ warn[WC101]! "up to 17 sectors where 4 would do (4.2x)"
}

__global__ void walks(Body *bodies, const int *next, const int *first, const int *last, int n) {
    for (int i = first[n] + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float sum = 0.0f;
        for (int k = first[i]; k < last[i]; k++)
            for (int at = next[k]; at > 0; at = next[at])
//                                 ^^^^^^ info[WC302] "threads of a warp may exit at different iterations (depends on data: `next[k]`)"
//                                              ^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `next[k]` scatter"
                sum += bodies[at].w;
//                     ^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `next[k]` scatter"
        bodies[i].x = sum;
    }
}

void steps(Body *bodies, const int *next, const int *first, const int *last, int n, int blocks, int steps) {
    for (int step = 0; step < steps; step++) {
        clears<<<blocks, 256>>>(bodies, first, n);
        halves<<<blocks, 256>>>(bodies, first, n);
        walks<<<blocks, 256>>>(bodies, next, first, last, n);
    }
}

// Beside what goes through an array once as well.
__global__ void resets(Body *bodies, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        bodies[i].w = -1.0f;
//      ^^^^^^^^^^^ warn[WC101] "16 sectors where 4 would do (4x)"
}

__global__ void moves(Body *bodies, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        bodies[i].x += bodies[i].y;
        //             ^^^^^^^^^^^ hint[WC104]
//      ^^^^^^^^^^^ warn[WC101] "16 sectors where 4 would do (4x)"
}

void lighter_steps(Body *bodies, int n, int blocks, int steps) {
    for (int step = 0; step < steps; step++) {
        resets<<<blocks, 256>>>(bodies, n);
        moves<<<blocks, 256>>>(bodies, n);
    }
}

// Marks what is reached: constants as well, but it reads to find where.
__global__ void marks(Body *bodies, const int *parent, const int *used, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = *used + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        if (parent[i] > 0)
            bodies[i].w = -1.0f;
//          ^^^^^^^^^^^ info[WC101] "up to 17 sectors where 4 would do (4.2x)"
}

void marking_steps(Body *bodies, const int *next, const int *first, const int *last, int n, int blocks, int steps) {
    for (int step = 0; step < steps; step++) {
        marks<<<blocks, 256>>>(bodies, next, first, n);
        walks<<<blocks, 256>>>(bodies, next, first, last, n);
    }
}
