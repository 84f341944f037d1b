// Pointers that are null where a condition does not hold: whoever reads by them has the other arm.
// PARAM: --block 256

__device__ const float *element(const float *a, const int *there, int i) { return there[i] ? &a[i] : 0; }

__global__ void elements(const float *a, const int *there, float *out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const float *p = element(a, there, i);
    if (p) out[i] = *p;
//                  ^^ access! worst=4 best=4
//                  ^^ none[WC101]
    if ((p = element(a, there, i + n))) out[i] += *p;
//                                                ^^ access! worst=5
//                                                ^^ none[WC101]
    const float *q = there[i] ? &a[8 * i] : nullptr;
    if (q) out[i] += *q;
//                   ^^ access! worst=32
//                   ^^ info[WC101]! "32 sectors"
}

// Between two arrays each lane chooses for itself.
__global__ void either(const float *a, const float *b, const int *there, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const float *p = there[i] ? a : b;
    out[i] = p[i];
//           ^^^^ access! worst=32
//           ^^^^ none[WC101]
}
