"""Calls of the user's functions: binding of arguments, results, overloads, what is not inlined."""

from __future__ import annotations

from analysis_core.support.facts import CauseKind
from tests.ir.calls_support import body, causes, lines, only


def test_early_returns_leave_the_inlined_body() -> None:
    assert body("p[0] = f(n);", before="__device__ int f(int a) { if (a > 3) return 1; return a; }") == [
        "inlined f {",
        "f(): a = n",
        "if (f(): a > 3) {",
        "f(): result = 1",
        "return",
        "}",
        "f(): result = f(): a",
        "}",
        "store[4] p + {0} <- f(): result",
    ]


def test_a_reference_to_a_register_is_the_register() -> None:
    assert body("int i = 0; f(i); p[i] = 0;", before="__device__ void f(int &a) { a += 2; }") == [
        "i = 0",
        "inlined f {",
        "i = i + 2",
        "}",
        "store[4] p + {i * 4} <- 0",
    ]


def test_an_out_parameter_does_not_spill() -> None:
    assert body("int i = 0; f(&i); p[i] = 0;", before="__device__ void f(int *a) { *a = 7; }") == [
        "i = 0",
        "inlined f {",
        "i = 7",
        "}",
        "store[4] p + {i * 4} <- 0",
    ]


def test_a_reference_to_memory_keeps_its_address() -> None:
    assert body("f(p[n]);", before="__device__ void f(int &a) { a += 2; }") == [
        "(address) = p + {n * 4}",
        "inlined f {",
        "a = load[4] (address)",
        "store[4] (address) <- a + 2",
        "}",
    ]


def test_structs_pass_by_value_in_and_out() -> None:
    assert body(
        "P a; a.x = 1; a.y = n; P b = f(a); p[0] = b.x;",
        before="struct P { int x, y; }; __device__ P f(P a) { a.x = a.y; return a; }",
    ) == [
        "declare a",
        "a.x = 1",
        "a.y = n",
        "inlined f {",
        "f(): a.x = a.x",
        "f(): a.y = a.y",
        "f(): a.x = f(): a.y",
        "f(): result.x = f(): a.x",
        "f(): result.y = f(): a.y",
        "}",
        "b.x = f(): result.x",
        "b.y = f(): result.y",
        "store[4] p + {0} <- b.x",
    ]


def test_arguments_keep_what_they_were_worth() -> None:
    assert body("p[0] = f(n, n++);", before="__device__ int f(int a, int b) { return a - b; }") == [
        "(earlier) = n",
        "(n++) = n",
        "n = n + 1",
        "inlined f {",
        "f(): a = (earlier)",
        "f(): b = (n++)",
        "f(): result = f(): a - f(): b",
        "}",
        "store[4] p + {0} <- f(): result",
    ]


def test_overloads_by_type() -> None:
    assert body(
        "p[0] = f(1) + f(1.0f) + f(p);",
        before="__device__ int f(int a) { return 1; } __device__ int f(float a) { return 2; } __device__ int f(int *a) { return 3; }",
    ) == [
        "inlined f {",
        "f(): a'2 = 1",
        "f(): result'3 = 1",
        "}",
        "inlined f {",
        "f(): a'4 = 1.0f",
        "f(): result'5 = 2",
        "}",
        "inlined f {",
        "f(): a'6 = p",
        "f(): result'7 = 3",
        "}",
        "store[4] p + {0} <- f(): result'3 + f(): result'5 + f(): result'7",
    ]


def test_recursion_is_unknown_with_its_effects() -> None:
    kernel = only(
        "__device__ int f(int a) { return a ? f(a - 1) : 0; }\n__global__ void k(int *p, int n) { p[0] = f(n); }"
    )
    assert lines(kernel) == [
        "inlined f {",
        "f(): a = n",
        "if.select ((bool)f(): a) {",
        "unknown (unsupported: recursive call of 'f') memory",
        "(?:) = ?(unsupported: recursive call of 'f')",
        "} else {",
        "(?:) = 0",
        "}",
        "f(): result = (?:)",
        "}",
        "store[4] p + {0} <- f(): result",
    ]
    assert causes(kernel) == [
        (CauseKind.UNSUPPORTED, "recursive call of 'f'"),
    ]


def test_defaults_of_a_prototype_hold_for_the_definition() -> None:
    assert body(
        "p[0] = f(n);", before="__device__ int f(int a, int b = 5);\n__device__ int f(int a, int b) { return a * b; }"
    ) == [
        "inlined f {",
        "f(): a = n",
        "f(): b = 5",
        "f(): result = f(): a * f(): b",
        "}",
        "store[4] p + {0} <- f(): result",
    ]


def test_a_function_without_definition_is_missing() -> None:
    kernel = only("__device__ int f(int);\n__global__ void k(int *p, int n) { int i = n; p[0] = f(i); }")
    assert lines(kernel) == [
        "i = n",
        "unknown (missing: the definition of 'f' is not visible) memory",
        "store[4] p + {0} <- ?(missing: the definition of 'f' is not visible)",
    ]
    assert causes(kernel) == [
        (CauseKind.MISSING, "the definition of 'f' is not visible"),
    ]


def test_an_undeclared_function_may_change_its_arguments() -> None:
    kernel = only("\n__global__ void k(int *p, int n) { int i = n; p[0] = unknown_function(i, 3); }")
    assert lines(kernel) == [
        "i = n",
        "unknown (missing: the function 'unknown_function' is not declared here) changes i; memory",
        "store[4] p + {0} <- ?(missing: the function 'unknown_function' is not declared here)",
    ]
    assert causes(kernel) == [
        (CauseKind.MISSING, "the function 'unknown_function' is not declared here"),
    ]


