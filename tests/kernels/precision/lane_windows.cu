// Lanes that go through windows of their own, one after the other, do not run together.
// PARAM: --block 32 --grid 8

struct Sum {
    float real, imaginary;
};

// At most three lanes have any round in common: windows of some 200 numbers begin every 96.
__global__ void windows(Sum *out, const float *in) {
    int b = blockIdx.x, t = threadIdx.x;
    for (int first = 4096 * b; first <= min(40000, 4096 * b + 4000); first += 32) {
        for (int i = max(0, 4096 * b + 96 * t - first); i <= min(31, 4000 * b + 95 * t - first + 130); i++) {
            out[32 * b + t].real += in[first + i];
//          ^^^^^^^^^^^^^^^^^^^^ none[WC101]
            out[32 * b + t].imaginary -= in[first + i + 1];
        }
        __syncthreads();
    }
}

// Windows that begin together, whatever their lengths: over all rounds 4.5 sectors in truth, of lanes that would have 2.3.
__global__ void triangles(Sum *out, const float *in) {
    int b = blockIdx.x, t = threadIdx.x;
    for (int first = 0; first <= 4000; first += 32) {
        for (int i = max(0, t - first); i <= min(31, 95 * t - first + 130); i++) {
            out[32 * b + t].real += in[first + i];
            //                      ^^^^^^^^^^^^^ hint[WC104]
//          ^^^^^^^^^^^^^^^^^^^^ info[WC101] "sectors on average (up to 8) where 4 would do"
            out[32 * b + t].imaginary -= in[first + i + 1];
        }
        __syncthreads();
    }
}
