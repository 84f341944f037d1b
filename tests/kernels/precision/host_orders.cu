// Rising numbers that the host left in an array: lanes that read them side by side go to places in order, however many are left out.

__global__ void chosen_ones(const int *__restrict__ chosen, const int *__restrict__ value, int *out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = value[chosen[i]];
//               ^^^^^^^^^^^^^^^^ none[WC101]
//               ^^^^^^^^^^^^^^^^ access! worst=32
}

__global__ void places(const int *length, const int *at, int *out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && length[i] != -1)
        out[at[i]] = i;
//      ^^^^^^^^^^ none[WC101]
}

// Of a sort by key the values are in no order, nor is what a kernel wrote since.
__global__ void by_value(const int *key, const int *value, const int *x, int *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = x[key[i]];
//           ^^^^^^^^^ none[WC101]
    out[i] += x[value[i]];
//            ^^^^^^^^^^^ hint[WC101] "up to 32 sectors"
}

__global__ void shuffled(int *key) {
    key[threadIdx.x] = key[255 - threadIdx.x];
}

__global__ void afterwards(const int *key, const int *x, int *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = x[key[i]];
//           ^^^^^^^^^ hint[WC101] "up to 32 sectors"
}

// What a function leaves in order counts for its callers.
__global__ void collected(const unsigned *id, const int *x, int *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = x[id[i]];
//           ^^^^^^^^ none[WC101]
}

// Every eighth row of records is a sector of its own, in whatever order.
__global__ void records(const int *__restrict__ chosen, const float *__restrict__ value, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = value[8 * chosen[i]];
//           ^^^^^^^^^^^^^^^^^^^^ hint[WC101] "up to 32 sectors"
}

struct Table {
    int collect(int *key, unsigned *id, int n);
};

int Table::collect(int *key, unsigned *id, int n) {
    shuffled<<<1, 256>>>(key);
    thrust::sort_by_key(thrust::device, id, id + n, key);
    return n;
}

void run(int *chosen, int *every, int *flag, int *value, int *key, int *out, float *f, unsigned *id, Table &table, int n) {
    thrust::sequence(thrust::device, every, every + n);
    int *end = thrust::copy_if(thrust::device, every + 1, every + n, flag, chosen, wanted());
    n = end - chosen;
    chosen_ones<<<n / 256, 256>>>(chosen, value, out, n);
    records<<<n / 256, 256>>>(chosen, f, f);
    thrust::inclusive_scan(flag, flag + n, flag);
    cudaMemcpy(&n, &flag[n - 1], 4, cudaMemcpyDeviceToHost);
    places<<<n / 256, 256>>>(key, flag, out, n);
    cub::DeviceRadixSort::SortPairs(0, n, value, key, flag, every, n);
    by_value<<<n / 256, 256>>>(key, every, value, out);
    shuffled<<<1, 256>>>(key);
    afterwards<<<n / 256, 256>>>(key, value, out);
    table.collect(key, id, n);
    collected<<<n / 256, 256>>>(id, value, out);
}