def test_namespaces_and_using_directives() -> None:
    assert body(
        "p[0] = a::f(n) + g();",
        before="namespace a { __device__ int h() { return 1; } __device__ int f(int x) { return h(); } } using namespace a; __device__ int g() { return f(2); }",
    ) == [
        "inlined f {",
        "f(): x'2 = n",
        "inlined h {",
        "h(): result'3 = 1",
        "}",
        "f(): result'4 = h(): result'3",
        "}",
        "inlined g {",
        "inlined f {",
        "f(): x'5 = 2",
        "inlined h {",
        "h(): result'6 = 1",
        "}",
        "f(): result'7 = h(): result'6",
        "}",
        "g(): result = f(): result'7",
        "}",
        "store[4] p + {0} <- f(): result'4 + g(): result",
    ]


def test_lambdas_capture_by_reference_and_by_copy() -> None:
    assert body(
        "auto f = [&](int i) { n += i; }; f(3); auto g = [=](int i) { return i + n; }; p[0] = g(4); n = 9;"
    ) == [
        "inlined lambda {",
        "lambda(): i'2 = 3",
        "n'1 = n'1 + lambda(): i'2",
        "}",
        "n'3 = n'1",
        "inlined lambda {",
        "lambda(): i'4 = 4",
        "lambda(): result = lambda(): i'4 + n'3",
        "}",
        "store[4] p + {0} <- lambda(): result",
        "n'1 = 9",
    ]


def test_functors_are_inlined_through_template_parameters() -> None:
    assert body(
        "apply(p, Twice());",
        before="struct Twice { __device__ int operator()(int x) const { return 2 * x; } }; template <class F> __device__ void apply(int *p, F f) { p[0] = f(3); }",
    ) == [
        "inlined apply {",
        "apply(): p = p",
        "inlined operator() {",
        "operator()(): x = 3",
        "operator()(): result = 2 * operator()(): x",
        "}",
        "store[4] apply(): p + {0} <- operator()(): result",
        "}",
    ]


def test_lambdas_as_arguments() -> None:
    assert body(
        "apply(p, [](int x) { return 3 * x; });",
        before="template <class F> __device__ void apply(int *p, F f) { p[0] = f(3); }",
    ) == [
        "inlined apply {",
        "apply(): p = p",
        "inlined lambda {",
        "lambda(): x = 3",
        "lambda(): result = 3 * lambda(): x",
        "}",
        "store[4] apply(): p + {0} <- lambda(): result",
        "}",
    ]


def test_constexpr_functions_are_constants() -> None:
    assert body(
        "p[f(3)] = 1; int a[f(2)]; a[n] = 0; p[n] = a[n];",
        before="constexpr int f(int x) { int r = 1; for (int i = 0; i < x; ++i) r *= 2; return r; }",
    ) == [
        "store[4] p + {8 * 4} <- 1",
        "declare a",
        "store[4] &a + {n * 4} <- 0",
        "a[n] = load[4] &a + {n * 4}",
        "store[4] p + {n * 4} <- a[n]",
    ]


def test_constexpr_recursion_ends_by_its_condition() -> None:
    assert body("p[f(1024)] = 1;", before="constexpr int f(int x) { return x <= 1 ? 0 : 1 + f(x / 2); }") == [
        "store[4] p + {10 * 4} <- 1",
    ]


def test_a_returned_reference_is_a_place() -> None:
    assert body("p[0] = get(p, n); get(p, n) = 2;", before="__device__ int &get(int *a, int i) { return a[i]; }") == [
        "inlined get {",
        "get(): a'2 = p",
        "get(): i'3 = n",
        "(address)'4 = get(): a'2 + {get(): i'3 * 4}",
        "}",
        "get(p, n) = load[4] (address)'4",
        "store[4] p + {0} <- get(p, n)",
        "inlined get {",
        "get(): a'6 = p",
        "get(): i'7 = n",
        "(address)'8 = get(): a'6 + {get(): i'7 * 4}",
        "}",
        "store[4] (address)'8 <- 2",
    ]


def test_a_call_through_a_pointer_is_unsupported() -> None:
    kernel = only("\n__global__ void k(int *p, int n, int (*f)(int)) { p[0] = f(n); }")
    assert lines(kernel) == [
        "unknown (unsupported: a call through a function pointer) changes n; memory",
        "store[4] p + {0} <- ?(unsupported: a call through a function pointer)",
    ]
    assert causes(kernel) == [
        (CauseKind.UNSUPPORTED, "a call through a function pointer"),
    ]


def test_the_address_of_a_function_is_loaded_where_it_is_called() -> None:
    before = "typedef int (*F)(int); __device__ F table[4]; struct S { F f; };"
    found = body("p[0] = (*(table[n]))(1); table[n + 1](2); s->f(3); g(4);", before, "int *p, int n, S *s, F g")
    assert [line for line in found if "load" in line or "unknown" in line] == [
        "table[n] = load[8] &table + {n * 8}",
        "unknown (unsupported: a call through a function pointer) memory",
        "table[n + 1] = load[8] &table + {(n + 1) * 8}",
        "unknown (unsupported: a call through a function pointer) memory",
        "s->f = load[8] (function?**)s",
        "unknown (unsupported: a call through a function pointer) memory",
        "unknown (unsupported: a call through a function pointer) memory",
    ]


def test_a_pointer_to_a_function_of_the_file() -> None:
    assert body("p[0] = f(n);", "typedef int (*F)(int); __device__ F f;")[:2] == [
        "f = load[8] &f",
        "unknown (unsupported: a call through a function pointer) changes n; memory",
    ]
