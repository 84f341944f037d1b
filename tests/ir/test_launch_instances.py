"""What launches make of templates: lambdas as arguments, members of class templates, arguments that are not understood, other launchers."""

from __future__ import annotations

import pytest

from analysis_core.ir.dump import format_block
from tests.ir.calls_support import causes, kernels, only

PLAIN = "__global__ void k(float *p, int n) { p[n] = 0; }\n"
APPLY = "template <class F> __global__ void k(float *p, F f) { p[f(threadIdx.x)] = 0; }\n"
FILL = "template <class T> __global__ void k(T *p, int n) { p[threadIdx.x] = n; }\n"


@pytest.mark.parametrize(
    ("args", "others"),
    [
        ("t.data_ptr<float>(), n", "at::Tensor t"),
        ("t->mutable_data_ptr<float>() + 4, n", "Handle t"),
        ("t.template view<float, 2>(n), n", "Tensor t"),
        ("t.get<0>(), n", "Pair t"),
        ("t.accessor<const ns::S<int> *, 1>(n), n", "Tensor t"),
        ("t.f<g>() @ 3, n", "Tensor t"),
        ("(float *)[&](%%), n", "Tensor t"),
    ],
)
def test_a_launch_is_found_whatever_its_arguments_are(args: str, others: str) -> None:
    (site,) = only(PLAIN + f"void f({others}, int n) {{ k<<<n, 96>>>({args}); }}").launches
    assert site.block == (96, 1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "struct S { int x, y; }; void f(float *p, S a, S *b, int n) { if (a.x < n && b->y > (n)) k<<<n, 96>>>(p, n); }",
        "struct S { int x; }; void f(float *p, S a, int m, int n) { bool c = a.x < m > (n); if (c) k<<<n, 96>>>(p, n); }",
    ],
)
def test_comparisons_of_members_stay_comparisons(text: str) -> None:
    (site,) = only(PLAIN + text).launches
    assert site.block == (96, 1, 1)


@pytest.mark.parametrize(
    ("host", "index"),
    [
        ("void f(float *p, int v) { k<<<1, 96>>>(p, [=] __device__ (int i) { return v * i; }); }", "f.v *"),
        ("struct S { int a, b; }; void f(float *p, S s) { k<<<1, 96>>>(p, [s](int i) { return i + s.b; }); }", "f.s.b"),
        ("void f(float *p) { const int n = 7; k<<<1, 96>>>(p, [=](int i) { return n * i; }); }", "7 *"),
        ("void f(float *p) { auto g = [](int i) { return i * 5; }; k<<<1, 96>>>(p, g); }", "* 5"),
        ("template <class G> void run(float *p, G g) { k<<<1, 96>>>(p, g); } "
         "void f(float *p, int v) { run(p, [=](int i) { return i + v; }); }", "+ f.v"),
        ("template <class T> void run(float *p) { k<<<1, 96>>>(p, [](int i) { return i * (int)sizeof(T); }); } "
         "void f(float *p) { run<double>(p); }", "* 8"),
        ("void f(float *p, int v) { auto g = [=](int i) { return i + v; }; "
         "k<<<1, 96>>>(p, [=](int i) { return g(2 * i); }); }", "f.g.v"),
        ("void f(float *p, int v) { k<<<1, 96>>>(p, [w = v + 1, v](auto i) { return i + w; }); }", "f.w\n"),
        ("struct S { int a, b; void f(float *p) { k<<<1, 96>>>(p, [*this](int i) { return i + b; }); } };", "+ f.b"),
    ],
)  # fmt: skip
def test_a_lambda_is_the_argument_of_a_kernel(host: str, index: str) -> None:
    (name, kernel), *others = kernels(APPLY + host).items()
    assert not others and name.startswith("k<lambda#")
    assert [site.block for site in kernel.launches] == [(96, 1, 1)] and not causes(kernel)
    assert index in format_block(kernel.body, kernel)


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("[=](int i) { return c + d + a + i; }", 24),
        ("[=](int i) { return c + a + d + i; }", 16),
        ("[c, d, a](int i) { return c + a + d + i; }", 24),
        ("[=, d](int i) { return c + a + d + i; }", 16),
        ("[=](int i) { return c + fixed + i; }", 1),
        ("[=](int i) { return c + known + i; }", 8),
        ("[c, fixed](int i) { return c + fixed + i; }", 8),
        ("[c, w = d, a](int i) { return c + w + a + i; }", 24),
        ("[c, a, w = d](int i) { return c + w + a + i; }", 16),
    ],
)
def test_what_a_closure_holds_lies_in_the_order_of_its_captures(body: str, size: int) -> None:
    """As g++ 12 and the front end of nvcc lay it out."""
    program = "template <class G> __global__ void k(float *p, G g) { p[threadIdx.x * sizeof(G)] = g(1); }"
    host = f"void f(float *p, char c, double d, int a) {{ const int fixed = 9; int known = 3, i = 0; k<<<1, 96>>>(p, {body}); }}"
    (kernel,) = kernels(program + host).values()
    assert f"threadIdx.x * {size}ul" in format_block(kernel.body, kernel)


