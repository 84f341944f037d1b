"""Member functions, constructors, operators and conversions of classes."""

from __future__ import annotations

from tests.ir.calls_support import body


def test_methods_run_on_the_registers_of_the_object() -> None:
    assert body(
        "C c; c.n = n; p[0] = c.get(2); q(c); p[1] = C::one();",
        before="struct C { int n; __device__ int get(int k) const { return n * scale(k); } __device__ int scale(int k) const { return k + n; } static __device__ int one() { return 1; } }; __device__ void q(C &c) { c.n = 5; }",
    ) == [
        "declare c",
        "c.n = n",
        "inlined get {",
        "get(): k = 2",
        "inlined scale {",
        "scale(): k = get(): k",
        "scale(): result = scale(): k + c.n",
        "}",
        "get(): result = c.n * scale(): result",
        "}",
        "store[4] p + {0} <- get(): result",
        "inlined q {",
        "c.n = 5",
        "}",
        "inlined one {",
        "one(): result = 1",
        "}",
        "store[4] p + {1 * 4} <- one(): result",
    ]


def test_methods_through_a_pointer() -> None:
    assert body(
        "c->set(n); p[0] = c->n;",
        before="struct C { int n; __device__ void set(int k) { this->n = k; } };",
        parameters="int *p, int n, C *c",
    ) == [
        "this = c",
        "inlined set {",
        "set(): k = n",
        "store[4] (int*)this <- set(): k",
        "}",
        "c->n = load[4] (int*)c",
        "store[4] p + {0} <- c->n",
    ]


def test_constructors_run_bases_members_and_body() -> None:
    assert body(
        "B b(n); p[0] = b.a + b.b;",
        before="struct A { int a; __device__ A(int x) : a(x) {} }; struct B : A { int b = 7; __device__ B(int y) : A(y + 1) { if (y > 3) return; b = y; } };",
    ) == [
        "inlined B {",
        "B(): y = n",
        "inlined A {",
        "A(): x = B(): y + 1",
        "(B).a = A(): x",
        "}",
        "(B).b = 7",
        "if (B(): y > 3) {",
        "return",
        "}",
        "(B).b = B(): y",
        "}",
        "b.a = (B).a",
        "b.b = (B).b",
        "store[4] p + {0} <- b.a + b.b",
    ]


def test_operators_of_classes() -> None:
    assert body(
        "V a, b; a.x = n; b.x = 1; V c = a + b; c += a; p[0] = c.x; c[0] = 3; p[1] = (-c).x;",
        before="struct V { int x; __device__ V &operator+=(const V &o) { x += o.x; return *this; } __device__ int &operator[](int i) { return x; } }; __device__ V operator+(V a, const V &b) { a += b; return a; } __device__ V operator-(V a) { a.x = -a.x; return a; }",
    ) == [
        "declare a",
        "declare b",
        "a.x = n",
        "b.x = 1",
        "inlined operator+ {",
        "operator+(): a.x = a.x",
        "inlined operator+= {",
        "operator+(): a.x = operator+(): a.x + b.x",
        "}",
        "operator+(): result.x = operator+(): a.x",
        "}",
        "c.x = operator+(): result.x",
        "inlined operator+= {",
        "c.x = c.x + a.x",
        "}",
        "store[4] p + {0} <- c.x",
        "inlined operator[] {",
        "operator[](): i = 0",
        "}",
        "c.x = 3",
        "inlined operator- {",
        "operator-(): a.x = c.x",
        "operator-(): a.x = -operator-(): a.x",
        "operator-(): result.x = operator-(): a.x",
        "}",
        "store[4] p + {1 * 4} <- operator-(): result.x",
    ]


def test_conversions_from_and_to_classes() -> None:
    assert body(
        "M m(n); int x = m; p[x] = twice(3).v;",
        before="struct M { int v; __device__ M(int a) { v = a; } __device__ operator int() const { return v; } }; __device__ M twice(M m) { m.v *= 2; return m; }",
    ) == [
        "inlined M {",
        "M(): a'3 = n",
        "(M).v'2 = M(): a'3",
        "}",
        "m.v = (M).v'2",
        "(object).v = m.v",
        "inlined operator int {",
        "operator int(): result = (object).v",
        "}",
        "x = operator int(): result",
        "inlined M {",
        "M(): a'9 = 3",
        "(M).v'8 = M(): a'9",
        "}",
        "inlined twice {",
        "twice(): m.v = (M).v'8",
        "twice(): m.v = twice(): m.v * 2",
        "twice(): result.v = twice(): m.v",
        "}",
        "store[4] p + {x * 4} <- twice(): result.v",
    ]


def test_methods_defined_outside_of_a_class_template() -> None:
    assert body(
        "Pair<int> a = {1, n}; p[0] = second(a);",
        before="template <class T> struct Pair { T x, y; __device__ T sum() const; }; template <class U> __device__ U Pair<U>::sum() const { return x + y; } template <class T> __device__ T second(Pair<T> q) { return q.y + q.sum(); }",
    ) == [
        "a.x = 1",
        "a.y = n",
        "inlined second {",
        "second(): q.x = a.x",
        "second(): q.y = a.y",
        "inlined sum {",
        "sum(): result = second(): q.x + second(): q.y",
        "}",
        "second(): result = second(): q.y + sum(): result",
        "}",
        "store[4] p + {0} <- second(): result",
    ]


def test_a_constructor_of_a_copy_takes_no_other_conversion_of_its_own_kind() -> None:
    before = (
        "template <class T> struct View { typedef View<T> Same; T *at; __device__ View(T *at) : at(at) {}"
        " template <class M = int> __device__ View(Same const &other, M = 0) : at(other.at) {} };"
        " __device__ View<int> view(const int *p) { return p; }"
        " struct Base { int x; }; struct Of { int v; __device__ Of(Base const &b) : v(b.x) {} };"
        " struct Derived : Base { int y; }; __device__ int of(Of o) { return o.v; }"
    )
    assert "store[4] p + {0} <- of(): result" in body("Derived d; d.x = n; p[0] = of(d);", before)
    lines = body("p[0] = view(p).at[1];", before)
    assert "view(): result.at = view(): (View).at" in lines
    assert not any("unknown" in line for line in lines)


def test_a_base_is_initialised_by_another_name_of_its_type() -> None:
    before = (
        "template <class T, int N> struct Held { T v; __device__ Held(T a, T b) : v(a + N * b) {} };"
        " template <class T> struct Pair : Held<T, 3> { typedef Held<T, 3> Parent; int w;"
        " __device__ Pair(T a) : Parent(a, 1), w(2) {} };"
    )
    lines = body("Pair<int> x(n); p[0] = x.v;", before)
    assert not any("unknown" in line for line in lines)
    assert any("Held(): a + 3 * Held(): b" in line for line in lines)


def test_templates_in_a_class_template_are_ordered_by_what_it_is_made_for() -> None:
    before = (
        "template <class T> struct Of { template <int N, class F> __device__ int f(T (&a)[N], F &b) { return 2; }"
        " template <int N> __device__ int f(T (&a)[N], T &b) { return 1; } };"
    )
    lines = body("int a[3], b; float c; Of<int> of; p[0] = of.f(a, b); p[1] = of.f(a, c);", before)
    results = [line for line in lines if line.startswith("f(): result")]
    assert [line[-1] for line in results] == ["1", "2"]
