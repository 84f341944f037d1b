// Elements at a stride that every launch passes as 1 are neighbours, and so are loads of them.

// Three members of a record, at the pitch of all that launches say.
__global__ void lengths(const float *p, float *out, int stride) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const float *mine = p + 3 * i;
    float x = mine[0 * stride], y = mine[1 * stride], z = mine[2 * stride];
//            ^^^^^^^^^^^^^^^^ none[WC101]
//                                  ^^^^^^^^^^^^^^^^ none[WC101]
//                                  ^^^^^^^^^^^^^^^^ access! worst=13 ideal=4
    out[i] = x * x + y * y + z * z;
}

// Each store goes to L2.
__global__ void cleared(float *p, int stride) {
    float *mine = p + 3 * (blockIdx.x * 256 + threadIdx.x);
    mine[0 * stride] = 0;
//  ^^^^^^^^^^^^^^^^ info[WC101]! "12 sectors where 4 would do (3x)"
    mine[1 * stride] = 0;
    mine[2 * stride] = 0;
}

// At other pitches they are far apart.
__global__ void apart(const float *p, float *out, int stride) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const float *mine = p + 3 * i;
    out[i] = mine[0 * stride] + mine[1 * stride] + mine[2 * stride];
//           ^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x)"
}

// One is passed here, another there.
__global__ void either(const float *p, float *out, int stride) {
    int i = blockIdx.x * 256 + threadIdx.x;
    const float *mine = p + 3 * i;
    out[i] = mine[0 * stride] + mine[1 * stride] + mine[2 * stride];
//                              ^^^^^^^^^^^^^^^^ warn[WC101]! "13 sectors where 4 would do (3.2x)"
}

void run(float *p, float *out, int blocks) {
    lengths<<<blocks, 256>>>(p, out, 1);
    cleared<<<blocks, 256>>>(p, 1);
    apart<<<blocks, 256>>>(p, out, 100);
    either<<<blocks, 256>>>(p, out, 1);
    either<<<blocks, 256>>>(p, out, 100);
}
