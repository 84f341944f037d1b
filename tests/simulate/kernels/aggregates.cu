// Brace lists of bases, and of anonymous structs and unions.
struct Big { int h[2]; struct { short lo, hi; } w; union { int i; float f; }; };
struct B2 { int a; union { int i; float f; }; int z; };
struct B3 { int a; struct { int p, q; }; int z; };
struct Base { int x, y; };
struct Derived : Base { int z; };
__global__ void aggregates(const int *in, int *changed, long long *out, int n) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i >= n) return;
    long long *to = out + i * 32;
    Big b = {{1, t}, {2, 3}, {4}};
    *to++ = b.h[0]; *to++ = b.h[1]; *to++ = b.w.lo; *to++ = b.w.hi; *to++ = b.i;
    B2 c = {1, {7}, 3};
    *to++ = c.a; *to++ = c.i; *to++ = c.z;
    B2 d = {1, 7, 3};
    *to++ = d.a; *to++ = d.i; *to++ = d.z;
    B2 g = d; g.i++;
    *to++ = g.a; *to++ = g.i; *to++ = g.z;
    B3 e = {1, {7, 8}, 3};
    *to++ = e.a; *to++ = e.p; *to++ = e.q; *to++ = e.z;
    B3 f = {1, 7, 8, 3};
    *to++ = f.a; *to++ = f.p; *to++ = f.q; *to++ = f.z;
    Derived h = {{1, 2}, t};
    Derived l = {4, 5, 6};
    Derived m = {{7}};
    *to++ = h.x + h.y * 10 + h.z * 100;
    *to++ = l.x + l.y * 10 + l.z * 100;
    *to++ = m.x + m.y * 10 + m.z * 100;
}
