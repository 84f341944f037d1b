// What has the index of another finding, and is done beside it, has its remedy: it is told with it, and once.
// PARAM: --block 256

// The store stands in the arms of a condition that data decides; its index is that of the load that all lanes make.
__global__ void thresholds(float *mark, const float *level, float low, float high) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = level[8 * i];
//               ^^^^^^^^^^^^ warn[WC101] "2 more accesses to `mark`: 100% of this kernel's global traffic"
    if (mine > high)
        mark[8 * i] = 2.0f;
//      ^^^^^^^^^^^ access! worst=32 ideal=4
    else if (mine > low)
        mark[8 * i] = 1.0f;
//      ^^^^^^^^^^^ none[WC101]
}

// Two conditions of data, and nothing that all lanes make: each is as rare as it is, and told for itself.
__global__ void two_conditions(float *mark, float *other, const float *level) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (level[i] > 1.0f) {
        mark[8 * i] = 2.0f;
//      ^^^^^^^^^^^ info[WC101]
        if (level[i + 1] > 2.0f)
            other[8 * i] = 1.0f;
//          ^^^^^^^^^^^^ info[WC101]
    }
}

// All that `kind` holds has an arm of its own: nothing is shown at the one that is there for completeness.
__global__ void kinds(float *out, const int *kind, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (kind[i]) {
//          ^^^^^^^ info[WC301]
        case 0: if (in[i] > 0.0f) out[8 * i] = in[i]; break;
//                                ^^^^^^^^^^ info[WC101] "ith 2 more accesses to `out`"
        case 90: if (in[i] < 0.0f) out[8 * i] = -in[i]; break;
        default: out[8 * i] = 0.0f;
//               ^^^^^^^^^^ none[WC101]
    }
}

// A scan by halves: the compound assignment is two executions in each round, and its words lie as those of the others do.
//@ launch block=(128) grid=(64)
__global__ void down_sweep(int *out, const int *in) {
    __shared__ int temp[256];
    int t = threadIdx.x, offset = 256;
    temp[t] = in[blockIdx.x * 256 + t];
    temp[t + 128] = in[blockIdx.x * 256 + t + 128];
    for (int d = 1; d < 256; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            int kept = temp[a];
//                     ^^^^^^^ warn[WC201] "3.9 wavefronts per request on average" "at most 8 times" "ith 3 more accesses to `temp`"
            temp[a] = temp[b];
//                    ^^^^^^^ none[WC201]
            temp[b] += kept;
//          ^^^^^^^ none[WC201]
        }
    }
    __syncthreads();
    out[blockIdx.x * 256 + t] = temp[t];
    out[blockIdx.x * 256 + t + 128] = temp[t + 128];
}

// Which access of a group is the dearest is another question for each instantiation: what one tells with its own the other does not tell
// again.
template <int LEFT, int RIGHT>
__global__ void windows(int *out, const int *in) {
    __shared__ int temp[1280];
    int t = threadIdx.x, sum = 0;
    for (int k = t; k < 1280; k += 256)
        temp[k] = in[k];
    __syncthreads();
    for (int k = 0; k < LEFT; k++)
        sum += temp[4 * t + 7 * k];
//             ^^^^^^^^^^^^^^^^^^^ warn[WC201] "ith 1 more access to `temp`"
    for (int k = 0; k < RIGHT; k++)
        sum -= temp[4 * t + 5 * k];
//             ^^^^^^^^^^^^^^^^^^^ none[WC201]
    out[blockIdx.x * 256 + t] = sum;
}

void both(int *out, const int *in) {
    windows<9, 3><<<64, 256>>>(out, in);
    windows<3, 8><<<64, 256>>>(out, in);
}
