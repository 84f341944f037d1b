// Launches that are all together over far fewer threads than those of another loop, by the numbers that the program is written for.

// A column of a plate, with what came before it: 1024 launches of 4 blocks.
__global__ void column_added(double *p, int rows, int pitch, int column) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < rows) p[y * pitch + column] = p[y * pitch + column - 1];
//                ^^^^^^^^^^^^^^^^^^^^^ hint[WC101]! ""
}

// A plane of a volume: in each step 80 launches of 16384 blocks.
__global__ void plane_mixed(const double *p, double *q, int wide, int z) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    q[z * wide + y * wide + x] += 0.5 * p[y * wide + x];
}

void volume(double *p, double *q, const float *angles, int side, int wide, int deep, int only) {
    for (int k = 1; k < side; k++) column_added<<<side / 256, 256>>>(p, side, side, k);
    int first = 0, behind = only;
    if (only < 0) behind = deep;
    else first = only - 1;
    for (int s = first; s < behind; s++) {
        dim3 block(16, 16), grid(wide / 16, wide / 16);
        for (int z = 0; z < 80; z++) plane_mixed<<<grid, block>>>(p, q, wide, z);
    }
}

// Nothing says that a side is less than a row is wide.
__global__ void column_of_some_size(double *p, int rows, int pitch, int column) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < rows) p[y * pitch + column] = p[y * pitch + column - 1];
//                ^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! ""
}

void volume_of_some_size(double *p, double *q, int side, int wide) {
    for (int k = 1; k < side; k++) column_of_some_size<<<side / 256, 256>>>(p, side, side, k);
    for (int z = 0; z < 80; z++) plane_mixed<<<dim3(wide / 16, wide / 16), dim3(16, 16)>>>(p, q, wide, z);
}

// In the same program as the planes of a volume, which take far longer, though not as those tried more often do.
__global__ void tried_less(double *p, int rows, int pitch) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < rows) p[y * pitch] += p[y * pitch + 1];
    //                            ^^^^^^^^^^^^^^^^ hint[WC104]
//                ^^^^^^^^^^^^ hint[WC101]! "`plane_mixed` does 22000 times as much"
}

__global__ void tried_more(double *p, int rows) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < rows) p[y] += 1;
}

void tries(double *p) {
    for (int r = 0; r < 10; r++) tried_less<<<4096, 256>>>(p, 1048576, 64);
    for (int r = 0; r < 1000; r++) tried_more<<<4096, 256>>>(p, 1048576);
}

int main(int argc, char **argv) {
    double *p, *q;
    cudaMalloc(&p, 64 * 1048576 * sizeof(double));
    cudaMalloc(&q, 80 * 2048 * 2048 * sizeof(double));
    volume(p, q, nullptr, 1024, 2048, 40, -1);
    volume_of_some_size(p, q, atoi(argv[1]), atoi(argv[2]));
    tries(p);
}
