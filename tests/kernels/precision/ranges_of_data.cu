// What memory decides lies in ranges that the text gives away.

// Extents and strides of a tensor come by value, in arrays that the loop picks from alike for all lanes: none of them scatters.
struct Layout {
    const double *data;
    long extents[8];
    long strides[8];
    int dims;
};

__device__ inline long place_of(long number, const Layout &layout) {
    long place = 0;
    for (int i = layout.dims - 1; i > 0; --i) {
        long along = number % layout.extents[i];
        place += along * layout.strides[i];
        number /= layout.extents[i];
    }
    return place + number * layout.strides[0];
}

__global__ void by_layout(const Layout layout, double *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) {
        long place = place_of(t, layout);
        out[t] = layout.data[place];
//               ^^^^^^^^^^^^^^^^^^ none[WC101]
    }
}

// What each lane loads in the loop for itself does.
__global__ void by_lists(const double *data, const int *next, double *out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int place = t;
    for (int i = 0; i < n; i++)
        place += next[place];
//               ^^^^^^^^^^^ hint[WC101] "up to 32 sectors where 4 would do (8x) if the values of `next[place]` scatter"
    out[t] = data[place];
}

// Where four lanes sort 16 keys, what goes to and fro with the keys stays a number below 16.  Four lanes, and eight groups of four, run
// together wherever n cuts them.
#define SORT(a, b, x, y) if (a > b) { int key = a; a = b; b = key; int at = x; x = y; y = at; }

__global__ void sorted_by_four(const int *keys, const double *values, double *out, const int *first, int n) {
    int group = (blockIdx.x * blockDim.x + threadIdx.x) >> 2, lane = threadIdx.x & 3, whole = n / 8 * 8;
    int k0, k1, v0, v1, start = 0;
    if (group < n) {
        start = first[group];
        k0 = keys[start + lane];
//           ^^^^^^^^^^^^^^^^^^ hint[WC101] "about 11 sectors (up to 16) where 4 would do (2.8x) if the values of `first[group]` scatter"
        k1 = keys[start + lane + 4];
        if (k0 > 0) v0 = lane;
        if (k1 > 0) v1 = lane + 4;
        SORT(k0, k1, v0, v1)
        k1 = __shfl_xor_sync(~0u, k1, 1);
        v1 = __shfl_xor_sync(~0u, v1, 1);
        SORT(k0, k1, v0, v1)
    }
    if (group < whole) {
        v0 = __shfl_xor_sync(~0u, v0, 16);
        int base = __shfl_sync(~0u, start, 0);
        out[base + threadIdx.x % 32] = values[base + v0];
//                                     ^^^^^^^^^^^^^^^^^ none[WC101]
//                                     ^^^^^^^^^^^^^^^^^ access! worst=3
    }
}

// A lane that memory sends elsewhere may leave with any number, and so may what is read of it.
__global__ void sorted_by_some(const int *keys, const double *values, double *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, v = keys[t] > 5 ? t % 4 : t % 8;
    if (keys[t] < 100) {
        v = __shfl_xor_sync(~0u, v, 1);
        out[t] = values[v];
//               ^^^^^^^^^ hint[WC101]
//               ^^^^^^^^^ access! worst=32
    }
}

void run(Layout layout, double *d, int *p, int n) {
    by_layout<<<(n + 255) / 256, 256>>>(layout, d, n);
    by_lists<<<(n + 255) / 256, 256>>>(d, p, d, n);
    sorted_by_four<<<n / 32, 128>>>(p, d, d, p, n);
    sorted_by_some<<<n / 32, 128>>>(p, d, d);
}
