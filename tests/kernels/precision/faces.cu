// Few lanes, each in a row of its own: what they cost is their number.
// PARAM: --block 8,8,4

// The face of a grid that lies across memory: four lanes in four sectors, no more than eight lanes side by side.
__global__ void faces(double u[][400][400]) {
    unsigned z = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned x = blockIdx.z * blockDim.z + threadIdx.z;
    if (z == 0)
        u[x][y][z] = -1;
//      ^^^^^^^^^^ none[WC101]
//      ^^^^^^^^^^ access! worst=4 best=4
}

// Every lane in a row of its own is a stride all the same.
__global__ void columns(double u[][400]) {
    u[threadIdx.x + 8 * threadIdx.y][0] = -1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 8 would do"
}

// So are four lanes of 16 bytes, eight in all: as much as half a warp of them would cost side by side, and more than they need.
__global__ void few(float4 *u, int n) {
    if (threadIdx.y < 4 && threadIdx.x == 0 && threadIdx.z < 2)
        u[(threadIdx.z * 8 + threadIdx.y) * 8].x = 1;
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}
