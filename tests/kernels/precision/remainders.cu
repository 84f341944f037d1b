// What is left over when elements are moved by four: the last lane that has any, alone.
// PARAM: --block 256

// The guard lets in what is within three of the end, the loop what is before it: one lane of the grid.
__global__ void by_index(float *to, const float *from, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i + 3 < n) {
        *(float4 *)(to + i) = *(const float4 *)(from + i);
    } else {
        for (int k = i; k < n; k++)
            to[k] = from[k];
//          ^^^^^ access! worst=1
//          ^^^^^ none[WC101]
    }
}

// The same, asked of the number that is left.
__global__ void by_rest(float *to, const float *from, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int left = n - i;
    if (left >= 4) {
        *(float4 *)(to + i) = *(const float4 *)(from + i);
    } else {
        for (int k = 0; k < left; k++)
            to[i + k] = from[i + k];
//          ^^^^^^^^^ access! worst=1
    }
}

// Unsigned, it is a large number for the lanes behind the end: a range check, also of 64 bits.
__global__ void by_unsigned_rest(float *to, const float *from, size_t n) {
    size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 4;
    size_t left = n - i;
    if (left < 4) {
        for (size_t k = i; k < n; k++)
            to[k] = from[k];
//          ^^^^^ access! worst=1
    } else {
        *(float4 *)(to + i) = *(const float4 *)(from + i);
    }
}

// Not so where the guard says nothing of how many are left: each lane goes on to the end.
__global__ void all_of_it(float *to, const float *from, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int k = i; k < n; k++)
        to[k] = from[k];
//      ^^^^^ access! worst=17
//      ^^^^^ warn[WC101] "up to 17 sectors"
}

// With rounds of the window's width all lanes take turns: `k` may be anything.  But only threads near the end of the grid do.
__global__ void sliding(float *to, const float *from, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int k = 0; k < 256; k++)
        if (i + k < n && i + k + 130 > n)
            to[i] = from[i];
//          ^^^^^ access! worst=16
//          ^^^^^ none[WC101]
}

// What is left over of pairs: one index of the whole grid, which a row of sixteen lanes has.
__global__ void last_of_pairs(const int *first, float *out, const float *in, int n) {
    int item = (blockIdx.x * blockDim.x + threadIdx.x) >> 4, lane = threadIdx.x & 15, even = (n / 2) * 2;
    if (item >= n)
        return;
    int at = first[item];
    float x = in[at + lane], y = in[at + lane + 16];
    if (item < even) {
        out[at + lane] = y;
        out[at + lane + 16] = x;
    } else if (item < n) {
        out[at + 2 * lane] = x;
//      ^^^^^^^^^^^^^^^^^^ none[WC101]
//      ^^^^^^^^^^^^^^^^^^ access! worst=10
        out[at + 2 * lane + 1] = y;
    }
}

// By a mask, and by a remainder; a row of blocks may have more of them than that.
__global__ void last_of_eights(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, whole = n & ~7;
    out[i] = in[i];
    if (i >= whole && i < n)
        out[8 * i] = 0;
//      ^^^^^^^^^^ none[WC101]
    if (i >= n - 4096 && i < n)
        out[8 * i + 1] = 1;
//      ^^^^^^^^^^^^^^ warn[WC101]
}

// The last group of eight is not whole: of all threads of a block the last one alone gets here, in one round, and goes on alone to the end.
// Counted in unsigned numbers that are not known not to wrap, which says no less.
__global__ void behind_whole_groups(float *out, const short *from, int n) {
    int i = (n + (size_t)8 - 1) / (size_t)8 + threadIdx.x - blockDim.x;
    float sum = 0;
    while ((i + 1) * (size_t)8 > n) {
        for (int k = 0; k < 8; k++) {
            if (i * (size_t)8 + k >= n)
                break;
            sum += from[i * (size_t)8 + k];
//                 ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
        }
        i -= blockDim.x;
    }
    for (; i >= 0; i -= blockDim.x)
        for (int k = 0; k < 8; k++)
            sum += from[i * 8 + k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Of eight threads that may have something left, most have.
__global__ void each_has_a_group(float *out, const short *from, int n) {
    int i = n / 8 + threadIdx.x - blockDim.x;
    float sum = 0;
    while (i * 8 > n - 4096)
        for (int k = 0; k < 8; k++, i -= blockDim.x)
            sum += from[i * 8 + k];
//                 ^^^^^^^^^^^^^^^ warn[WC101]
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A record of n values is moved by eight, what is left of it by a thread of its own: at most seven of however many.
__global__ void rest_of_records(float *to, const float *from, const int *order, int records, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int eights = n / 8, left = n % 8;
    if (i < records * eights) {
        int record = order[i / eights], at = i % eights;
        for (int k = 0; k < 8; k++)
            to[record * n + at * 8 + k] = from[record * n + at * 8 + k];
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101]
    } else if (left > 0) {
        int record = order[i - records * eights];
        for (int k = 0; k < left; k++)
            to[record * n + eights * 8 + k] = from[record * n + eights * 8 + k];
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    }
}

// A whole record for each thread where it does not go by eights: this is no rest, and who asks for it alone has all of it.
__global__ void all_of_a_record(float *to, const float *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n % 8 > 0)
        for (int k = 0; k < n; k++)
            to[i * n + k] = from[i * n + k];
//          ^^^^^^^^^^^^^ warn[WC101]
    else
        for (int k = 0; k < n / 8; k++)
            *(float4 *)&to[i * 4 + k * 1024] = *(const float4 *)&from[i * 4 + k * 1024];
}

__global__ void in_turns(float *to, const float *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n % 8; k++)
        to[i * n + k] = from[i * n + k];
//      ^^^^^^^^^^^^^ warn[WC101]
}
