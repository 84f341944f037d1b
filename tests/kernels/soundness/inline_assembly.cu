// Inline assembly costs what the same costs in C++: `row` and `row_by_hand` are twins, and so on.  The traps: lanes without the predicate access
// nothing; ldmatrix .x2 takes the rows of half a warp; what an instruction computes is no constant; what is not listed may do anything.

//! unknown none
//! bound sectors "12" exact
__global__ void row(float *out, const float *in) {
    float v;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(in + 2 * threadIdx.x));
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! space=global rw=R bytes=4 worst=8
    asm("st.global.f32 [%0 + 128], %1;" ::"l"(&out[threadIdx.x]), "f"(v) : "memory");
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! rw=W worst=4 text="out[threadIdx.x]"
}

//! unknown none
//! bound sectors "12" exact
__global__ void row_by_hand(float *out, const float *in) { out[threadIdx.x + 32] = __ldg(in + 2 * threadIdx.x); }
//                                                                                       ^^^^^^^^^^^^^^^^^^^^ info[WC101]

//! unknown none
//! bound sectors "32" exact
//! bound conflicts "4" exact
__global__ void copied(const float *in) {
    __shared__ float tile[512];
    unsigned to;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(to) : "l"(&tile[8 * threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(to), "l"(in + 16 * threadIdx.x), "n"(16));
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]
    asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;\n" ::);
}

//! unknown none
//! bound sectors "32" exact
//! bound conflicts "4" exact
__global__ void copied_by_hand(const float *in) {
    __shared__ float tile[512];
    *(float4 *)&tile[8 * threadIdx.x] = *(const float4 *)(in + 16 * threadIdx.x);
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC101]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]
}

//! unknown none
//! bound conflicts "42" exact
__global__ void rows_of_matrices(unsigned *out) {
    __shared__ unsigned tile[32 * 32];
    unsigned at = (unsigned)__cvta_generic_to_shared(&tile[32 * threadIdx.x]), a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC201]
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=32 ideal=4
    asm volatile("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%0,%1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ access! worst=16 ideal=2
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" : "+r"(a), "+r"(b), "+r"(c), "+r"(d) : "r"(a), "r"(b), "r"(c));
}

//! unknown none
//! bound divergences "0" exact
__global__ void predicated(float *out, const float *in, int n) {
    float v = 0.0f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p ld.global.f32 %0, [%1]; }" : "+f"(v) : "l"(in + 8 * i), "r"((int)(i < n)));
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warn[WC101]
    out[i] = v;
}

//! unknown none
__global__ void lanes(int *out, const int *in) {
    unsigned lane, mixed;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("lop3.b32 %0, %1, %2, %2, 0x96;" : "=r"(mixed) : "r"(lane), "r"(lane));
    out[8 * lane] = in[mixed];
//  ^^^^^^^^^^^^^ info[WC101]
//  ^^^^^^^^^^^^^ access! worst=32
//                  ^^^^^^^^^ access! worst=32 best=1 exact=false
}

//! unknown none
//! bound sectors "4" exact
__global__ void barrier_of_a_part(float *out) {
    __shared__ float shared[64];
    shared[threadIdx.x] = 1.0f;
    asm volatile("barrier.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = shared[threadIdx.x ^ 32];
}

//! unknown "multimem" kind=unsupported
__global__ void not_known(float *out) {
    asm volatile("multimem.red.shared.b64 [%0];" ::"r"(0));
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ info[WC900] "Not analysed: inline assembly: `multimem.red.shared.b64`"
    out[threadIdx.x] = 1.0f;
}

// What is carried depends on the lane; signed bytes are below zero for some; 040 is 32; numbers with a sign wrap.

//! unknown none
//! bound divergences "1"
__global__ void carried(float *out) {
    unsigned low, high;
    asm("add.cc.u32 %0, %2, %3;\n addc.u32 %1, 0, 0;" : "=r"(low), "=r"(high) : "r"(threadIdx.x << 27), "r"(0xf0000000u));
    if (high) { out[threadIdx.x] = 1.0f; }
}

//! unknown none
//! bound sectors "37"
__global__ void bytes_with_a_sign(float *out, const signed char *in) {
    int a, b;
    asm("ld.global.v2.s8 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(in));
    out[threadIdx.x + 8] = a < 0 ? in[32 * threadIdx.x] : 1.0f;
//                                 ^^^^^^^^^^^^^^^^^^^^ info[WC101] "32 sectors where 1 would do (32x)"
}

//! unknown none
//! bound sectors "4" exact
//! bound divergences "1" exact
__global__ void numbers(float *out) {
    int a, b;
    asm("mov.u32 %0, 040;" : "=r"(a));
    asm("mul.lo.s32 %0, %1, %2;" : "=r"(b) : "r"(threadIdx.x), "r"(0x40000000));
    if (b < 0) { out[threadIdx.x * a / 32] = 1.0f; }
//               ^^^^^^^^^^^^^^^^^^^^^^^^^ hint[WC101] "4 sectors where 2 would do (2x)"
}

void run(float *out, const float *in, int n) {
    row<<<1, 32>>>(out, in);
    row_by_hand<<<1, 32>>>(out, in);
    copied<<<1, 32>>>(in);
    copied_by_hand<<<1, 32>>>(in);
    rows_of_matrices<<<1, 32>>>((unsigned *)out);
    predicated<<<n, 128>>>(out, in, n);
    lanes<<<1, 32>>>((int *)out, (const int *)in);
    barrier_of_a_part<<<1, 64>>>(out);
    not_known<<<1, 32>>>(out);
    carried<<<1, 32>>>(out);
    bytes_with_a_sign<<<1, 32>>>(out, (const signed char *)in);
    numbers<<<1, 32>>>(out);
}

// What lanes tell each other is followed as by the functions of the same names.
__device__ int first_lane(int v) {
    int r;
    asm volatile("shfl.sync.idx.b32 %0, %1, 0, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v));
    return r;
}
__device__ int opposite(int v) {
    int r;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 31, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v));
    return r;
}
__device__ int all_of(int v) {
    int r;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(v));
    return r;
}
//! unknown none
__global__ void told_by_lanes(float *o, const float *a, const int *k) {
    int t = threadIdx.x;
    if (first_lane(t / 32) < 2)
    //  ^^^^^^^^^^^^^^^^^^^^^^ branch! divergence=never
        o[t] = a[opposite(t)];
    //         ^^^^^^^^^^^^^^ access! worst=4 ideal=4
    if (all_of(k[t]) > 3)
    //  ^^^^^^^^^^^^^^^^ branch! divergence=never
        o[t] += 1;
    if (first_lane(k[t]) + t / 16 > 3)
    //  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ branch divergence=possible
        o[t] += 2;
}
void tell(float *o, const float *a, const int *k) { told_by_lanes<<<1, 128>>>(o, a, k); }
