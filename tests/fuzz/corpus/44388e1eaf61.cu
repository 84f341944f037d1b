struct S { S *s; S t; int a[(int)sizeof(S)]; union { S u; int S::*m; }; };
__global__ void k(S *s) { auto f = [=](auto g) { return g(g); }; s[threadIdx.x].s->t.u = f(f); }
