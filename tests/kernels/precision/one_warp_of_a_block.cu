// What threads do whose number is one value of the block's is done by one warp, whatever the value is.
// PARAM: --block 256

// One thread goes over 64 sectors, beside the 256 of what all warps load: not each of them does.
__global__ void last_one(const float *in, float *out, int last) {
    int t = threadIdx.x;
    float sum = in[8 * (blockIdx.x * 256 + t)];
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "73% of this kernel's global traffic"
    if (t == last)
        for (int k = 0; k < 64; k++) sum += out[8 * k];
    out[blockIdx.x * 256 + t] = sum;
}

// Two values, or none that all warps share: each warp may hold such a thread.
__global__ void one_of_each_warp(const float *in, float *out, int last) {
    int t = threadIdx.x;
    float sum = in[8 * (blockIdx.x * 256 + t)];
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32% of this kernel's global traffic"
    if (t % 32 == last)
        for (int k = 0; k < 64; k++) sum += out[8 * k];
    out[blockIdx.x * 256 + t] = sum;
}
