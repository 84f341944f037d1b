// Kernels that go through all pairs, beside light ones: the light ones are quieter where the host hands the number of rounds to the other, so that it is certain.

struct Body {
    double mass, rest;
    double3 at, speed, pull;
};

struct World {
    double step;
    int bodies, walls;
};

// The number of rounds is in memory, which may hold a small one.
__global__ void pulled(Body *b, const World *w) {
    int many = w->bodies;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= many) return;
    double sum = 0;
    for (int k = 0; k < many; k++) sum += b[k].mass * (b[k].at.x - b[i].at.x);
    b[i].pull.x = sum;
}

__global__ void moved(Body *b, const World *w) {
    int many = w->bodies;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= many) return;
    b[i].at.x += b[i].speed.x;
//  ^^^^^^^^^ warn[WC101]! ""
}

// The count of something else may be small.
__global__ void held_back(Body *b, const double *walls, const World *w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int many = w->bodies, others = w->walls;
    double sum = 0;
    if (i < many) {
        for (int k = 0; k < others; k++)
            for (int j = 0; j < others; j++) sum += walls[k] * walls[j];
        b[i].pull.x = sum;
    }
}

__global__ void slowed(Body *b, const World *w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < w->bodies) b[i].at.x += b[i].speed.x;
//                     ^^^^^^^^^ warn[WC101]! ""
}

// What a thread goes through until it finds something may be short.
__global__ void touched(Body *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int k = 0; k < n; k++) {
        if (b[k].at.x > b[i].at.x) break;
//          ^^^^^^^^^^^^^^^^^^^^^ info[WC302]! "threads of a warp may exit at different iterations"
        sum += b[k].mass;
    }
    b[i].pull.x = sum;
}

__global__ void bounced(Body *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i].at.x -= b[i].speed.x;
//             ^^^^^^^^^ warn[WC101]! ""
}

// As many rounds as the host says, in sizes of its own: n times as much.
__global__ void multiplied(const double *a, const double *b, double *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    //                                 ^^^^^^^^^^^^ info[WC105]
    c[y * n + x] = sum;
}

__global__ void turned(const double *c, double *d, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) d[y * n + x] = c[x * n + y];
//                                     ^^^^^^^^^^^^ info[WC101]! ""
}

void steps(Body *b, const World *w, int n, int rounds) {
    for (int s = 0; s < rounds; s++) {
        pulled<<<(n + 255) / 256, 256>>>(b, w);
        moved<<<(n + 255) / 256, 256>>>(b, w);
    }
}

void steps_between_walls(Body *b, const double *walls, const World *w, int n, int rounds) {
    for (int s = 0; s < rounds; s++) {
        held_back<<<(n + 255) / 256, 256>>>(b, walls, w);
        slowed<<<(n + 255) / 256, 256>>>(b, w);
    }
}

void steps_of_neighbours(Body *b, int n, int rounds) {
    for (int s = 0; s < rounds; s++) {
        touched<<<(n + 255) / 256, 256>>>(b, n);
        bounced<<<(n + 255) / 256, 256>>>(b, n);
    }
}

void powers(double *a, double *b, double *c, int n, int rounds) {
    dim3 grid((n + 15) / 16, (n + 15) / 16), block(16, 16);
    for (int s = 0; s < rounds; s++) {
        multiplied<<<grid, block>>>(a, b, c, n);
        turned<<<grid, block>>>(c, b, n);
    }
}
