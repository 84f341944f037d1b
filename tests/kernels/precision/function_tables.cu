// A function that a table of the device holds is one of those that its initialiser lists, behind a test of the index.

typedef float (*Step)(const float *, int);

__device__ float strided(const float *p, int i) { return p[8 * i]; }
//                                                       ^^^^^^^^ warn[WC101] "32 sectors where 4 would do (8x)"
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
//                                                                        ^^^^^^^^^^^^^^^^^^^^^^^ warn[WC301] "the warp splits, 16 of 32 threads active. Costs about 36% of this kernel's work"

// The variable may be written to: that it was not is told as an assumption.
//! block (64)
//! unknown none
//! bound sectors "9" exact
__global__ void by_name(const float *p, float *out) { out[threadIdx.x] = single(p, threadIdx.x); }

// Which overload a table means its type says.
__device__ float half_of(float x) { return x / 2; }
__device__ int half_of(int x) { return x / 2; }
typedef int (*Whole)(int);
__device__ const Whole wholes[] = {half_of};

//! block (64)
//! unknown none
__global__ void overloaded(int *out, int n) { out[threadIdx.x] = wholes[n](threadIdx.x); }

// What the host hands over it has from a variable of the device: one of these functions, for all lanes.
//! block (64)
//! unknown none
//! bound divergences "0" exact
__global__ void given(const float *p, float *out, Step step) { out[threadIdx.x] = step(p, threadIdx.x); }

// A member of a parameter likewise, and what memory holds may be another one in each lane.
struct Work { Step step; const float *p; };
//! block (64)
//! unknown none
//! bound divergences "0" exact
__global__ void member(Work work, float *out) { out[threadIdx.x] = work.step(work.p, threadIdx.x); }

//! block (64)
//! unknown none
__global__ void stored(const Step *all, const float *p, float *out) { out[threadIdx.x] = all[threadIdx.x & 1](p, threadIdx.x); }

// A type that is the template's argument.
//! block (64)
//! unknown none
template <class F> __global__ void generic(const float *p, float *out, F step) { out[threadIdx.x] = step(p, threadIdx.x); }

// No variable of the device holds a function of this type.
typedef float (*Other)(double);
//! block (64)
//! unknown "a call through a function pointer"
__global__ void foreign(float *out, Other other) { out[threadIdx.x] = other(2.0f); }
//                                                                    ^^^^^^^^^^^ info[WC900] "Not analysed: a call through a function pointer"

void host(const float *p, float *out, int n, Step step) {
    by_number<<<1, 64>>>(p, out, n);
    by_lane<<<1, 64>>>(p, out);
    by_name<<<1, 64>>>(p, out);
    overloaded<<<1, 64>>>((int *)out, n);
    given<<<1, 64>>>(p, out, step);
    member<<<1, 64>>>(Work{step, p}, out);
    stored<<<1, 64>>>(nullptr, p, out);
    generic<<<1, 64>>>(p, out, step);
    foreign<<<1, 64>>>(out, nullptr);
}
