"""Templates: deduction, specialisation, constants, packs."""

from __future__ import annotations

import pytest

from tests.ir.calls_support import body


def test_deduction_and_explicit_arguments() -> None:
    assert body(
        "p[0] = mx(n, 3) + mx<float>(n, 2);",
        before="template <typename T> __device__ T mx(T a, T b) { return a > b ? a : b; }",
    ) == [
        "inlined mx {",
        "mx(): a'2 = n",
        "mx(): b'3 = 3",
        "mx(): result'4 = mx(): a'2 > mx(): b'3 ? mx(): a'2 : mx(): b'3",
        "}",
        "inlined mx {",
        "mx(): a'5 = (float)n",
        "mx(): b'6 = 2.0f",
        "mx(): result'7 = mx(): a'5 > mx(): b'6 ? mx(): a'5 : mx(): b'6",
        "}",
        "store[4] p + {0} <- (int)((float)mx(): result'4 + mx(): result'7)",
    ]


def test_arrays_values_and_specialisations() -> None:
    assert body(
        "__shared__ int t[4][8]; fill(t, n); p[0] = sum<2>(p) + first(p);",
        before="template <typename T, int R, int C> __device__ void fill(T (&a)[R][C], T v) { a[R - 1][C - 1] = v; } template <int N, typename T> __device__ T sum(const T *a) { T s = T(); for (int i = 0; i < N; ++i) s += a[i]; return s; } template <typename T> __device__ T first(const T *a) { return a[0]; } template <> __device__ int first<int>(const int *a) { return 9; }",
    ) == [
        "declare t",
        "inlined fill {",
        "fill(): v = n",
        "store[4] &t + {(4 - 1) * 32} + {(8 - 1) * 4} <- fill(): v",
        "}",
        "inlined sum {",
        "sum(): a = p",
        "sum(): s = 0",
        "sum(): i = 0",
        "for (sum(): i < 2) {",
        "body:",
        "a[i] = load[4] sum(): a + {sum(): i * 4}",
        "sum(): s = sum(): s + a[i]",
        "step:",
        "sum(): i = sum(): i + 1",
        "}",
        "sum(): result = sum(): s",
        "}",
        "inlined first {",
        "first(): a = p",
        "first(): result = 9",
        "}",
        "store[4] p + {0} <- sum(): result + first(): result",
    ]


def test_if_constexpr_ends_the_recursion() -> None:
    assert body(
        "p[0] = f<2>(n);",
        before="template <int N> __device__ int f(int x) { if constexpr (N == 0) return x; else return f<N - 1>(x + N); }",
    ) == [
        "inlined f {",
        "f(): x'2 = n",
        "inlined f {",
        "f(): x'3 = f(): x'2 + 2",
        "inlined f {",
        "f(): x'4 = f(): x'3 + 1",
        "f(): result'5 = f(): x'4",
        "}",
        "f(): result'6 = f(): result'5",
        "}",
        "f(): result'7 = f(): result'6",
        "}",
        "store[4] p + {0} <- f(): result'7",
    ]


def test_class_templates_recurse_to_a_specialisation() -> None:
    assert body(
        "p[0] = S<2>::run(n);",
        before="template <int N> struct S { static __device__ int run(int x) { return x + S<N - 1>::run(x); } }; template <> struct S<0> { static __device__ int run(int x) { return 0; } };",
    ) == [
        "inlined run {",
        "run(): x'2 = n",
        "inlined run {",
        "run(): x'3 = run(): x'2",
        "inlined run {",
        "run(): x'4 = run(): x'3",
        "run(): result'5 = 0",
        "}",
        "run(): result'6 = run(): x'3 + run(): result'5",
        "}",
        "run(): result'7 = run(): x'2 + run(): result'6",
        "}",
        "store[4] p + {0} <- run(): result'7",
    ]


def test_shared_memory_through_a_conversion_operator() -> None:
    assert body(
        "float *s = Shared<float>(); double *d = Shared<double>(); s[n] = 1; d[n] = 2;",
        before="template <class T> struct Shared { __device__ operator T *() { extern __shared__ int raw[]; return (T *)raw; } }; template <> struct Shared<double> { __device__ operator double *() { extern __shared__ double big[]; return big; } };",
    ) == [
        "inlined operator T * {",
        "operator T *(): result = &raw",
        "}",
        "s = operator T *(): result",
        "inlined operator double * {",
        "operator double *(): result = &raw",
        "}",
        "d = operator double *(): result",
        "store[4] s + {n * 4} <- 1.0f",
        "store[8] d + {n * 8} <- 2.0",
    ]


def test_traits_and_limits_are_constants() -> None:
    assert body(
        "p[0] = std::is_same<int, float>::value + sizeof(double) + std::numeric_limits<int>::max(); if (std::is_same_v<int, int>) p[1] = 2;"
    ) == [
        "store[4] p + {0} <- (int)(0ul + 8ul + 2147483647ul)",
        "if (true) {",
        "store[4] p + {1 * 4} <- 2",
        "}",
    ]


def test_functions_as_template_arguments() -> None:
    assert body(
        "p[0] = reduce<plus>(n, 2);",
        before="__device__ int plus(int a, int b) { return a + b; } template <int (*F)(int, int)> __device__ int reduce(int a, int b) { return F(a, b); }",
    ) == [
        "inlined reduce {",
        "reduce(): a = n",
        "reduce(): b = 2",
        "inlined plus {",
        "plus(): a = reduce(): a",
        "plus(): b = reduce(): b",
        "plus(): result = plus(): a + plus(): b",
        "}",
        "reduce(): result = plus(): result",
        "}",
        "store[4] p + {0} <- reduce(): result",
    ]


def test_parameter_packs() -> None:
    assert body(
        "p[0] = add(1, n, 3) + count(n, n);",
        before="template <class T> __device__ T add(T x) { return x; } template <class T, class... R> __device__ T add(T x, R... rest) { return x + add(rest...); } template <class... T> __device__ int count(T... x) { return sizeof...(x); }",
    ) == [
        "inlined add {",
        "add(): x'2 = 1",
        "add(): rest'3 = n",
        "add(): rest'4 = 3",
        "inlined add {",
        "add(): x'5 = add(): rest'3",
        "add(): rest'6 = add(): rest'4",
        "inlined add {",
        "add(): x'7 = add(): rest'6",
        "add(): result'8 = add(): x'7",
        "}",
        "add(): result'9 = add(): x'5 + add(): result'8",
        "}",
        "add(): result'10 = add(): x'2 + add(): result'9",
        "}",
        "inlined count {",
        "count(): x'11 = n",
        "count(): x'12 = n",
        "count(): result = 2",
        "}",
        "store[4] p + {0} <- add(): result'10 + count(): result",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("return sizeof...(x) + y;", "3ul + (size_t)f(): y"),
        ("return sizeof...(A) - y;", "3ul - (size_t)f(): y"),
        ("return y + sizeof...(A);", "(size_t)f(): y + 3ul"),
    ],
)
def test_size_of_a_pack_is_an_operand(text: str, expected: str) -> None:
    before = f"template <class... A> __device__ int f(int y, A... x) {{ {text} }}"
    assert f"f(): result = (int)({expected})" in body("p[0] = f(n, 1, 2, 3);", before=before)
