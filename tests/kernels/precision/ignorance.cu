// What the analysis does not know is no finding, even where memory is asked on the way; nor what costs next to nothing.
// PARAM: --block 256

// `(place)-1` is a conversion or a difference, of a type or a value that no header declares: variables keep their values either way.
__global__ void declared_nowhere(int *out, int n) {
    int id = threadIdx.x;
    __shared__ int best[256];
    best[id] = 0;
    for (int i = 64, at = 0; at < n; i++, at++) {
        __syncthreads();
        int now = best[i % 64], from = 0;
//                ^^^^^^^^^^^^ access! worst=1 best=1
        if (now > at)
            from = (place)-1;
//                 ^^^^^^^^^ info[WC900]
        if (from >= best[id])
//                  ^^^^^^^^ access! worst=1 best=1
            best[id] = from;
//          ^^^^^^^^ access! worst=1 best=1
    }
    out[id] = best[id];
}

// Elements of 8 bytes at a pitch in bytes: aligned, as the hardware demands, hence one sector each.
__global__ void pitched(float2 *field, const float *rows, float *out, size_t pitch) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int row = (int)rows[i];
    out[i] = ((float2 *)((char *)field + row * pitch))->x;
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors"
    float2 whole = *(float2 *)((char *)field + row * pitch);
    out[i] += whole.y;
}

// Outside of a volume nothing is computed: constants are filled in.
__global__ void filled(float *out, float *weight, bool *inside, const float *in, const float *at) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float x = at[i];
    if (x >= 1.0f && x < 100.0f) {
//  ^^ none[WC301]
        out[i] = in[i] * x;
        weight[i] = x;
        inside[i] = true;
    } else {
        out[i] = 0;
        weight[i] = 0;
        inside[i] = false;
    }
}

// What is stored is computed on both sides.
__global__ void both_computed(float *out, float *weight, const float *in, const float *at) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float x = at[i];
    if (x >= 1.0f && x < 100.0f) {
//      ^^^^^^^^^^^^^^^^^^^^^^^ hint[WC301] "the warp may split"
        out[i] = in[i] * x;
        weight[i] = x;
    } else {
        out[i] = in[i] * 2;
        weight[i] = 1 - x;
    }
}

// Nobody knows how large an Event is: 32 sectors are 32 sectors, and other figures are told for 4 bytes and for 2, where both lose.
__global__ void events(Event *out, const Event *in, const int *place) {
//                     ^^^^^ info[WC900]
    int i = blockIdx.x * 256 + threadIdx.x;
    Event event = in[i * 5];
//                ^^^^^^^^^ info[WC101] "each warp touches 20 sectors where 4 would do (5x) if `Event` has 4 bytes, 10 where 2 would do (5x) if it has 2"
    out[place[i]] = event;
//  ^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors"
}
