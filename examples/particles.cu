// One step of free particles: an array of structures against a structure of arrays.

struct Particle {
    float x, y, z;
    float vx, vy, vz;
    int id, flags;
};

// Each lane moves one member of 32 bytes: every request touches 32 sectors for 4 bytes each.
__global__ void step_structures(Particle *particles, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    particles[i].x += particles[i].vx * dt;
    particles[i].y += particles[i].vy * dt;
    particles[i].z += particles[i].vz * dt;
}

struct Arrays {
    float *x, *y, *z;
    const float *vx, *vy, *vz;
};

__global__ void step_arrays(Arrays particles, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    particles.x[i] += particles.vx[i] * dt;
    particles.y[i] += particles.vy[i] * dt;
    particles.z[i] += particles.vz[i] * dt;
}

void step(Particle *structures, Arrays arrays, int n, float dt) {
    step_structures<<<(n + 127) / 128, 128>>>(structures, n, dt);
    step_arrays<<<(n + 127) / 128, 128>>>(arrays, n, dt);
}
