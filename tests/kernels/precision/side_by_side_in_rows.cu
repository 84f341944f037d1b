// Four loads of a helper, in a long row of each lane's own: each costs what a waste costs, though the others use its sectors.
// PARAM: --block 256

struct Corner {
    float x, y, z, w;
};

__device__ Corner corner(const float *p, int i) {
    Corner c = {p[i], p[i + 1], p[i + 2], p[i + 3]};
    //          ^^^^ hint[WC104]
//              ^^^^ warn[WC101]! "ith 3 more accesses to `p`"
    return c;
}

// Rows lie as a flag says: in either layout the four are in one sector.
__global__ void laid_out(const float *p, float *out, int n, int length, bool turned) {
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    int at = turned ? i : i * length, step = turned ? n : 4;
    float sum = 0;
    for (int k = 0; k < length; k++) {
        Corner c = corner(p, at);
        sum += c.x * c.y + c.z * c.w;
        at += step;
    }
    out[i / 4] = sum;
}

// Two of eight use a quarter: nobody else does.
__global__ void pair(const float *p, float *out, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = p[64 * i] + p[64 * i + 1];
    //       ^^^^^^^^^ hint[WC104]
//           ^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x)"
}
