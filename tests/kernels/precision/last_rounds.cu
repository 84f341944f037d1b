// What a thread does on its way out of a loop it does once, however many rounds there are: findings weigh it so.
// PARAM: --block 256

// A search: the rounds are what it costs, and the store is a request of its own at most.
__global__ void search(int *out, const int *keys, const int *order, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = order[i];
    for (int k = 0; k < n; k++) {
        if (keys[(at + k) % 4096] == i) {
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]
//          ^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "100% of this kernel's global traffic"
            out[at] = k;
//          ^^^^^^^ none[WC101]
//          ^^^^^^^ access! worst=32
            break;
        }
    }
}

// The same by `return`, out of two loops; whichever of the ways out a thread takes.
__global__ void deep(int *out, const int *keys, const int *order, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = order[i];
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            int key = keys[(at + 16 * j + k) % 4096];
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "100% of this kernel's global traffic"
            if (key == i) {
                out[at] = k;
//              ^^^^^^^ none[WC101]
                return;
            } else if (key == -1) {
//                     ^^^^^^^^^ info[WC302]
                out[at] = -1;
                return;
            }
        }
}

// What only skips to the next round is made in any of them.
__global__ void counted(int *out, const int *keys, const int *order, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = order[i];
    for (int k = 0; k < n; k++) {
        if (keys[256 * k + i] > 0) {
            out[at + k] = k;
//          ^^^^^^^^^^^ info[WC101] "up to 32 sectors"
            continue;
        }
        if (keys[k] > 4096)
            break;
    }
}
