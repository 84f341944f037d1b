// Bases, members and arrays of classes with constructors of their own; copies of them; captures by copy.
struct Base { int b = 1; int c; __device__ int get() const { return b; } };
struct Der : Base { int d; __device__ Der(int x) : d(x) { c = 5; } __device__ Der(const Der &o) : Base(o), d(o.d + 1) {} };
struct Def { int v = 8; int w[2] = {3, 4}; __device__ Def() = default; __device__ Def(int x) : v(x) {} };
struct Has { Def def; Base base; int z; __device__ Has(int q) : z(q) { base.c = 2; } };
struct Copier { int n; __device__ Copier(int x) : n(x) {} __device__ Copier(const Copier &o) : n(o.n * 2) {} __device__ Copier &operator=(const Copier &o) { n = o.n + 7; return *this; } };
struct Wrap { Copier a; int plain; Copier arr[2]; };
struct DW : Copier { int extra; __device__ DW(int x) : Copier(x), extra(x + 1) {} };
struct Arr { int n; int data[3]; __device__ Arr(int x) : n(x) { for (int i = 0; i < 3; i++) data[i] = x * i; } __device__ Arr(const Arr &o) : n(o.n) { for (int i = 0; i < 3; i++) data[i] = o.data[2 - i]; } };
struct Triv { int x, y; __device__ Triv(int a, int b) : x(a), y(b) {} __device__ Triv(const Triv &o) : x(o.x), y(o.y) {} __device__ operator int() const { return x + y; } __device__ Triv(int a) : x(a), y(-1) {} };
struct ByOp { int n; __device__ ByOp(int x) : n(x) {} __device__ ByOp(const ByOp &o) : n(o.n + 1) {} };
__device__ ByOp operator+(ByOp a, ByOp b) { return ByOp(a.n * 10 + b.n); }
__device__ void raise(Base &b) { b.b += 40; }
__device__ int eat(Triv &&t) { t.x = 3; return t.x + t.y; }
__device__ Triv mk(int x) { return Triv(x, 2); }
__device__ int total(Arr a) { return a.data[0] * 100 + a.data[1] * 10 + a.data[2]; }
__device__ Copier cond(bool c) { Copier a(1), b(2); if (c) return a; return b; }
__device__ Copier nested(int c) { if (c) { Copier a(3); return a; } Copier z(4); return z; }
__device__ Arr back(Arr a) { a.data[0] += 1; return a; }
template <class T> __device__ int generic(T a, T b) { return a.n + b.n; }
template <class T> __device__ int fwd(T &&a) { T b = static_cast<T &&>(a); return b.n; }
__global__ void constructors(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    Der d(t);
    *to++ = d.b * 1000 + d.c * 100 + d.d;
    raise(d);
    *to++ = d.b;
    Der e = d;
    *to++ = e.b * 1000 + e.c * 100 + e.d;
    Def f;
    Def g(5);
    *to++ = f.v + f.w[1] * 10 + g.v * 100 + g.w[0] * 1000;
    Has h(t);
    *to++ = h.def.v + h.def.w[t & 1] * 10 + h.base.b * 100 + h.base.c * 1000 + h.z * 10000;
    Copier c(in[i]);
    Wrap w{c, 3, {c, Copier(4)}};
    *to++ = w.a.n * 1000 + w.plain * 100 + w.arr[0].n + w.arr[1].n * 7;
    Wrap x = w;
    *to++ = x.a.n * 1000 + x.plain * 100 + x.arr[0].n + x.arr[1].n * 7;
    DW dw(t);
    DW dx = dw;
    *to++ = dx.n * 100 + dx.extra;
    dx = dw;
    *to++ = dx.n * 100 + dx.extra;
    Copier sl = dw;
    *to++ = sl.n;
    Arr a(t + 1);
    Arr b = a;
    *to++ = b.data[0] * 100 + b.data[1] * 10 + b.data[2];
    *to++ = total(a) + total(Arr(2)) * 1000;
    Arr r = back(a);
    *to++ = r.data[0] * 100 + r.data[1] * 10 + r.data[2];
    Triv tr(1, 2);
    Triv ts = tr;
    Triv tu(tr);
    *to++ = ts.x * 1000 + ts.y * 100 + tu.x * 10 + tu.y;
    *to++ = eat(mk(t)) + eat(Triv(5, 6)) * 100;
    ByOp p(1), q(2);
    *to++ = (p + q + ByOp(3)).n;
    *to++ = cond(t & 1).n * 10 + nested(t & 2).n;
    *to++ = generic(p, q) + fwd(ByOp(6)) * 100;
    Copier z = t & 1 ? c : Copier(9);
    *to++ = z.n;
    z = t & 2 ? c : sl;
    *to++ = z.n;
    int arr3[2] = {1, t};
    auto f1 = [arr3, c](int k) { return arr3[k] * 1000 + c.n; };
    arr3[0] = 50; c.n = 1;
    *to++ = f1(0) + f1(1);
    auto f2 = [&](ByOp v) { return v; };
    *to++ = f2(p).n;
    for (Copier cc : w.arr) *to++ = cc.n;
}
