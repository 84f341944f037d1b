"""Programs about classes, each with an `int e` that its body computes: what C++ makes of them says g++ (test_class_meanings.py).

Names that are hidden, calls that are virtual or not, bases that are constructed, objects that are copied by lambdas, and the like.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """`prelude`: declarations; `body`: statements that declare `int e`, a number from 1 to 32."""

    name: str
    prelude: str
    body: str


CASES: tuple[Case, ...] = (
    Case(
        "ref nonvirtual",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\n__device__ int u(B &b) { return b.g(); }",
        "D d; int e = u(d);",
    ),
    Case(
        "ref virtual",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\n__device__ int u(B &b) { return b.f(); }",
        "D d; int e = u(d);",
    ),
    Case(
        "cref virtual",
        "struct B { __device__ virtual int f() const { return 2; } }; struct D : B { __device__ int f() const override { return 7; } };__device__ int u(const B &b) { return b.f(); }",
        "D d; int e = u(d);",
    ),
    Case(
        "ptr virtual",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\n__device__ int u(B *b) { return b->f(); }",
        "D d; int e = u(&d);",
    ),
    Case(
        "ptr nonvirtual",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\n__device__ int u(B *b) { return b->g(); }",
        "D d; int e = u(&d);",
    ),
    Case(
        "ptr local",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };",
        "D d; B *p = &d; int e = p->f() + p->g();",
    ),
    Case(
        "ref local",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };",
        "D d; B &p = d; int e = p.f() + p.g();",
    ),
    Case(
        "slice",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };",
        "D d; B b = d; int e = b.f();",
    ),
    Case(
        "slice param",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\n__device__ int u(B b) { return b.f(); }",
        "D d; int e = u(d);",
    ),
    Case(
        "base method calls virtual",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };",
        "D d; int e = d.h();",
    ),
    Case(
        "qualified",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };",
        "D d; int e = d.B::f() + d.B::g();",
    ),
    Case(
        "qualified via ptr",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };",
        "D d; B *p = &d; int e = p->B::f();",
    ),
    Case(
        "ctor virtual",
        "struct B { int v; __device__ B() { v = f(); } __device__ virtual int f() { return 3; } }; struct D : B { __device__ D() {} __device__ int f() override { return 9; } };",
        "D d; int e = d.v;",
    ),
    Case(
        "ctor nonvirtual",
        "struct B { int v; __device__ B() { v = f(); } __device__ int f() { return 3; } }; struct D : B { __device__ D() {} __device__ int f() { return 9; } };",
        "D d; int e = d.v;",
    ),
    Case(
        "ctor via h",
        "struct B { int v; __device__ B() { v = h(); } __device__ int h() { return f(); } __device__ virtual int f() { return 3; } }; struct D : B { int w; __device__ D() { w = h(); } __device__ int f() override { return 9; } };",
        "D d; int e = d.v + d.w;",
    ),
    Case(
        "dtor virtual",
        "struct B { int *o; __device__ B(int *p) : o(p) {} __device__ virtual ~B() { *o = f(); } __device__ virtual int f() { return 3; } }; struct D : B { __device__ D(int *p) : B(p) {} __device__ int f() override { return 9; } };",
        "int e = 1; { D d(&e); }",
    ),
    Case("hidden field", "struct B { int x = 3; }; struct D : B { int x = 8; };", "D d; int e = d.x;"),
    Case("hidden field base", "struct B { int x = 3; }; struct D : B { int x = 8; };", "D d; int e = d.B::x;"),
    Case(
        "hidden field ref",
        "struct B { int x = 3; }; struct D : B { int x = 8; };__device__ int u(B &b) { return b.x; }",
        "D d; int e = u(d);",
    ),
    Case(
        "hidden field in methods",
        "struct B { int x = 3; __device__ int g() { return x; } }; struct D : B { int x = 8; __device__ int h() { return x; } };",
        "D d; int e = d.g() * 2 + d.h();",
    ),
    Case(
        "hidden write",
        "struct B { int x = 3; __device__ void s(int v) { x = v; } }; struct D : B { int x = 8; __device__ void t(int v) { x = v; } };",
        "D d; d.s(2); d.t(9); int e = d.x + d.B::x;",
    ),
    Case(
        "hidden ctor",
        "struct B { int x; __device__ B(int v) : x(v) {} }; struct D : B { int x; __device__ D(int v) : B(v + 1), x(v) {} };",
        "D d(4); int e = d.x + 3 * d.B::x;",
    ),
    Case(
        "hidden aggregate", "struct B { int x; }; struct D : B { int x; };", "D d = {{5}, 3}; int e = d.x + 2 * d.B::x;"
    ),
    Case(
        "hidden copy",
        "struct B { int x; }; struct D : B { int x; };",
        "D d = {{5}, 3}; D f = d; B b = f; int e = f.x + 2 * f.B::x + b.x;",
    ),
    Case(
        "hidden assign",
        "struct B { int x; }; struct D : B { int x; };",
        "D d = {{5}, 3}; D f; f = d; B b; b = f; int e = f.x + 2 * f.B::x + b.x;",
    ),
    Case(
        "name lookup stops",
        "struct A { __device__ int f(double) { return 2; } __device__ int f(int) { return 4; } }; struct B : A { __device__ int f(double) { return 6; } };",
        "B b; int e = b.f(1);",
    ),
    Case(
        "using base",
        "struct A { __device__ int f(int) { return 4; } }; struct B : A { using A::f; __device__ int f(double) { return 6; } };",
        "B b; int e = b.f(1) + b.f(1.0);",
    ),
    Case(
        "hidden type",
        "struct A { typedef char T; }; struct B : A { typedef double T; __device__ int f() { return sizeof(T); } };",
        "B b; int e = b.f() + sizeof(B::A::T);",
    ),
    Case(
        "hidden static",
        "struct A { static const int N = 4; }; struct B : A { static const int N = 6; __device__ int f() { return N; } };",
        "B b; int e = b.f() + B::N + A::N;",
    ),
    Case(
        "base static",
        "struct A { static const int N = 4; enum { M = 3 }; typedef short T; }; struct B : A { __device__ int f() { return N + M + sizeof(T); } };",
        "B b; int e = b.f() + B::N;",
    ),
    Case(
        "MI offsets",
        "struct A { int a = 1; __device__ int *pa() { return &a; } }; struct B { int b = 2; __device__ int *pb() { return &b; } }; struct D : A, B { int d = 3; };",
        "D d; B *p = &d; p->b = 7; int e = d.b + d.a + *d.pb() + *d.pa();",
    ),
    Case(
        "MI same name",
        "struct A { int x = 1; }; struct B { int x = 2; }; struct D : A, B { __device__ int f() { return A::x + 4 * B::x; } };",
        "D d; int e = d.f() + d.B::x;",
    ),
    Case(
        "MI virtual this",
        "struct A { int a = 1; __device__ virtual int f() { return a; } }; struct B { int b = 2; __device__ virtual int g() { return b; } }; struct D : A, B { int d = 9; __device__ int g() override { return d + a; } };__device__ int u(B &b) { return b.g(); }",
        "D d; int e = u(d);",
    ),
    Case(
        "MI virtual this ptr",
        "struct A { int a = 1; __device__ virtual int f() { return a; } }; struct B { int b = 2; __device__ virtual int g() { return b; } }; struct D : A, B { int d = 9; __device__ int g() override { return d + a; } };__device__ int u(B *b) { return b->g(); }",
        "D d; d.d = 4; int e = u(&d);",
    ),
    Case(
        "static_cast down",
        "struct A { int a = 1; }; struct B { int b = 2; }; struct D : A, B { int d = 9; };__device__ int u(B &b) { return static_cast<D &>(b).d; }",
        "D d; int e = u(d);",
    ),
    Case(
        "static_cast down ptr",
        "struct A { int a = 1; }; struct B { int b = 2; }; struct D : A, B { int d = 9; };__device__ int u(B *b) { return static_cast<D *>(b)->d; }",
        "D d; int e = u(&d);",
    ),
    Case(
        "static_cast up",
        "struct A { int a = 1; }; struct B { int b = 2; }; struct D : A, B { int d = 9; };",
        "D d; int e = static_cast<B &>(d).b + static_cast<A *>(&d)->a * 4;",
    ),
    Case(
        "c cast",
        "struct A { int a = 1; }; struct B { int b = 2; }; struct D : A, B { int d = 9; };",
        "D d; int e = ((B &)d).b + ((A *)&d)->a * 4;",
    ),
    Case(
        "CRTP",
        "template <class T> struct B { __device__ int f() { return static_cast<T *>(this)->g(); } __device__ int g() { return 3; } }; struct D : B<D> { int z = 8; __device__ int g() { return z; } };",
        "D d; int e = d.f();",
    ),
    Case(
        "CRTP ref",
        "template <class T> struct B { __device__ int f() { return static_cast<T &>(*this).g(); } __device__ int g() { return 3; } }; struct D : B<D> { int z = 8; __device__ int g() { return z; } };",
        "D d; int e = d.f();",
    ),
    Case(
        "braces not elided ctor",
        "struct P { int a, b; __device__ P(int x) : a(x), b(9) {} }; struct Q { P p; int c; };",
        "Q q = {3, 4}; int e = q.p.b + q.c;",
    ),
    Case(
        "braces nested ctor",
        "struct P { int a, b; __device__ P(int x, int y) : a(y), b(x) {} }; struct Q { P p; int c; };",
        "Q q = {{3, 4}, 5}; int e = q.p.a * 5 + q.c;",
    ),
    Case(
        "braces array of ctor",
        "struct P { int a, b; __device__ P(int x) : a(x), b(x + 1) {} };",
        "P q[3] = {1, 4, 6}; int e = q[1].a + q[1].b + q[2].b;",
    ),
    Case(
        "braces elided",
        "struct P { int a, b; }; struct Q { P p; int c; };",
        "Q q = {3, 4, 5}; int e = q.p.b + 2 * q.c;",
    ),
    Case("braces array elided", "struct P { int a, b; };", "P q[2] = {1, 4, 6, 7}; int e = q[1].a + q[0].b;"),
    Case(
        "explicit ctor aggregate",
        "struct P { int a = 4; int b = 5; }; struct Q { P p; int c; };",
        "Q q = {{}, 7}; int e = q.p.a + q.p.b + q.c;",
    ),
    Case("designated", "struct P { int a, b = 6, c; };", "P p = {.a = 2, .c = 3}; int e = p.a + p.b + p.c;"),
    Case(
        "designated nested",
        "struct P { int a, b; }; struct Q { int z; P p; };",
        "Q q = {.z = 2, .p = {.a = 3, .b = 9}}; int e = q.z + q.p.b;",
    ),
    Case(
        "value init ctor default",
        "struct P { int a; __device__ P() : a(6) {} };",
        "P p{}; P q = {}; P r = P(); int e = p.a + q.a + r.a;",
    ),
    Case(
        "init list ctor",
        "struct P { int a; __device__ P(int x) : a(x) {} __device__ P(int x, int y) : a(x * y) {} };",
        "P p{2, 3}; P q = {4}; int e = p.a + q.a;",
    ),
    Case(
        "default ctor user deleted elems",
        "struct P { int a; __device__ P(int x = 5) : a(x) {} }; struct Q { P p; int c; };",
        "Q q = {}; Q r{{3}}; int e = q.p.a + r.p.a + q.c + r.c;",
    ),
    Case(
        "this copy",
        "struct S { int v = 3; __device__ int f() { auto l = [*this] { return v; }; v = 9; return l(); } };",
        "S s; int e = s.f();",
    ),
    Case(
        "this ref",
        "struct S { int v = 3; __device__ int f() { auto l = [this] { return v; }; v = 9; return l(); } };",
        "S s; int e = s.f();",
    ),
    Case(
        "this = ref",
        "struct S { int v = 3; __device__ int f() { auto l = [=] { return v; }; v = 9; return l(); } };",
        "S s; int e = s.f();",
    ),
    Case(
        "this & ref",
        "struct S { int v = 3; __device__ int f() { auto l = [&] { return v; }; v = 9; return l(); } };",
        "S s; int e = s.f();",
    ),
    Case(
        "this copy mutable",
        "struct S { int v = 3; __device__ int f() { auto l = [*this]() mutable { v += 2; return v; }; int a = l(); int b = l(); return a + b + v; } };",
        "S s; int e = s.f();",
    ),
    Case(
        "=, *this",
        "struct S { int v = 3; __device__ int f() { int k = 4; auto l = [=, *this] { return v + k; }; v = 9; k = 10; return l(); } };",
        "S s; int e = s.f();",
    ),
    Case("init capture", "", "int x = 4; auto l = [y = x * 2] { return y; }; x = 9; int e = l();"),
    Case("init capture ref", "", "int x = 4; auto l = [&y = x] { y = 7; return y; }; int e = l() + x;"),
    Case("init capture same", "", "int x = 4; auto l = [x = x + 1] { return x; }; x = 20; int e = l();"),
    Case("mutable", "", "int x = 4; auto l = [x]() mutable { return ++x; }; int e = l(); e += l() + x;"),
    Case(
        "copy lambda mutable",
        "",
        "int x = 4; auto l = [x]() mutable { return ++x; }; auto m = l; int e = l(); e = e + m() + m();",
    ),
    Case(
        "capture method on copy",
        "struct S { int v = 3; __device__ int g() const { return v + 1; } __device__ int f() { auto l = [*this] { return g(); }; v = 9; return l(); } };",
        "S s; int e = s.f();",
    ),
    Case("local class declarator", "", "struct L { int a = 5; } l; l.a += 2; int e = l.a;"),
    Case("local class declarator init", "", "struct L { int a, b; } l = {3, 4}; int e = l.a * l.b;"),
    Case(
        "local class two declarators",
        "",
        "struct L { int a, b; } l = {3, 4}, m = {5, 6}, *p = &m; int e = l.a + m.b + p->a;",
    ),
    Case(
        "anonymous union of two instances",
        "template <class T, int W> struct G { T b[W]; }; template <class T, int N> struct R { enum { C = N }; union { char a; G<T, C> g; }; };",
        "int e = sizeof(R<char, 8>) + sizeof(R<char, 16>);",
    ),
    Case("local union", "", "union { int a; short s; } u; u.a = 9; int e = u.a;"),
    Case("local anonymous", "", "struct { int a; int b; } u = {9, 2}; int e = u.a + u.b;"),
    Case("local class shadow", "__device__ int l = 9;", "struct L { int a = 5; } l; int e = l.a;"),
    Case("local class array", "", "struct L { int a = 5; } l[3]; l[1].a = 4; int e = l[1].a + l[2].a;"),
    Case(
        "base order",
        "struct T { int *n; int at; __device__ T(int *p) : n(p) { at = (*n)++; } }; struct A { T t; __device__ A(int *p) : t(p) {} }; struct B { T t; __device__ B(int *p) : t(p) {} }; struct D : B, A { T u; __device__ D(int *p) : u(p), A(p), B(p) {} };",
        "int n = 1; D d(&n); int e = d.B::t.at * 1 + d.A::t.at * 2 + d.u.at * 4;",
    ),
    Case(
        "member order",
        "struct S { int a, b; __device__ S(int v) : b(v), a(v + 1) { } }; struct R { int n; int x, y; __device__ int next() { return n++; } __device__ R() : n(2), y(next()), x(next()) {} };",
        "S s(3); R r; int e = s.a * s.b + r.x + 2 * r.y;",
    ),
    Case(
        "nsdmi uses earlier", "struct S { int a = 3; int b = a * 2; int c{b + 1}; };", "S s; int e = s.a + s.b + s.c;"
    ),
    Case(
        "delegating",
        "struct S { int a; int b = 4; __device__ S(int x) : a(x) { b++; } __device__ S() : S(7) { a++; } };",
        "S s; int e = s.a + s.b;",
    ),
    Case(
        "inheriting",
        "struct B { int a; __device__ B(int x) : a(x) {} }; struct D : B { using B::B; int b = 4; };",
        "D d(6); int e = d.a + d.b;",
    ),
    Case(
        "conv op",
        "struct S { int v; __device__ operator int() const { return v + 2; } };",
        "S s{4}; int e = s; e += s * 2;",
    ),
    Case(
        "conv op inherited",
        "struct B { int v = 1; __device__ operator int() const { return 3; } }; struct D : B { int v = 5; };",
        "D d; int e = d;",
    ),
    Case(
        "static member",
        "struct S { static __device__ int f(int x) { return x + 1; } static constexpr int N = 5; };",
        "S s; int e = S::f(3) + s.f(1) + s.N;",
    ),
    Case(
        "friend",
        "struct S { int v = 4; friend __device__ int get(const S &s) { return s.v; } };",
        "S s; int e = get(s);",
    ),
    Case(
        "op member/free",
        "struct S { int v; __device__ S operator+(int x) const { return S{v + x}; } }; __device__ S operator+(int x, const S &s) { return S{s.v + 10 * x}; }",
        "S s{2}; int e = (s + 1).v + (1 + s).v;",
    ),
    Case(
        "op inherited",
        "struct B { int v; __device__ int operator()(int x) { return v + x; } __device__ int operator[](int x) { return v * x; } }; struct D : B { __device__ int operator()(int x) { return 1; } };",
        "D d; d.v = 3; int e = d(5) + d[4];",
    ),
    Case(
        "op &&",
        "struct S { int v; }; __device__ int operator&&(S a, S b) { return a.v + b.v; }",
        "S a{3}, b{4}; int e = a && b;",
    ),
    Case("op ||", "struct S { int v; __device__ int operator||(int x) { return v + x; } };", "S a{3}; int e = a || 6;"),
    Case(
        "op ,",
        "struct S { int v; }; __device__ int operator,(S a, S b) { return a.v * b.v; }",
        "S a{3}, b{4}; int e = (a, b);",
    ),
    Case("op unary &", "struct S { int v; __device__ int operator&() { return v + 1; } };", "S a{3}; int e = &a;"),
    Case("op !", "struct S { int v; __device__ int operator!() const { return v + 1; } };", "S a{3}; int e = !a;"),
    Case(
        "op -> ",
        "struct T { int z = 6; }; struct S { T t; __device__ T *operator->() { return &t; } };",
        "S s; int e = s->z;",
    ),
    Case(
        "op ++",
        "struct S { int v; __device__ S &operator++() { v += 2; return *this; } __device__ S operator++(int) { S o = *this; v += 3; return o; } };",
        "S s{1}; int e = (++s).v + (s++).v + s.v;",
    ),
    Case(
        "op ==",
        "struct S { int v; __device__ int operator==(const S &o) const { return v + o.v; } };",
        "S a{3}, b{4}; int e = a == b;",
    ),
    Case(
        "op = chain",
        "struct S { int v; __device__ S &operator=(int x) { v = x + 1; return *this; } };",
        "S a{3}, b{4}; a = 6; b = a; int e = a.v + b.v;",
    ),
    Case(
        "op conversion bool",
        "struct S { int v; __device__ explicit operator bool() const { return v > 2; } };",
        "S a{3}; int e = a ? 5 : 6; if (a && true) e += 2; if (!a) e += 8;",
    ),
    Case("ptr to member", "struct S { int a = 3, b = 5; };", "S s; int S::*p = &S::b; int e = s.*p;"),
    Case(
        "ptr to member fn",
        "struct S { int a = 3; __device__ int f() { return a + 1; } };",
        "S s; int (S::*p)() = &S::f; int e = (s.*p)();",
    ),
    Case(
        "dyn cast",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\n__device__ int u(B *b) { D *d = dynamic_cast<D *>(b); return d ? d->q : 1; }",
        "D d; int e = u(&d);",
    ),
    Case(
        "dyn cast fail",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\n__device__ int u(B *b) { D *d = dynamic_cast<D *>(b); return d ? d->q : 1; }",
        "B d; int e = u(&d);",
    ),
    Case(
        "3 levels",
        "struct A { __device__ virtual int f() { return 2; } __device__ virtual int g() { return 3; } }; struct B : A { __device__ int f() override { return 5; } }; struct C : B { __device__ int g() override { return f() + 1; } }; __device__ int u(A &a) { return a.f() + a.g(); }",
        "C c; int e = u(c);",
    ),
    Case(
        "hides virtual by signature",
        "struct A { __device__ virtual int f(int) { return 2; } }; struct B : A { __device__ int f(double) { return 5; } }; __device__ int u(A &a) { return a.f(1); }",
        "B c; int e = u(c);",
    ),
    Case(
        "hides virtual const",
        "struct A { __device__ virtual int f() const { return 2; } }; struct B : A { __device__ int f() { return 5; } }; __device__ int u(A &a) { return a.f(); }",
        "B c; int e = u(c);",
    ),
    Case(
        "virtual covariant",
        "struct A { int v = 2; __device__ virtual A *self() { return this; } }; struct B : A { int w = 4; __device__ B *self() override { return this; } };",
        "B b; A &a = b; int e = a.self()->v + b.self()->w;",
    ),
    Case(
        "call through member ref",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\nstruct H { B &b; __device__ int f() { return b.f(); } };",
        "D d; H h{d}; int e = h.f();",
    ),
    Case(
        "call through member ptr",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\nstruct H { B *b; __device__ int f() { return b->f(); } };",
        "D d; H h{&d}; int e = h.f();",
    ),
    Case(
        "array of ptr",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };",
        "D d; B b; B *a[2] = {&d, &b}; int e = a[0]->f() + a[1]->f();",
    ),
    Case(
        "chosen",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\n__device__ int u(B &x) { return x.f(); }",
        "D d; int e = u(d) + u(*&d);",
    ),
    Case(
        "member object",
        "struct B { int p = 1; __device__ virtual int f() { return 2; } __device__ int g() { return 3; } __device__ int h() { return f(); } }; struct D : B { int q = 5; __device__ int f() override { return 7; } __device__ int g() { return 11; } };\nstruct H { D d; B b; };",
        "H h; B &r = h.d; int e = h.b.f() + r.f() + h.d.f();",
    ),
    Case(
        "template base method",
        "template <class T> struct A { T x; __device__ int f() { return sizeof(T) + x; } }; template <class T> struct B : A<T> { T x; __device__ int g() { return this->f() + x + A<T>::x; } };",
        "B<short> b; b.x = 3; b.A<short>::x = 5; int e = b.g();",
    ),
    Case(
        "private same",
        "class B { int x = 3; public: __device__ int get() { return x; } }; class D : public B { int x = 8; public: __device__ int mine() { return x; } };",
        "D d; int e = d.get() + d.mine();",
    ),
    Case(
        "empty base method",
        "struct B { __device__ int f() { return 4; } }; struct D : B { int v = 3; __device__ int g() { return f() + v; } };",
        "D d; int e = d.g() + d.f();",
    ),
    Case(
        "two empties",
        "struct A { __device__ int f() { return 4; } }; struct B { __device__ int g() { return 5; } }; struct D : A, B { };",
        "D d; int e = d.g() + d.f();",
    ),
    Case(
        "protected ctor chain",
        "struct A { int a; __device__ A(int x) : a(x) {} }; struct B : A { int b; __device__ B(int x) : A(x * 2), b(a + 1) {} }; struct C : B { int c; __device__ C(int x) : B(x + 1), c(a + b) {} };",
        "C c(2); int e = c.c;",
    ),
    Case(
        "copy ctor base",
        "struct A { int a = 1; __device__ A() {} __device__ A(const A &o) : a(o.a + 1) {} }; struct B : A { int a = 5; };",
        "B b; B c = b; int e = c.a + c.A::a;",
    ),
    Case(
        "copy ctor derived user",
        "struct A { int a = 1; __device__ A() {} __device__ A(const A &o) : a(o.a + 1) {} }; struct B : A { int a = 5; __device__ B() {} __device__ B(const B &o) : A(o), a(o.a + 3) {} };",
        "B b; B c = b; int e = c.a + c.A::a;",
    ),
    Case(
        "assign op base",
        "struct A { int a = 1; __device__ A &operator=(const A &o) { a = o.a + 1; return *this; } }; struct B : A { int a = 5; };",
        "B b, c; c = b; int e = c.a + c.A::a;",
    ),
    Case(
        "assign op explicit base",
        "struct A { int a = 1; __device__ A &operator=(const A &o) { a = o.a + 1; return *this; } }; struct B : A { int a = 5; __device__ B &operator=(const B &o) { A::operator=(o); a = o.a * 2; return *this; } };",
        "B b, c; c = b; int e = c.a + c.A::a;",
    ),
    Case(
        "operator of an enumeration",
        "enum Flag { NONE = 3, SOME }; __device__ int operator+(Flag a, Flag b) { return 9; }",
        "Flag k = SOME; int e = k + k;",
    ),
    Case(
        "logic of an enumeration",
        "enum class Flag { NONE = 3, SOME }; __device__ int operator|(Flag a, Flag b) { return 9; } "
        "__device__ int operator&&(Flag a, Flag b) { return 11; }",
        "Flag k = Flag::SOME; int e = (k | k) + (k && k);",
    ),
)
