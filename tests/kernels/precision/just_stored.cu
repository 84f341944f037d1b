// What a thread loads where it has just stored is what it stored: a register has it, whoever else stores there (that would be a race).
// PARAM: --block 128

struct Record {
    unsigned id;
    unsigned used : 1, count : 5, kind : 3;
    int item[6];
};

__device__ int total(Record *r, const int *weight) {
    int sum = 0;
    for (int k = 0; k < r->count; k++)
        sum += weight[r->item[k]];
//             ^^^^^^^^^^^^^^^^^^ access! worst=5
//             ^^^^^^^^^^^^^^^^^^ none[WC101]
//                    ^^^^^^^^^^ none[WC101]
    return r->used ? sum : -1;
}

// One round, for the element that all lanes have beside each other; the bits beside those that are set may be anything.
__global__ void begun(Record *records, const int *weight) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Record *r = records + t;
    r->used = 1;
//  ^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x). With 3 more accesses to `records`: 96% of this kernel's global traffic"
    r->count = 1;
    r->item[0] = t + 1;
    r->id = total(r, weight);
}

// So of numbers that are members of nothing, and twice.
__global__ void pairs(int *list, const int *weight, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    list[8 * t] = 2;
  //^^^^^^^^^^^ hint[WC104]
//  ^^^^^^^^^^^ warn[WC101] "ith 2 more accesses to `list`"
    list[8 * t + 1] = t;
    list[8 * t + 2] = t + 1024;
    int sum = 0;
    for (int k = 0; k < list[8 * t]; k++)
        sum += weight[list[8 * t + 1 + k]];
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=4
    out[t] = sum;
}

// A barrier lets others in.
__global__ void met(int *list, const int *weight, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    list[t] = t;
    __syncthreads();
    out[t] = weight[list[t]];
//           ^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `list[t]` scatter"
}

// So does an atomic, and what another index stores may be to the same element.
__global__ void counted(int *list, int *counter, const int *weight, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    list[t] = t;
    atomicAdd(counter, 1);
    out[t] = weight[list[t]];
//           ^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `list[t]` scatter"
}

__global__ void elsewhere(int *list, int other, const int *weight, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    list[t] = t;
    list[t + other] = 0;
    out[t] = weight[list[t]];
//           ^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `list[t]` scatter"
}

// Only threads that have stored know what they find, and those on both sides of a branch that store the same.
__global__ void some(int *list, int n, const int *weight, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n)
        list[t] = t;
    out[t] = weight[list[t]];
//           ^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `list[t]` scatter"
}

// The rounds of a loop that stores begin with anything.
__global__ void rounds(int *list, int n, const int *weight, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    list[t] = t;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        sum += weight[list[t]];
//             ^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `list[t]` scatter"
        list[t] = k * t;
    }
    out[t] = sum;
}

__global__ void watched(volatile int *list, const int *weight, float *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    list[t] = t;
    out[t] = weight[list[t]];
//           ^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `list[t]` scatter"
}
