// Extents of a block that the host keeps in an array are those elements, as long as nothing changes them.

__global__ void known(float *p) {
    p[8 * (threadIdx.y * blockDim.x + threadIdx.x)] = 1;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). 100% of this kernel's global traffic"
}

__global__ void changed(float *p) {
    p[8 * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^ warn[WC101] "ssumes block 256"
}

__global__ void handed_out(float *p) {
    p[8 * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^ warn[WC101] "ssumes block 256"
}

__global__ void referred_to(float *p) {
    p[8 * threadIdx.x] = 1;
//  ^^^^^^^^^^^^^^^^^^ warn[WC101] "ssumes block 256"
}

void tune(int *shape);

void host(float *p, int n) {
    const int size = 4;
    int local[] = {size * 4, 8}, global[3] = {n, n};
    dim3 block(local[0], local[1], global[2] + 1);
    known<<<dim3(global[0] / local[0], global[1] / local[1]), block>>>(p);
    int later[2] = {64, 1};
    later[0] /= n;
    changed<<<n, later[0]>>>(p);
    int tuned[2] = {64, 1};
    tune(tuned);
    handed_out<<<n, tuned[0]>>>(p);
    int seen[1] = {64};
    int &first = seen[0];
    first = n;
    referred_to<<<n, seen[0]>>>(p);
}
