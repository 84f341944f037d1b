// What copies and moves of objects run: constructors of the user's, elision, variables that are returned.
struct M {
    int v, copies;
    __device__ M(int x) : v(x), copies(0) {}
    __device__ M(const M &o) : v(o.v + 1), copies(o.copies + 1) {}
};
struct MoveOnly {
    int v, kind;
    __device__ MoveOnly(int x) : v(x), kind(0) {}
    __device__ MoveOnly(const MoveOnly &o) : v(o.v), kind(1) {}
    __device__ MoveOnly(MoveOnly &&o) : v(o.v), kind(2) { o.v = -1; }
    __device__ MoveOnly &operator=(const MoveOnly &o) { v = o.v; kind = 3; return *this; }
};
struct Pair { M first; MoveOnly second; };
__device__ int take(M m) { m.v *= 2; return m.v * 100 + m.copies; }
__device__ int refer(const M &m) { return m.v * 100 + m.copies; }
__device__ M make(int x) { return M(x); }
__device__ M named(int x) { M m(x); m.v += 3; return m; }
__device__ M pass(M m) { return m; }
__device__ M given(const M &m) { return m; }
__device__ M either(bool c, const M &a, const M &b) { if (c) return a; return b; }
__global__ void copies(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    M a(in[i]);
    M b = a;
    *to++ = b.v * 10 + b.copies;
    M c(b);
    *to++ = c.v * 10 + c.copies;
    M d{c};
    *to++ = d.v * 10 + d.copies;
    M e = {d};
    *to++ = e.v * 10 + e.copies;
    auto f = e;
    *to++ = f.v * 10 + f.copies;
    *to++ = take(a);
    *to++ = take(M(5));
    *to++ = take(7);
    *to++ = refer(a);
    M g = make(4);
    *to++ = g.v * 10 + g.copies;
    M h = named(4);
    *to++ = h.v * 10 + h.copies;
    M j = pass(a);
    *to++ = j.v * 10 + j.copies;
    M l = given(a);
    *to++ = l.v * 10 + l.copies;
    M m = either(t & 1, a, b);
    *to++ = m.v * 10 + m.copies;
    M o = t & 2 ? a : b;
    *to++ = o.v * 10 + o.copies;
    MoveOnly p(t);
    MoveOnly q = p;
    *to++ = q.v * 10 + q.kind;
    MoveOnly r = static_cast<MoveOnly &&>(p);
    *to++ = r.v * 10 + r.kind + p.v * 1000;
    q = r;
    *to++ = q.v * 10 + q.kind;
    Pair s{a, q};
    *to++ = s.first.v * 10 + s.first.copies + 1000 * s.second.kind;
    Pair u = s;
    *to++ = u.first.v * 10 + u.first.copies + 1000 * u.second.kind;
    M two[2] = {a, M(3)};
    *to++ = two[0].v * 10 + two[0].copies + 1000 * two[1].copies;
    const M &x = a;
    M y = x;
    *to++ = y.v * 10 + y.copies;
    M *z = &a;
    M w = *z;
    *to++ = w.v * 10 + w.copies;
    auto lam = [a](int q) { return a.v * 10 + a.copies + q; };
    *to++ = lam(0);
}
