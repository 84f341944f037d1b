// A suppression has to have something to do.

__global__ void used(float *out, const float *in) {
    out[threadIdx.x] = in[8 * threadIdx.x];  // warpcost: ignore[WC101]
    //                 ^^^^^^^^^^^^^^^^^^^ none
}

__global__ void unused(float *out, const float *in) {
    out[threadIdx.x] = in[threadIdx.x];  // warpcost: ignore[WC101]
    //                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC902]! "does not suppress WC101"
}

__global__ void wrong_code(float *out, const float *in) {
    out[threadIdx.x] = in[8 * threadIdx.x];  // warpcost: ignore[WC201]
    //                 ^^^^^^^^^^^^^^^^^^^ warn[WC101]! "32 sectors"
    //                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC902]! "does not suppress WC201"
}

void run(float *out, const float *in) {
    used<<<1, 256>>>(out, in);
    unused<<<1, 256>>>(out, in);
    wrong_code<<<1, 256>>>(out, in);
}
