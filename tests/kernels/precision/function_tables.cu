// A function that a table of the device holds is one of those that its initialiser lists, behind a test of the index.

typedef float (*Step)(const float *, int);

__device__ float strided(const float *p, int i) { return p[8 * i]; }
//                                                       ^^^^^^^^ warn[WC101] "32 sectors per request, ideal 4 (8.0x)"
__device__ float dense(const float *p, int i) { return p[i]; }
__device__ const Step steps[] = {dense, &strided, nullptr};
__constant__ Step chosen[2] = {strided, dense};
__device__ Step single = dense;

// The index is one number: one of both runs.  The table is read from constant memory.
//! block (64)
//! unknown none
//! bound divergences "0" exact
//! bound conflicts "0" exact
__global__ void by_number(const float *p, float *out, int n) { out[threadIdx.x] = chosen[n](p, threadIdx.x); }

// Lanes call two functions, one after the other.
//! block (64)
//! unknown none
//! bound divergences "1" exact
__global__ void by_lane(const float *p, float *out) { out[threadIdx.x] = (*steps[threadIdx.x & 1])(p, threadIdx.x); }
//                                                                        ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC301] "splits the warp: 16 of 32 threads active; executed once per warp; costs about 36% of this kernel's work"

// The variable may be written to: that it was not is told as an assumption.
//! block (64)
//! unknown none
//! bound sectors "9" exact
__global__ void by_name(const float *p, float *out) { out[threadIdx.x] = single(p, threadIdx.x); }

// Which overload a table means its type says, which is not looked at.
__device__ float half_of(float x) { return x / 2; }
__device__ int half_of(int x) { return x / 2; }
typedef int (*Whole)(int);
__device__ const Whole wholes[] = {half_of};

//! block (64)
//! unknown "a call through a function pointer"
__global__ void overloaded(int *out, int n) { out[threadIdx.x] = wholes[n](threadIdx.x); }
//                                                               ^^^^^^^^^^^^^^^^^^^^^^ info[WC900] "left out of the figures: a call through a function pointer"

// What comes from elsewhere is not known.
//! block (64)
//! unknown "a call through a function pointer"
__global__ void given(const float *p, float *out, Step step) { out[0] = step(p, threadIdx.x); }

void host(const float *p, float *out, int n, Step step) {
    by_number<<<1, 64>>>(p, out, n);
    by_lane<<<1, 64>>>(p, out);
    by_name<<<1, 64>>>(p, out);
    overloaded<<<1, 64>>>((int *)out, n);
    given<<<1, 64>>>(p, out, step);
}