def test_each_lambda_is_a_type_of_its_own() -> None:
    host = (
        "void f(float *p) { k<<<1, 96>>>(p, [](int i) { return i; }); k<<<1, 64>>>(p, [](int i) { return 2 * i; }); }"
    )
    found = kernels(APPLY + host)
    assert {name: [s.block for s in k.launches] for name, k in found.items()} == {
        "k<lambda#1>": [(96, 1, 1)],
        "k<lambda#2>": [(64, 1, 1)],
    }


@pytest.mark.parametrize(
    "host",
    [
        "void f(float *p, int v) { k<<<1, 96>>>(p, [&](int i) { return v * i; }); }",
        "void f(float *p, Unknown v) { k<<<1, 96>>>(p, [=](int i) { return v.at(i); }); }",
        "struct S { int m; void f(float *p) { k<<<1, 96>>>(p, [this](int i) { return m * i; }); } };",
    ],
)
def test_a_lambda_of_unknown_captures_is_a_call_that_is_not_understood(host: str) -> None:
    kernel = only(APPLY + host)
    assert [site.block for site in kernel.launches] == [(96, 1, 1)] and causes(kernel)


def test_a_lambda_of_unknown_captures_is_no_other_lambda() -> None:
    host = "void f(float *p, int v) { k<<<1, 96>>>(p, [=](int i) { return v * i; }); k<<<1, 64>>>(p, [&](int i) { return v + i; }); }"
    known, unknown = kernels(APPLY + host).values()
    assert [[site.block for site in kernel.launches] for kernel in (known, unknown)] == [[(96, 1, 1)], [(64, 1, 1)]]
    assert causes(unknown) and not causes(known)


LAUNCHING = """
template <class T, int B> struct S {
    T *p; int n;
    S(T *q, int m) : p(q), n(m) {}
    void own() { k<<<n / B, B>>>(p, n); }
    void with_this() { k<<<this->n / B, B>>>(this->p, this->n); }
    static void shared(T *q, int m) { k<T><<<m / B, B>>>(q, m); }
    template <class U> void other(U *u) { k<U><<<n / B, B>>>(u, n); }
    void outside();
};
template <class A, int C> void S<A, C>::outside() { k<A><<<n / C, C>>>(p, n); }
"""


@pytest.mark.parametrize(
    "use",
    [
        "void f(double *q, int n) { S<double, 96> s(q, n); s.own(); }",
        "void f(double *q, int n) { S<double, 96>(q, n).with_this(); }",
        "void f(double *q, int n) { S<double, 96>::shared(q, n); }",
        "using D = S<double, 96>; void f(D &s) { s.outside(); }",
        "struct Held { S<double, 96> s; void go() { s.own(); } };",
        "struct Child : S<double, 96> { void go() { own(); } };",
        "template <class T> void f(T *q, int n) { S<T, 96> s(q, n); s.own(); } void g(double *q) { f(q, 3); }",
        "S<double, 96> object(nullptr, 3);",
    ],
)
def test_members_of_class_templates_launch_for_each_instance_of_the_class(use: str) -> None:
    found = kernels(FILL + LAUNCHING + use)
    assert list(found) == ["k<double>"]
    assert {site.block for site in found["k<double>"].launches} == {(96, 1, 1)}


def test_a_member_template_takes_its_arguments_from_its_calls() -> None:
    found = kernels(FILL + LAUNCHING + "void f(short *u, double *q) { S<double, 96> s(q, 3); s.other(u); }")
    assert sorted(found) == ["k<double>", "k<short>"]


@pytest.mark.parametrize(
    "launch",
    [
        "hipLaunchKernelGGL(k, dim3(n), dim3(96), 0, 0, p, n);",
        "hipLaunchKernelGGL((k), n, 96, 0, 0, p, n);",
        "hipLaunchKernelGGL(HIP_KERNEL_NAME(k), dim3(n), dim3(96), 0, 0, p, n);",
        "hipLaunchCooperativeKernel(k, dim3(n), dim3(96), args, 0, 0);",
        "dim3 b, g; b.x = 96; g.x = n; k<<<g, b>>>(p, n);",
    ],
)
def test_launches_of_other_spellings(launch: str) -> None:
    (site,) = only(PLAIN + f"void f(float *p, int n, void **args) {{ {launch} }}").launches
    assert site.block == (96, 1, 1) and site.grid == (None, 1, 1)


def test_a_lambda_that_calls_itself_is_walked_once() -> None:
    host = "int t; std::function<int(int)> g = [&](int i) { t = i; return g(i + 1) + g(i + 2) + g(i + 3); }; t = 96; int m = 64;"
    before, after = only(
        PLAIN + f"void f(float *p, int n) {{ {host} k<<<n, m>>>(p, n); g(t); k<<<n, t>>>(p, n); }}"
    ).launches
    assert before.block == (64, 1, 1) and after.block is None
