// Loops over windows: how far an index has come in the data memory decides, and whether a window matches.
// PARAM: --block 128

// The window is as long for each thread, and few are near the end of all data.
__global__ void longest_match(int *out, const int *data, int step) {
    __shared__ int block[2048];
    for (int k = threadIdx.x; k < 2048; k += 128)
        block[k] = data[blockIdx.x * 2048 + k];
    __syncthreads();
    for (int part = 0; part < 16; part++) {
        int at = threadIdx.x + part * 128;
        int p = at, start = at - 32 < 0 ? 0 : at - 32, w = start, longest = 0, length = 0;
        while (w < at && p < 2048) {
//             ^^^^^^^^^^^^^^^^^^ none[WC302]
            if (block[p] == block[w]) {
                length++;
                p++;
            } else {
                longest = max(longest, length);
                length = 0;
                p = at;
            }
            w++;
        }
        out[blockIdx.x * 2048 + at] = max(longest, length);
    }
}

// What is counted here is what was found: the most of that is the usual way out.
__global__ void first_few(int *out, const int *data, int n, int most) {
    int i = blockIdx.x * 128 + threadIdx.x, found = 0;
    for (int k = 0; k < n && found < most; k++) {
//                  ^^^^^^^^^^^^^^^^^^^^^ info[WC302] "depends on data: `data[k * 1024 + i]`"
        if (data[k * 1024 + i] > 7) {
            out[found * 1024 + i] = k;
            found++;
        }
    }
}

// Rows end where memory says, each at its own place.
__global__ void rows(int *out, const int *data, const int *ends, int n) {
    int i = blockIdx.x * 128 + threadIdx.x, p = i, sum = 0, end = ends[i];
    for (int k = 0; k < n && p < end; k++) {
//                  ^^^^^^^^^^^^^^^^ info[WC302] "depends on data: `ends[i]`"
        int x = data[p];
        sum += x;
        if (x > k)
            p += 1024;
    }
    out[i] = sum;
}

// Of all places of a text few match.
__global__ void near_matches(int *out, const char *text, const char *word, int n, int m, int limit) {
    int i = blockIdx.x * 128 + threadIdx.x, found = -1;
    for (int k = 0; k < n; k++) {
        int differ = 0;
        for (int j = 0; j < m; j++)
            if (text[i + k + j] != word[j])
                differ++;
        if (differ < limit) {
//          ^^^^^^^^^^^^^^ none[WC302]
            found = k;
            break;
        }
    }
    out[i] = found;
}

// The same with a flag, which is set while nothing differs.
__global__ void matches(int *out, const char *text, const char *word, int n, int m) {
    int i = blockIdx.x * 128 + threadIdx.x, found = -1;
    for (int k = 0; k < n; k++) {
        bool same = true;
        for (int j = 0; j < m; j++)
            if (text[i + k + j] != word[j])
                same = false;
        if (same) {
//          ^^^^ none[WC302]
            found = k;
            break;
        }
    }
    out[i] = found;
}

// Of records one is looked for, and found: some lanes sooner than others.
__global__ void looked_up(int *out, const int *records, const int *keys, int n) {
    int i = blockIdx.x * 128 + threadIdx.x, found = -1;
    for (int k = 0; k < n; k++) {
        int differ = 0;
        for (int j = 0; j < 4; j++)
            if (records[4 * k + j] != keys[j * 1024 + i])
                differ++;
        if (differ == 0) {
//          ^^^^^^^^^^^ info[WC302] "depends on data"
            found = k;
            break;
        }
    }
    out[i] = found;
}

// What differs soon ends most searches for a place that does.
__global__ void first_other(int *out, const char *text, const char *word, int n, int m) {
    int i = blockIdx.x * 128 + threadIdx.x, found = -1;
    for (int k = 0; k < n; k++) {
        int differ = 0;
        for (int j = 0; j < m; j++)
            if (text[i + k + j] != word[j])
                differ++;
        if (differ > 3) {
//          ^^^^^^^^^^ info[WC302] "depends on data"
            found = k;
            break;
        }
    }
    out[i] = found;
}
