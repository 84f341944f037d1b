// Kernels that do little beside others that are launched wherever they are: what they waste is no warning.

struct Particle {
    float x, y, z, vx, vy, vz, mass, charge;
};

// Each thread goes through all particles.
__global__ void forces(Particle *p, float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += p[k].mass;
    if (i < n) f[i] = sum;
}

// Each thread moves one.
__global__ void moved(Particle *p, const float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].vx += f[i];
//             ^^^^^^^ info[WC101]! "32 sectors per request, ideal 4 (8.0x)"
}

// So does this one, over more of them.
__global__ void moved_many(Particle *p, const float *f, int n, int copies) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * copies) p[i].vx += f[i];
//                      ^^^^^^^ warn[WC101]! "32 sectors per request, ideal 4 (8.0x)"
}

// And this one, more often.
__global__ void moved_often(Particle *p, const float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].vx += f[i];
//             ^^^^^^^ warn[WC101]! "32 sectors per request, ideal 4 (8.0x)"
}

// What is launched elsewhere may have nothing to do with it.
__global__ void moved_outside(Particle *p, const float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].vx += f[i];
//             ^^^^^^^ hint[WC101]! "32 sectors per request, ideal 4 (8.0x)"
}

// This one does as much.
__global__ void charges(Particle *p, float *f, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += p[i].charge * p[8 * n * i + k].charge;
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
