// What every round of a loop reads and writes at one place is kept in a register: findings count the loops around that one.  Each of
// these was held against what nvcc makes of it.
// PARAM: --block 256

// One load before the inner loop and one store after it, in each round of the outer one.
__global__ void totals(float *out, const float *in, int n) {
    __shared__ float row[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < n; k++) {
        row[threadIdx.x] = in[256 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++)
            out[8 * i] += row[j];
//          ^^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Runs n times per warp (2 requests each). 94%"
//          ^^^^^^^^^^ access! worst=32 ideal=4 times=256*n
        __syncthreads();
    }
}

// Other members of the same record are other elements; both loops surely make a round, so it is loaded and stored once in all.
__global__ void records(float2 *out, const float *__restrict__ in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 8; j++) {
            out[4 * i].x += 1;
//          ^^^^^^^^^^^^ warn[WC101]! "uns once per warp (2 requests each)"
            out[4 * i].y += k;
            sum += in[i];
        }
    out[i].x = sum;
}

// A load whose index is loaded, neither of which changes; `out` is the only way to what is stored.
__global__ void looked_up(float *__restrict__ out, const float *in, const int *order, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < n; k++) {
        int at = order[i];
        out[n * k + i] = in[at] * k;
//                       ^^^^^^ none[WC101]
//                       ^^^^^^ access! worst=32 ideal=4 times=n
    }
}

// Without that promise the store may be to what is loaded, so it is loaded in each round; so it is with a different type of element.
__global__ void aliased(float *out, const int *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < n; k++)
        out[256 * k + i] = in[8 * i] * k;
//                         ^^^^^^^^^ warn[WC101]! "32 sectors where 4 would do (8x). Runs n times per warp. 89%"
}

// A load between two stores may be of what was stored, so each round stores.
__global__ void read_between(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < n; k++)
        out[8 * i] += in[k];
//      ^^^^^^^^^^ warn[WC101]! "uns n times per warp (2 requests each)"
}

// What only some rounds load stays below its `if`, and so does what comes behind a `continue`.
__global__ void sometimes(float *__restrict__ out, const float *in, const float *__restrict__ when, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        if (k % 7 == 3)
            sum *= in[8 * i];
//                 ^^^^^^^^^ warn[WC101]! "uns n times per warp"
        if (k % 5 == 2)
            continue;
        sum += in[8 * i + 1] * sum;
//             ^^^^^^^^^^^^^ access! worst=32 ideal=4 times=n
    }
    out[i] = sum;
}

// Between barriers others may have written it; a shuffle is where nvcc takes lanes to meet, too.
__global__ void met(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += __shfl_xor_sync(0xffffffff, in[8 * i] * k + sum, 1);
//                                         ^^^^^^^^^ warn[WC101]! "uns n times per warp"
    for (int k = 0; k < n; k++) {
        sum += in[8 * i + 1] * sum;
//             ^^^^^^^^^^^^^ access! worst=32 ideal=4 times=n
        __syncthreads();
    }
    out[i] = sum;
}

// A volatile element is loaded as often as that is said, and so is what stands beside a fence.
__global__ void watched(float *out, const volatile float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[8 * i] * sum;
//             ^^^^^^^^^ warn[WC101]! "uns n times per warp"
    out[i] = sum;
}

__global__ void fenced(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) {
        __threadfence();
        sum += in[8 * i] * sum;
//             ^^^^^^^^^ warn[WC101]! "uns n times per warp"
    }
    out[i] = sum;
}

// Shared memory is other memory than what `out` leads to.
__global__ void shared_column(float *out, const float *in, int n) {
    __shared__ float tile[1024];
    int i = threadIdx.x;
    for (int k = 0; k < 4; k++)
        tile[i + 256 * k] = in[i + 256 * k];
    __syncthreads();
    for (int k = 0; k < n; k++)
        out[256 * k + i] = tile[i * 4 + 1] * k + tile[(i + k) % 256];
//                         ^^^^^^^^^^^^^^^ access! worst=4 ideal=1 times=n
//                         ^^^^^^^^^^^^^^^ none[WC201]
}

// A lane's own record, whose members a short loop goes through: three loads in all, whatever the rounds around it.
__global__ void distances(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float least = 1e30f;
    for (int k = 0; k < n; k++) {
        float sum = 0;
        for (int d = 0; d < 3; d++)
            sum += (in[3 * i + d] - in[3 * k + d]) * (in[3 * i + d] - in[3 * k + d]);
//                  ^^^^^^^^^^^^^ none[WC101]
        least = fminf(least, sum);
    }
    out[i] = least;
}

