// Which load a message names where memory decides: the one next to the access, of those by which lanes differ.
// PARAM: --block 256

__device__ unsigned mixed(unsigned x) {
    x ^= x >> 16;
    x *= 0x85ebca6b;
    return x ^ x >> 13;
}

// A hash scatters whatever the keys are: there is no condition to tell.
__global__ void hashed(int *out, const int *keys, const int *table, int n, int capacity) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] = table[mixed(keys[i]) % capacity];
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x)"
}

__global__ void multiplied(int *out, const unsigned *keys, const int *table, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) out[i] = table[keys[i] * 2654435761u >> 20];
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x)"
}

// What is chosen counts, not what chooses.
__global__ void chosen(float *out, const int *first, const int *second, const float *values) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int key = first[i];
    int at = key < 0 ? 0 : second[key];
//                         ^^^^^^^^^^^ hint[WC101] "if the values of `first[i]` scatter"
    out[i] = values[at];
//           ^^^^^^^^^^ hint[WC101] "if the values of `second[key]` scatter"
}

// A number that all lanes load sends none of them anywhere: where they lie the lanes' own numbers say.
__global__ void folded(float *out, const float *values, const int *sizes) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int w = sizes[0];
    out[i] = values[i / w + i % w * 64];
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
}

// The walk of one lane for all leads to a row; within it each lane goes to what it loads itself.
__global__ void walked(float *out, const int *next, const int *at, const float *values, int n) {
    int lane = threadIdx.x & 31, row = __shfl_sync(0xffffffff, next[threadIdx.x], 0);
    float sum = 0;
    while (row < n) {
        for (int k = lane; k < n; k += 32) {
            int place = at[row * n + k];
            while (place > row) {
//                 ^^^^^^^^^^^ info[WC302] "(depends on data: `at[row * n + k]`)"
                sum += values[place];
//                     ^^^^^^^^^^^^^ hint[WC101] "if the values of `at[row * n + k]` scatter"
                place -= 3;
            }
        }
        row = next[row];
    }
    out[threadIdx.x] = sum;
}

// Of several tests the one that asks what lanes have each for itself.
__global__ void unfinished(float *out, const float *in, const int *count, const float *from, const float *to, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float left = from[i], right = to[i];
    int done = left == right;
    if (threadIdx.x < count[0] && 0 == done) {
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC301] "(depends on data: `from[i]`)"
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum = in[k] - left / (sum + right);
        out[i] = sum;
    }
}

// What is the same of both ends of a loop decides nothing of its length, though it may not fit into the type of the counter.
__global__ void long_starts(int *out, const long *first, const int *count, const char *letters, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    int start = first[i];
    int end = start + count[i];
    int sum = 0;
    for (int k = start; k < end; k++)
//                      ^^^^^^^ info[WC302] "(depends on data: `count[i]`)"
        sum = sum * 31 + letters[k];
//                       ^^^^^^^^^^ info[WC101] "up to 32 sectors where 1 would do (32x). Each thread reads the rest of these sectors in its next iterations. Runs once per iteration of the loop at line 81"
    out[i] = sum;
}

// A start behind a number that all lanes load, and a step that what each loads for itself holds back: lanes part by the latter.
__global__ void held_back(int *out, const int *bottom, const int *open, int n) {
    int step = blockDim.x * gridDim.x, seen = 0;
    int k = (*bottom & -32) + threadIdx.x + blockIdx.x * blockDim.x;
    if (k < *bottom) k += step;
    while (k <= n) {
//         ^^^^^^ info[WC302] "(depends on data: `open[k]`)"
        if (open[k] < seen) k += step;
//          ^^^^^^^ hint[WC101] "if the values of `open[k]` scatter"
        seen++;
    }
    out[threadIdx.x + blockIdx.x * blockDim.x] = seen;
}
