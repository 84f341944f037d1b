// What compilers load at once is one request, and what was loaded before is none.
// PARAM: --block 256

// All members of an aligned vector: one load of 16 bytes.
__global__ void members(const float4 *p, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = p[i].x + p[i].y + p[i].z + p[i].w;
//           ^^^^^^ none[WC101]
//           ^^^^^^ access! worst=16 ideal=4
}

// Two loads of 16 bytes, of one sector a lane.
__global__ void sectors(const double4 *p, double *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    double x = p[i].x, y = p[i].y;
//             ^^^^^^ none[WC101]
    double z = p[i].z;
    out[i] = x * y + z * p[i].w;
}

// These are the two loads, which take half of every sector each; the second finds its half in the cache.  Stores do not.
__global__ void halves(const double4 *p, double4 *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    double4 whole = p[i];
//                  ^^^^ access! worst=32 ideal=16
    out[i] = whole;
//  ^^^^^^ info[WC101]! "32 sectors where 16 would do"
}

// Vectors that lie apart are loaded whole: half of each sector is wasted, not seven eighths.
__global__ void apart(const float4 *p, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = p[2 * i].x + p[2 * i].y + p[2 * i].z + p[2 * i].w;
//           ^^^^^^^^^^ warn[WC101]! "32 sectors where 16 would do (2x)"
}

// Three of four members are not a vector that any instruction loads, but use three bytes of four that they fetch.
__global__ void three(const float4 *p, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = p[i].x + p[i].y + p[i].z;
//           ^^^^^^ access! worst=16 ideal=4
}

struct Loose {
    float x, y, z, w;
};

// Nothing says that this record is aligned to more than its members; they are loaded one by one, from the same sectors.
__global__ void loose(const Loose *p, float *out) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = p[i].x + p[i].y + p[i].z + p[i].w;
    //       ^^^^^^ hint[WC104]
//           ^^^^^^ access! worst=16 ideal=4
}

struct __align__(16) Tight {
    float x, y;
    int at, count;
};

// Members that are written one after the other are one store.
__global__ void stored(Tight *p, float x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    p[i].x = x;
//  ^^^^^^ none[WC101]
    p[i].y = x + 1;
    p[i].at = i;
    p[i].count = 0;
}

// What is loaded in between may be what was stored: two stores of 8 bytes.
__global__ void interrupted(Tight *p, const float *x) {
    int i = blockIdx.x * 256 + threadIdx.x;
    p[i].x = 1;
//  ^^^^^^ info[WC101]! "16 sectors where 4 would do"
    p[i].y = x[i];
//  ^^^^^^ access! worst=16 ideal=4
    p[i].at = i;
//  ^^^^^^^ access! worst=16 ideal=4
    p[i].count = 0;
//  ^^^^^^^^^^ access! worst=16 ideal=4
}

// The same in shared memory: four wavefronts for 512 bytes.
__global__ void shared_members(const float4 *p, float *out) {
    __shared__ float4 s[256];
    s[threadIdx.x] = p[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x].x * s[255 - threadIdx.x].y + s[255 - threadIdx.x].z * s[255 - threadIdx.x].w;
//                                        ^^^^^^^^^^^^^^^^^^^^^^ none[WC201]
}

// An element that was loaded for the test is not loaded again.
__global__ void probed(const int *keys, const int *start, int *found, int key) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int at = start[i];
    while (true) {
        if (keys[at] == key) {
//          ^^^^^^^^^^^^^^^ info[WC302]
//          ^^^^^^^^ info[WC101]! "up to 32 sectors where 4 would do"
            found[i] = at;
            break;
        }
        if (keys[at] < 0)
//          ^^^^^^^^ none[WC101]
            break;
        at++;
    }
}

// What was written meanwhile is.
__global__ void rewritten(int *keys, const int *start, int *found) {
    int i = blockIdx.x * 256 + threadIdx.x;
    int at = start[i];
    int first = keys[at];
//              ^^^^^^^^ hint[WC101]! "up to 32 sectors where 4 would do"
    found[i] = 1;
    found[i] = keys[at] + first;
//             ^^^^^^^^ access! worst=32 ideal=4
}
