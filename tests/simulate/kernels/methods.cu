// Methods that return the object or a part of it, bases, functors, narrow integers, jumps.
class Acc {
    int total;
    int n;
public:
    __device__ Acc() : total(0), n(0) {}
    __device__ Acc &add(int x) { total += x; n++; return *this; }
    __device__ int mean() const { return n ? total / n : -1; }
    __device__ int &ref() { return total; }
    __device__ Acc &operator<<(int x) { return add(x * 2); }
};
template <int B> struct Digit { static constexpr int mask = (1 << B) - 1; __device__ static int of(int v, int k) { return (v >> (k * B)) & mask; } };
struct Base { int b = 1; __device__ int get() const { return b; } __device__ void set(int x) { b = x; } };
struct Derived : Base { int d = 2; using Base::get; __device__ Derived(int x) : d(x) { set(x + 1); } __device__ int both() { return get() * 100 + d; } };
__device__ void swap2(int &a, int &b) { int c = a; a = b; b = c; }
template <class T> __device__ void sort3(T (&a)[3]) { if (a[0] > a[1]) swap2(a[0], a[1]); if (a[1] > a[2]) swap2(a[1], a[2]); if (a[0] > a[1]) swap2(a[0], a[1]); }
template <class F> __device__ int apply(F f, int x) { return f(f(x)); }
struct Add { int k; __device__ int operator()(int x) const { return x + k; } };
__constant__ int table[4];
__device__ int rec(int x) { return x; }
namespace util { namespace inner { __device__ inline int f(int x) { return x * 3; } }  constexpr int K = 6; }
__global__ void methods(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    Acc acc;
    acc.add(in[i]).add(t).add(3);
    *to++ = acc.mean();
    acc.ref() += 100;
    (acc << 1 << 2).ref()++;
    *to++ = acc.mean() + acc.ref();
    *to++ = Digit<4>::of(in[i], 1) + Digit<3>::mask;
    Derived dv(t);
    *to++ = dv.both();
    Base &bb = dv;
    bb.set(7);
    *to++ = dv.get() + dv.both();
    int a3[3] = {in[i], t, 3};
    sort3(a3);
    *to++ = a3[0] * 10000LL + a3[1] * 100 + a3[2];
    *to++ = apply(Add{t}, 5) + apply([&](int q) { return q * t; }, 2);
    *to++ = util::inner::f(t) + util::K + util::inner::f(2);
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int(*row)[3] = m + (t & 1);
    (*row)[2] += t;
    row[0][1]--;
    *to++ = m[0][2] * 100 + m[1][2] + m[0][1] + m[1][1];
    unsigned char uc = 250; uc += 10; signed char sc = uc * 100; unsigned short us = -1; us >>= 3;
    *to++ = uc + sc * 1000LL + us * 1000000LL;
    long long ll = 1; ll <<= 40; int sh = ll >> 38;
    *to++ = ll + sh;
    do { if (t % 5 == 3) break; t += 2; if (t > 20) continue; } while (t < 30);
    *to++ = t;
    int sw = 0;
    switch (t & 3) { case 0: sw += 1; case 1: sw += 10; break; case 2: { sw += 100; } default: sw += 1000; }
    *to++ = sw;
    int q = in[i] > 0 ? in[i] < 100 ? 1 : 2 : in[i] < -100 ? 3 : 4;
    *to++ = q;
    *to++ = !in[i] + ~t + -t;
    bool flag = in[i]; flag |= t & 1; flag ^= true;
    *to++ = flag + sizeof(Acc) + alignof(long long) + sizeof m / sizeof *m;
}
