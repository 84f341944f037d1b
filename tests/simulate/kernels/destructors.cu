// Objects are destroyed where a block is left.
struct Guard {
    long long *at;
    int v;
    __device__ Guard(long long *p, int x) : at(p), v(x) {}
    __device__ ~Guard() { *at = *at * 10 + v; }
};
struct Outer { Guard a; int k; };
__device__ int early(long long *p, int t) {
    Guard g(p, 1);
    if (t & 1) { Guard h(p, 2); return 5; }
    for (int i = 0; i < 4; i++) { Guard l(p, 3); if (i == (t & 3)) break; if (i == 1) continue; }
    return 6;
}
__global__ void destructors(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    { Guard g(to, 4); Guard h(to, 5); }
    ++to;
    *to = early(to, t);
    ++to;
    early(to, t);
    ++to;
    { Outer o{Guard(to, 7), 1}; }
}
