// Positions that lanes get by counting: any, as far as the analysis goes, and so a hint.
// PARAM: --block 256

// Flags are summed up in shared memory; who has one writes where the sum says.
__global__ void compacted(const float *in, float *out) {
    __shared__ int sum[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    sum[t] = in[i] > 0;
    __syncthreads();
    for (int k = 1; k < 256; k *= 2) {
        int before = t >= k ? sum[t - k] : 0;
        __syncthreads();
        sum[t] = sum[t] + before;
        __syncthreads();
    }
    if (in[i] > 0)
        out[blockIdx.x * 256 + sum[t] - 1] = in[i];
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors"
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32
}

// A split of a sort: those with the bit go behind those without, both in order.
__global__ void split(unsigned *keys, int bit) {
    __shared__ int sum[256];
    __shared__ unsigned moved[256];
    int t = threadIdx.x;
    unsigned key = keys[blockIdx.x * 256 + t];
    int zero = !((key >> bit) & 1);
    int count = zero;
    sum[t] = count;
    __syncthreads();
    for (int k = 1; k < 256; k *= 2) {
        if (t >= k) count += sum[t - k];
        __syncthreads();
        sum[t] = count;
        __syncthreads();
    }
    int zeros = sum[255];
    int rank = zero ? sum[t] - 1 : zeros + t - sum[t];
    moved[rank] = key;
//  ^^^^^^^^^^^ hint[WC201] "about 3.1 wavefronts (up to 8) where 1 would do (3.1x) if the values of `sum[t]` are random"
    __syncthreads();
    moved[(rank & 3) * 64 + (rank >> 2)] = key;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC201] "about 3.1 wavefronts (up to 8) where 1 would do (3.1x) if the values of `sum[t]` are random"
    __syncthreads();
    keys[blockIdx.x * 256 + t] = moved[t];
}

// A run for each lane: as far apart as the runs are long.
__global__ void runs(const int *length, int *out) {
    __shared__ int sum[256];
    int t = threadIdx.x;
    sum[t] = length[blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 1; k < 256; k *= 2) {
        int before = t >= k ? sum[t - k] : 0;
        __syncthreads();
        sum[t] = sum[t] + before;
        __syncthreads();
    }
    for (int k = 0; k < length[blockIdx.x * 256 + t]; k++)
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC302]
        out[sum[t] + k] = t;
//      ^^^^^^^^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do"
}

// Elements that change places are no sums.
__global__ void permuted(const int *at, float *out) {
    __shared__ int place[256];
    int t = threadIdx.x;
    place[t] = at[blockIdx.x * 256 + t];
    __syncthreads();
    place[255 - t] = place[t];
    __syncthreads();
    out[place[t]] = t;
//  ^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
}

// A choice between two elements is no sum either.
__global__ void chosen(const int *at, float *out) {
    __shared__ int place[256];
    int t = threadIdx.x;
    place[t] = at[blockIdx.x * 256 + t];
    __syncthreads();
    int own = place[t], other = place[255 - t];
    __syncthreads();
    place[t] = own > other ? own : other;
    __syncthreads();
    out[place[t]] = t;
//  ^^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
}

// The sums of another kernel, beside the flags that it summed.
__global__ void kept(const unsigned *flag, const unsigned *flagScan, unsigned *out, unsigned n) {
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    if (flag[i] && i < n)
        out[flagScan[i]] = i;
//      ^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors"
}

// Without a flag, or by another name, it may be any permutation.
__global__ void scattered(const unsigned *flag, const unsigned *at, const unsigned *scan, unsigned *out) {
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[scan[i]] = i;
//  ^^^^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
    if (flag[i])
        out[at[i]] = i;
//      ^^^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
}

// Sums over a warp, by shuffles from below.
__global__ void by_shuffles(const int *in, int *out) {
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
    int flag = in[i] > 0, sum = flag;
    for (int k = 1; k < 32; k *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, k);
        if (lane >= k) sum += below;
    }
    if (flag)
        out[i - lane + sum - 1] = i;
//      ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// Runs of up to seven bytes, one behind the other.
__global__ void packed_bytes(const unsigned *in, unsigned char *out, int n) {
    __shared__ int ends[8 * 48];
    int lane = threadIdx.x % 32, at = threadIdx.x / 32 * 48 + lane;
    ends[at] = 0;
    at += 16;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) {
        unsigned value = in[i];
        int length = value & 7;
        ends[at] = length;
        __syncwarp();
        ends[at] += ends[at - 1];
        __syncwarp();
        ends[at] += ends[at - 2];
        __syncwarp();
        ends[at] += ends[at - 4];
        __syncwarp();
        ends[at] += ends[at - 8];
        __syncwarp();
        ends[at] += ends[at - 16];
        __syncwarp();
        int first = ends[at - 1];
        for (int k = 0; k < length; k++) {
//                      ^^^^^^^^^^ info[WC302] "depends on data: `in[i]`"
            out[first + k] = value;
//          ^^^^^^^^^^^^^^ hint[WC101]
//          ^^^^^^^^^^^^^^ access! worst=32
            value >>= 4;
        }
    }
}

// Not all of these kernels wait where they should.