// What a store in the loop may change, and what a barrier lets others change, is loaded in each round.
__global__ void moved(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < n; k++)
        for (int d = 0; d < 3; d++)
            out[256 * k + i] = in[8 * i + d] * k;
            //                 ^^^^^^^^^^^^^ hint[WC104]
//                             ^^^^^^^^^^^^^ warn[WC101]! "uns 3*n times per warp"
}

// A hundred elements are too many for registers.
__global__ void long_rows(float *out, const float *in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        for (int d = 0; d < 100; d++)
            sum += in[100 * i + d] * k;
            //     ^^^^^^^^^^^^^^^ hint[WC104]
//                 ^^^^^^^^^^^^^^^ warn[WC101]! "uns 100*n times per warp"
    out[i] = sum;
}

// Others may change memory in each round, but not what a restricted pointer reads that nobody writes through: `limits[v + 1]` is loaded
// before the loop, `depth[v]` in each round.
__global__ void neighbours(int *depth, const int *__restrict__ limits, const int *__restrict__ others,
                           const int *__restrict__ order) {
    int v = order[blockIdx.x * 256 + threadIdx.x];
    for (int r = limits[v]; r < limits[v + 1]; r++)
//                              ^^^^^^^^^^^^^ none[WC101]
//                              ^^^^^^^^^^^^^ access! worst=32
//                          ^^^^^^^^^^^^^^^^^ info[WC302]
        atomicCAS(&depth[others[r]], -1, depth[v] + 1);
//                       ^^^^^^^^^ info[WC101] "up to 32 sectors where 4 would do (8x)"
}

// An index that each round sets, and moves on from there, goes through the same numbers: three loads in all.
__global__ void rows_of_three(float *out, const float *in, int n) {
    __shared__ float tile[2048];
    for (int k = 0; k < 8; k++)
        tile[threadIdx.x + 256 * k] = in[threadIdx.x + 256 * k];
    __syncthreads();
    float low = 0;
    int at;
    for (int k = 0; k < n; k++) {
        at = 2 * threadIdx.x;
        low += tile[at] > low;
//             ^^^^^^^^ info[WC201] "With 2 more"
//             ^^^^^^^^ access! worst=2 ideal=1 times=n
        at += 512;
        low += tile[at] > low;
        at += 64;
        low += tile[at] > low;
    }
    out[threadIdx.x] = low;
}

// Not so what some rounds move on.
__global__ void moved_sometimes(float *out, const float *__restrict__ in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x, at;
    float low = 0;
    for (int k = 0; k < n; k++) {
        at = 8 * i;
        if (low < 8)
            at += 8 * k;
        low += in[at] > low;
//             ^^^^^^ hint[WC101] "uns n times per warp"
    }
    out[i] = low;
}

// Sums are taken apart in whatever order they are written, unsigned ones too: the two halves of a package are other elements, and all four
// updates are of what registers keep through the inner loop.
//@ launch block=(256)
__global__ void packages(float *__restrict__ out, const float *__restrict__ in, int n) {
    int gid = blockIdx.x * 256 + threadIdx.x;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            out[gid / 4 * 56 + 8 * i + gid % 4] += in[k * 32 + threadIdx.x];
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
            out[gid / 4 * 56 + 8 * i + gid % 4] -= in[k];
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
            out[gid / 4 * 56 + 8 * i + 4 + gid % 4] -= in[k * 32 + threadIdx.x];
            out[gid / 4 * 56 + 8 * i + 4 + gid % 4] += in[k];
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
        }
}

//@ launch block=(256)
__global__ void unsigned_packages(float *__restrict__ out, const float *__restrict__ in, int n) {
    unsigned gid = blockIdx.x * 256 + threadIdx.x;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            out[gid / 4 * 56 + (4 + gid % 4) + 8 * i] += in[k * 32 + threadIdx.x];
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
            out[gid / 4 * 56 + (4 + gid % 4) + 8 * i] -= in[k];
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
            out[gid / 4 * 56 + gid % 4 + 8 * i] -= in[k * 32 + threadIdx.x];
            out[gid / 4 * 56 + gid % 4 + 8 * i] += in[k];
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
        }
}

// Half an element further on is the same memory: what the second store leaves there is loaded again.
//@ launch block=(256)
__global__ void overlapping(int *__restrict__ out, const int *__restrict__ in, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < n; k++) {
        out[8 * i + 1 + i % 4] += in[k];
//      ^^^^^^^^^^^^^^^^^^^^^^ warn[WC101] "uns n times per warp (2 requests each)"
        *(long long *)&out[8 * i + i % 4] = k;
    }
}
