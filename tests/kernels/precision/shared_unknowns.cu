// What nobody knows and all lanes of a warp share is one value: it moves a request, it scatters nothing.
// PARAM: --block 256

// A place that goes on while a word of shared memory says so, and is returned out of the loop.
__device__ int first_empty(const int *cells, int n, volatile int *found, int *part) {
    int t = threadIdx.x;
    if (t == 0) *found = -1;
    __syncthreads();
    int i = 0;
    while (i < n) {
        int j = i % 256;
        if (j == 0) {
            part[t] = cells[i + t];
            //        ^^^^^^^^^^^^ access! worst=5
            //        ^^^^^^^^^^^^ none[WC101]
            __syncthreads();
        }
        for (; j < 256 && i < n && *found == -1; j++, i++) {
            if (t == 0 && part[j] == 0) *found = i;
            __syncthreads();
        }
        if (*found != -1) return *found;
    }
    return n;
}

__global__ void clear_cells(int *cells, int n) {
    __shared__ int part[256];
    __shared__ int found;
    int first = first_empty(cells, n, &found, part);
    cells[first + threadIdx.x] = 0;
    // ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// All lanes compare with one common item of a length that memory holds, and leave the loop over it in one round; that some of them leave
// the kernel there, by a number of their own, is no difference for the others.
__global__ void compare_with_one(const int *lengths, const int *items, int *best, int one, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int end = lengths[one], rows = lengths[t];
    int sum = 0;
    for (int i = 0; i < rows; i++) {
    //              ^^^^^^^^ info[WC302]! "threads of a warp may exit at different iterations (depends on data"
        int at = 0;
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < 16; k++) {
                sum += items[at + t];
                //     ^^^^^^^^^^^^^ access! worst=5
                at++;
                if (at == end) {
                //  ^^^^^^^^^ none[WC302]
                    if (i == rows - 1) {
                    //  ^^^^^^^^^^^^^ none[WC302]
                        best[t] = sum;
                        return;
                    }
                    break;
                }
            }
        }
    }
    best[t] = -1;
}

// Lanes that leave an inner loop apart, or skip what stands behind a condition of their own, do not share what it counts.  They are as far
// apart as the loops are long, and nobody knows how far that is: the bound is what it is, and no reason for a line.
__global__ void counted_apart(const int *p, const int *q, int *out, int n) {
    int t = threadIdx.x, at = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 16; j++) {
        //              ^^^^^^ info[WC904]
            if (q[t + 256 * j] == i) break;
            //  ^^^^^^^^^^^^^^^^^^^ info[WC302]! "threads of a warp may exit at different iterations (depends on data"
            at++;
        }
        out[t] += p[at];
        //        ^^^^^ access! worst=32
        //        ^^^^^ none[WC101]
    }
}

__global__ void passed_over(const int *p, const int *q, int *out, int n) {
    int t = threadIdx.x, at = 0;
    for (int i = 0; i < n; i++) {
        if (q[t + 256 * i] == 0) continue;
        at++;
        out[t] += p[at];
        //        ^^^^^ access! worst=32
        //        ^^^^^ none[WC101]
    }
}

__device__ int last_match(const int *q, int t, int i, int at) {
    for (int j = 0; j < 16; j++) {
        if (q[t + 256 * j] == i) return at;
        //  ^^^^^^^^^^^^^^^^^^^ info[WC302]! "threads of a warp may exit at different iterations (depends on data"
        at++;
    }
    return at;
}

__global__ void returned_apart(const int *p, const int *q, int *out, int n) {
    int t = threadIdx.x, at = 0;
    for (int i = 0; i < n; i++) {
        at = last_match(q, t, i, at);
        out[t] += p[at];
        //        ^^^^^ access! worst=32
        //        ^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x)"
    }
}

// A lane that falls through to the next case only where it does not break.
__global__ void falls_through(const int *p, const int *q, int *out, int mode, int n) {
    int t = threadIdx.x, at = 0;
    for (int i = 0; i < n; i++) {
        switch (mode) {
            case 0:
                if (q[t + 256 * i] == 0) break;
            case 1:
                at = q[i];
        }
        out[t] += p[at];
        //        ^^^^^ access! worst=32
        //        ^^^^^ hint[WC101]! "up to 32 sectors where 4 would do (8x)"
    }
}

// A window around the lane's own element, as wide as memory says: half of the rounds, and no place.
__global__ void window_sums(const float *p, const int *radius, float *out, int w) {
    int x = threadIdx.x, y = blockIdx.x, i = y * w + x, r = radius[i];
    float sum = 0.0f;
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx < r + 1; dx++)
        //                ^^^^^^^^^^ info[WC302]
            sum += p[i + dy * w + dx];
    //             ^^^^^^^^^^^^^^^^^^ access! worst=32
    //             ^^^^^^^^^^^^^^^^^^ none[WC101]
    out[i] = sum;
}

// A row of a list begins where memory says, and a walk goes on to where it says: these decide.
__global__ void row_sums(const int *rows, const int *columns, const float *p, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    if (i < n)
        for (int k = rows[i]; k < rows[i + 1]; k++)
        //                    ^^^^^^^^^^^^^^^ info[WC302]
            sum += p[columns[k]];
//                   ^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x)"
    if (i < n) out[i] = sum;
}

__global__ void walks(const int *next, const float *p, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, node = i;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        node = next[node];
        //     ^^^^^^^^^^ hint[WC101] "up to 32 sectors"
        sum += p[node];
        //     ^^^^^^^ hint[WC101] "up to 32 sectors"
    }
    out[i] = sum;
}
