// Values that stay near to one that is known: what lanes may be apart is a window, not the whole array.
// PARAM: --block 128

// One of two sides by data: a few elements beside the lane's own.
__global__ void beside(const int *in, const float *p, float *out, int w) {
    int i = blockIdx.x * w + threadIdx.x, at = i;
    if (in[i] > 0) at = i + (in[i] & 3);
    out[i] = p[at];
    //       ^^^^^ access! worst=6
}

// The longest match in a window of 32: it begins at the lane's own element again, or moves on by one.
__global__ void longest_match(const unsigned char *in, unsigned char *out) {
    __shared__ int buffer[512];
    for (int k = 0; k < 4; k++) buffer[threadIdx.x + 128 * k] = in[threadIdx.x + 128 * k];
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        int start = threadIdx.x + 128 * k, at = start, length = 0;
        int from = start - 32 < 0 ? 0 : start - 32;
        while (from < start && at < 512) {
        //     ^^^^^^^^^^^^^^^^^^^^^^^^ none[WC302]
            if (buffer[at] == buffer[from]) {
            //  ^^^^^^^^^^ access! worst=2
            //  ^^^^^^^^^^ none[WC201]
                at++;
                length++;
            } else {
                at = start;
                length = 0;
            }
            from++;
        }
        out[start] = length;
    }
}

// Set back to where it began, but in steps of its own: as far as the rounds lead.
__global__ void set_back(const int *in, float *p, float *out) {
    int at = threadIdx.x;
    for (int k = 0; k < 64; k++) {
        if (in[threadIdx.x + 128 * k] > 0) at = threadIdx.x + 8;
        else at += 2;
        out[threadIdx.x + 128 * k] = p[at];
        //                           ^^^^^ access! worst=20
        //                           ^^^^^ hint[WC101] "up to 20 sectors"
    }
}

// Steps of a lane's own add up with the rounds: elements next to each other in 32 of them, whatever a thousand do.
__global__ void steps_by_data(const int *in, const float *p, float *out) {
    int at = 0;
    for (int k = 0; in[k] > 0; k++) {
        if (in[threadIdx.x + 128 * k] > 0) at++;
        out[threadIdx.x] = p[at];
        //                 ^^^^^ hint[WC101] "scatter. Runs once per iteration of the loop at line 52"
        //                 ^^^^^ access! worst=32
    }
}

__global__ void many_steps_by_data(const int *in, const float *p, float *out, int n) {
    int at = 4096;
    for (int k = 0; k < n; k++) {
        if (in[threadIdx.x + 128 * k] > 0) at--;
        out[threadIdx.x] = p[at];
        //                 ^^^^^ hint[WC101] "up to 32 sectors"
        //                 ^^^^^ access! worst=32
    }
}

// Started far from each other, lanes are that far apart.
__global__ void steps_from_afar(const int *in, const float *p, float *out) {
    int at = 64 * threadIdx.x;
    for (int k = 0; in[k] > 0; k++) {
        if (in[threadIdx.x + 128 * k] > 0) at++;
        out[threadIdx.x] = p[at];
        //                 ^^^^^ info[WC101] "up to 32 sectors"
    }
}
