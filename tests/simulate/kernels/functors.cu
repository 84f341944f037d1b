// Functors, optional values, smart pointers, members of reference type, base classes that know the derived one, lambdas.
struct Rng { unsigned s; __device__ explicit Rng(unsigned x) : s(x * 2654435761u + 1) {} __device__ unsigned operator()() { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; } };
struct Big { int h[2]; struct { short lo, hi; } w; union { int i; float f; }; };
struct Opt { bool has = false; int val; __device__ Opt() {} __device__ Opt(int v) : has(true), val(v) {} __device__ explicit operator bool() const { return has; } __device__ int operator*() const { return val; } __device__ const Opt *operator->() const { return this; } __device__ int or_else(int d) const { return has ? val : d; } };
__device__ Opt find(const int *a, int n, int x) { for (int i = 0; i < n; ++i) if (a[i] == x) return i; return {}; }
template <class T, class Op> __device__ T reduce(const T *a, int n, T init, Op op) { T r = init; for (int i = 0; i < n; i++) r = op(r, a[i]); return r; }
struct Max { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct Ptr { T *p; __device__ explicit Ptr(T *q) : p(q) {} __device__ T &operator*() const { return *p; } __device__ T *operator->() const { return p; } __device__ Ptr operator+(int k) const { return Ptr(p + k); } __device__ Ptr &operator+=(int k) { p += k; return *this; } };
template <class D> struct Crtp { __device__ int run(int x) { return static_cast<D *>(this)->impl(x) + 1; } };
struct Impl : Crtp<Impl> { int k = 3; __device__ int impl(int x) { return x * k++; } };
struct Count { int &c; __device__ Count(int &x) : c(x) {} __device__ void hit() { c++; } __device__ Count &operator+=(int k) { c += k; return *this; } };
enum Flag : unsigned { F_A = 1u << 0, F_B = 1u << 2, F_ALL = F_A | F_B };

__device__ constexpr int cube(int x) { return x * x * x; }
__device__ bool step(int &x) { return ++x & 1; }
__global__ void functors(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    Rng rng(t);
    unsigned r1 = rng() % 10, r2 = rng() % 10;
    *to++ = r1 * 10 + r2 + rng() % 3;
    Big b = {{1, t}, {2, 3}, {4}};
    Big c = b;
    c.h[1]++; c.w.hi = 40000; c.i ^= 5; b = c; b.w.lo--;
    *to++ = b.h[1] + b.w.hi + b.w.lo + b.i * 10 + c.w.lo;
    Opt o = find(in, 8, in[t & 15]);
    if (o) *to++ = *o; else *to++ = -1;
    *to++ = o.or_else(50) + o->or_else(60);
    *to++ = reduce(in, 5, in[0], Max{}) + reduce(in + 1, t & 3, 0, [](int a, int b) { return a + b; });
    int loc[3] = {5, 6, 7};
    Ptr<int> p(loc);
    *(p + 1) = t; *p += 2; (p += 2), *p = 1;
    *to++ = loc[0] * 100 + loc[1] * 10 + loc[2];
    Impl im;
    *to++ = im.run(t) + im.run(2) * 100;
    int cnt = 0;
    Count cc(cnt);
    cc.hit(); cc += 5; cc.hit();
    Count other = cc;
    other.hit();
    *to++ = cnt;
    unsigned fl = t; fl |= F_B; fl &= ~F_A;
    *to++ = fl + (fl & F_ALL ? 100 : 0) + cube(3);
    int x = t;
    if (step(x) || step(x)) x += 10;
    bool both = step(x) && step(x) && step(x);
    *to++ = x * 10 + both;
    int w = 0;
    while (step(w), w < 5) { if (w == 2) continue; x += w; }
    *to++ = x + w;
    x = t > 3 ? (w = 1, w + 2) : (w++, w--);
    *to++ = x * 10 + w;
    int i2 = 3, arr[4] = {1, 2, 3, 4};
    arr[--i2]--; arr[i2--] *= 2; arr[arr[0] & 3] = arr[i2]++ + ++arr[3];
    *to++ = arr[0] + arr[1] * 10 + arr[2] * 100 + arr[3] * 1000 + i2;
    auto add = [&x](int k) -> int & { x += k; return x; };
    int y = add(3) + 1;
    *to++ = x + y;
    auto mk = [](int a) { return [a](int b) { return a * 10 + b; }; };
    *to++ = mk(t)(4);
    int cap = 1;
    auto inc = [cap]() mutable { return ++cap; };
    *to++ = inc() + inc() * 10 + cap * 100;
    const auto &tmp = cube(t) + 1;
    *to++ = tmp;
    int sh = 5; { int sh = 6; sh++; *to++ = sh; } for (int sh = 0; sh < 2; sh++) ; *to++ = sh;
}
