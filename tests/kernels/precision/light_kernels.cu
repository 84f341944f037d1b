// Kernels that do little beside others that are launched wherever they are: what they waste is no warning.

struct Particle {
    float x, y, z, vx, vy, vz, mass, charge;
};

// Each thread goes through many particles.
__global__ void forces(Particle *p, float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 1; k < n; k++) sum += p[k].mass;
    if (i < n) f[i] = sum;
}

// Each thread moves one.
__global__ void moved(Particle *p, const float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].vx += f[i];
//             ^^^^^^^ info[WC101]! "32 sectors where 4 would do (8x)"
}

// So does this one, over more of them.
__global__ void moved_many(Particle *p, const float *f, int n, int copies) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * copies) p[i].vx += f[i];
//                      ^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
}

// And this one, more often.
__global__ void moved_often(Particle *p, const float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].vx += f[i];
//             ^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
}

// Launched once, it does less by all rounds of the others as well.
__global__ void moved_outside(Particle *p, const float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].vx += f[i];
//             ^^^^^^^ hint[WC101]! "32 sectors where 4 would do (8x)"
}

// This one does as much.
__global__ void charges(Particle *p, float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 1; k < n; k++) sum += p[i].charge * p[8 * n * i + k].charge;
//                                                   ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]!
    if (i < n) f[i] = sum;
}

void steps(Particle *p, float *f, int n, int rounds) {
    for (int s = 0; s < rounds; s++) {
        forces<<<(n + 255) / 256, 256>>>(p, f, n);
        charges<<<(n + 255) / 256, 256>>>(p, f, n);
        moved<<<(n + 255) / 256, 256>>>(p, f, n);
    }
    moved_outside<<<(n + 255) / 256, 256>>>(p, f, n);
}

void more_often(Particle *p, float *f, int n, int rounds) {
    for (int s = 0; s < rounds; s++) {
        forces<<<(n + 255) / 256, 256>>>(p, f, n);
        for (int i = 0; i < n; i++) moved_often<<<(n + 255) / 256, 256>>>(p, f, n);
    }
}

void more_of_them(Particle *p, float *f, int n, int copies, int rounds) {
    for (int s = 0; s < rounds; s++) {
        forces<<<n / 256, 256>>>(p, f, n);
        moved_many<<<n * copies / 128, 128>>>(p, f, n, copies);
    }
}

// Each place of a border, some numbers: the sweep goes through all places for each of them, times the sum of the sides.
__global__ void border_filled(float *border, int w, int h, int many) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        for (int k = 0; k < many; k++) border[(y * w + x) * many + k] = 1.0f / (x + y + 1);
//                                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! "`swept` does 1 million times as much"
}

// A thread for each of the numbers alone, which goes through all places with all of the others.
__global__ void swept(const float *border, float *f, int w, int h, int many) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int d = 0; d < w + h; d++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                for (int j = 0; j < many; j++) sum += border[(y * w + x) * many + k] * f[j];
    if (k < many) f[k] = sum;
}

// And one that goes through one row of them is no more than the border.
__global__ void border_of_a_row(float *border, int w, int h, int many) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) border[(y * w + x) * many] = 1.0f / (x + y + 1);
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! ""
}

__global__ void swept_row(const float *border, float *f, int w, int many) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int x = 0; x < w; x++) sum += border[x * many + k] * sum;
    if (k < many) f[k] = sum;
}

void sweeps(float *border, float *f, int w, int h, int many, int rounds) {
    dim3 places((w + 15) / 16, (h + 15) / 16), block(16, 16);
    for (int s = 0; s < rounds; s++) {
        border_filled<<<places, block>>>(border, w, h, many);
        swept<<<(many + 63) / 64, 64>>>(border, f, w, h, many);
    }
}

void sweeps_of_rows(float *border, float *f, int w, int h, int many, int rounds) {
    dim3 places((w + 15) / 16, (h + 15) / 16), block(16, 16);
    for (int s = 0; s < rounds; s++) {
        border_of_a_row<<<places, block>>>(border, w, h, many);
        swept_row<<<(many + 63) / 64, 64>>>(border, f, w, many);
    }
}
