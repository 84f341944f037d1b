// Rounds of a loop that compilers write out are loads beside each other.

// Three members of each lane's record, one in each round.
//@ launch block=(256)
__global__ void lengths(const float *__restrict__ points, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 3; k++)
        sum += points[3 * i + k] * points[3 * i + k];
//             ^^^^^^^^^^^^^^^^^ none[WC101]
//             ^^^^^^^^^^^^^^^^^ access! worst=12 ideal=4
    out[i] = sum;
}

// Into shared memory, with a test of the lane around.
//@ launch block=(16, 16)
__global__ void tiles(const float *records, float *out, int n) {
    __shared__ float tile[256 * 7];
    int t = threadIdx.y * 16 + threadIdx.x;
    float sum = 0;
    for (int base = 0; base < n; base += 256) {
        if (base + t < n) {
            #pragma unroll
            for (int k = 0; k < 7; ++k)
                tile[t * 7 + k] = records[(base + t) * 7 + k];
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
//                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=28 ideal=4
        }
        __syncthreads();
        for (int j = 0; j < 256; j++)
            sum += tile[j * 7];
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = sum;
}

// All of a record of 32 bytes is used; of one of 64 each round is 32 lines.
//@ launch block=(256)
__global__ void whole(const float *rows, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += rows[8 * i + k];
        //     ^^^^^^^^^^^^^^^ hint[WC104]
//             ^^^^^^^^^^^^^^^ none[WC101]
//             ^^^^^^^^^^^^^^^ access! worst=32 ideal=4
    out[i] = sum;
}

//@ launch block=(256)
__global__ void large(const float *rows, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 16; k++)
        sum += rows[16 * i + k];
        //     ^^^^^^^^^^^^^^^^ hint[WC104]
//             ^^^^^^^^^^^^^^^^ info[WC101]! "32 sectors where 4 would do (8x)"
    out[i] = sum;
}

// Two of seven members: what is between them is used by none.
//@ launch block=(256)
__global__ void ends(const float *records, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 2; k++)
        sum += records[7 * i + k];
//             ^^^^^^^^^^^^^^^^^^ warn[WC101]! "28 sectors where 4 would do (7x)"
    out[i] = sum;
}

// Stores go to L2 round by round.
//@ launch block=(256)
__global__ void cleared(float *points) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int k = 0; k < 3; k++)
        points[3 * i + k] = 0;
//      ^^^^^^^^^^^^^^^^^ info[WC101]! "12 sectors where 4 would do (3x)"
}

// The block meets between the rounds: each of them fetches for itself, but for what the cache still holds.
//@ launch block=(256)
__global__ void in_turns(const float *points, float *out) {
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        tile[t] = points[3 * i + k];
//                ^^^^^^^^^^^^^^^^^ warn[WC101]! "12 sectors where 4 would do (3x). Each thread reads the rest of these sectors in its next iterations (L1 may absorb this)"
        __syncthreads();
        sum += tile[255 - t];
        __syncthreads();
    }
    out[i] = sum;
}

// Nobody knows how many rounds there are.
//@ launch block=(256)
__global__ void some(const float *points, float *out, int members) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < members; k++)
        sum += points[3 * i + k];
//             ^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 13 sectors where 4 would do (3.2x)"
    out[i] = sum;
}

// Rounds that are put together, within a loop that is too long to be gone through: members of one record again.
//@ launch block=(256)
__global__ void many(const float *__restrict__ points, float *__restrict__ out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < 100000; j++)
        for (int k = 0; k < 3; k++)
            sum += points[3 * (i + j) + k];
//                 ^^^^^^^^^^^^^^^^^^^^^^^ none[WC101]
    out[i] = sum;
}

// One of them in each round, as all threads decide alike.
//@ launch block=(256)
__global__ void chosen(const float *__restrict__ points, float *__restrict__ out, int which) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < 100000; j++)
        for (int k = 0; k < 3; k++)
            if (k == which)
                sum += points[3 * (i + j) + k];
//                     ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]! "up to 13 sectors where 4 would do (3.2x)"
    out[i] = sum;
}
