// Loops that end with a counter or with the data: how far an index has come in it memory decides.
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
//                  ^^^^^^^^^^^^^^^^^^^^^ hint[WC302] "decided by data: `data[k * 1024 + i]`"
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
//                  ^^^^^^^^^^^^^^^^ hint[WC302] "decided by data: `ends[i]`"
        int x = data[p];
        sum += x;
        if (x > k)
            p += 1024;
    }
    out[i] = sum;
}
