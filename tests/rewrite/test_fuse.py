"""Kernels in one: the value that stays in a register, the array that dies only where nobody else reads it, launches that are edited."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.fuse import ACTION
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Choice, Refused
from tests.rewrite.harness import sites_of, text_of, tried, unit_of

_INDEX = "    int i = blockIdx.x * 64 + threadIdx.x;\n"


def _file(
    first: str,
    second: str,
    host: str,
    parameters: tuple[str, str] = ("float *b, const float *a", "float *c, const float *b"),
) -> str:
    return (
        f"__global__ void first({parameters[0]}) {{\n{_INDEX}{first}}}\n\n"
        f"// The second part.\n__global__ void second({parameters[1]}) {{\n{_INDEX}{second}}}\n\n"
        f"void host(float *a, float *b, float *c, int n) {{\n{host}}}\n"
    )


_HOST = "    first<<<4, 64>>>(b, a);\n    second<<<4, 64>>>(c, b);\n"
_SIZED = ("float *b, const float *a, int n", "float *c, const float *b, int m")
_SIZED_HOST = "    first<<<4, 64>>>(b, a, n);\n    second<<<4, 64>>>(c, b, n);\n"
_LOCAL = "    float *t;\n    cudaMalloc(&t, 1024);\n    first<<<4, 64>>>(t, a);\n    second<<<4, 64>>>(c, t);\n%s    cudaFree(t);\n"

APPLIED: dict[str, tuple[str, tuple[str, ...]]] = {
    "register": (
        _file("    b[i] = a[i] * 3.0f;\n", "    c[i] = b[i] + 1.0f;\n", _HOST),
        ("first_second<<<4, 64>>>(b, a, c);", "float b_value = a[i] * 3.0f;\n    b[i] = b_value;\n    c[i] = b_value + 1.0f;"),
    ),
    "dead array": (
        _file("    b[i] = a[i] * 3.0f;\n", "    c[i] = b[i] + b[i];\n", _LOCAL % ""),
        ("first_second<<<4, 64>>>(a, c);", "c[i] = b_value + b_value;", "first_second(const float *a, float *c)"),
    ),
    "an array that somebody reads": (
        _file("    b[i] = a[i] * 3.0f;\n", "    c[i] = b[i];\n", _LOCAL % "    cudaMemcpy(a, t, 1024, cudaMemcpyDeviceToHost);\n"),
        ("first_second<<<4, 64>>>(t, a, c);", "b[i] = b_value;"),
    ),
    "guards": (
        _file("    if (i < n) b[i] = a[i] * 3.0f;\n", "    if (i < m) {\n        c[i] = b[i] + 1.0f;  // on top\n    }\n", _SIZED_HOST, _SIZED),
        ("first_second<<<4, 64>>>(b, a, n, c);", "    if (i < n) {\n        float b_value", "c[i] = b_value + 1.0f;"),
    ),
    "returns": (
        _file("    if (i >= n) return;\n    b[i] = a[i];\n", "    if (i >= m) return;\n    c[i] = b[i] + b[i];\n", _SIZED_HOST, _SIZED),
        ("    if (i >= n) return;\n    float b_value = a[i];\n    b[i] = b_value;\n    c[i] = b_value + b_value;",),
    ),
    "other guards": (
        _file("    if (i < n) b[i] = a[i];\n", "    if (i < 200) c[i] = b[i];\n", _SIZED_HOST, _SIZED),
        ("        if (i < n) {\n            b[i] = a[i];\n        }", "c[i] = b[i];"),
    ),
    "names that clash": (
        _file("    float x = a[i];\n    b[i] = x * x;\n", "    float x = b[i];\n    c[i] = x + a[i];\n", "    first<<<4, 64>>>(b, a);\n    second<<<4, 64>>>(c, b, n);\n", ("float *b, const float *a", "float *c, const float *b, int a")).replace("x + a[i]", "x + a"),
        ("a_second", "        float x = b_value;"),
    ),
    "barrier between": (
        _file(
            "    __shared__ float s[64];\n    s[threadIdx.x] = a[i];\n    __syncthreads();\n    b[i] = s[63 - threadIdx.x];\n",
            "    c[i] = b[i] * 2.0f;\n",
            _HOST,
        ),
        ("b_value = s[63 - threadIdx.x];",),
    ),
    "what is stated": (
        _file("    float x = 0.0f;\n    //@ loop_bound 9\n    for (int k = 0; k < n; k++) x += a[i];\n    b[i] = x;\n", "    c[i] = b[i] + m;\n", _SIZED_HOST.replace("b, n);\n}", "b, k);\n}").replace("(c, b, n)", "(c, b, k)"), _SIZED)
        .replace("__global__ void first", "//@ assume n <= 9\n__global__ void first")
        .replace("// The second part.\n", "// The second part.\n//@ assume m > 3\n"),
        ("//@ assume n <= 9\n//@ assume m > 3\n__global__ void first_second(float *b, const float *a, int n, float *c, int m)", "//@ loop_bound 9\n    for ("),
    ),
    "macros": (
        "#define BLOCK 64\n#define LAST n\n" + _file("    b[i] = a[i] + n;\n", "    c[i] = b[i] * m;\n", _SIZED_HOST.replace("<4, 64", "<4, BLOCK").replace(", n)", ", LAST)"), _SIZED),
        ("first_second<<<4, BLOCK>>>(b, a, LAST, c);", "c[i] = b_value * n;"),
    ),
    "comments": (
        _file("    b[i] = a[i]; // first\n    // behind\n", "    c[i] = b[i]; /* second */\n", _HOST.replace("b);", "b); // launched"), ("float *b, // out\n    const float *a", "float *c, const float *b /* in */")),
        ("    // out\n", "    // behind\n", "    /* in */\n", "(b, a, c);\n    // launched\n"),
    ),
    "two arrays of one size": (
        _file("    b[i] = a[i] * 3.0f;\n", "    c[i] = b[i] + 1.0f;\n", "    float *x = make(n), *y = make(n);\n    first<<<4, 64>>>(x, a);\n    second<<<4, 64>>>(c, x);\n    second_part(y);\n"),
        ("first_second<<<4, 64>>>(x, a, c);",),
    ),
    "in place, integers, other order": (
        _file("    b[i] = a[i] + 1;\n", "    b[i] = b[i] * 2;\n", "    first<<<4, 64>>>(p, q);\n    cudaGetLastError();\n    second<<<4, 64>>>(p);\n", ("int *b, const int *a", "int *b")).replace("float *a, float *b, float *c, int n", "int *p, int *q").replace("    b[i] = a[i] + 1", "    // one more\n    b[i] = a[i] + 1"),
        ("first_second<<<4, 64>>>(p, q);", "cudaGetLastError();"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", APPLIED)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_applied(name: str, eol: str) -> None:
    before, expected = APPLIED[name]
    before = before.replace("\n", eol)
    found = tried(before, ACTION)
    assert isinstance(found, Checked), found
    after = text_of(found, before)
    for part in expected:
        assert part.replace("\n", eol) in after, after
    assert "(proved equal)" in found.title and found.ran.equal >= 3
    assert after.count("//") == before.count("//") and (eol == "\n" or after.count("\n") == after.count("\r\n"))
    assert not sites_of(unit_of(after), ACTION)


REFUSED = {
    "configuration": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST.replace("second<<<4, 64", "second<<<2, 128")), "launched with 4 x 64 and 2 x 128"),
    "neighbour": (_file("    b[i] = a[i];\n", "    c[i] = b[i + 1];\n", _HOST), "a thread may need `b["),
    "neighbour of before": (_file("    b[i] = a[i + 1];\n", "    a[i] = b[i];\n", _HOST.replace("(c, b)", "(a, b)"), ("float *b, const float *a", "float *a, const float *b")), "before another one is done with"),
    "copy between": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST.replace("    second", "    cudaMemcpy(a, b, 256, cudaMemcpyDeviceToHost);\n    second")), "the host copies `b` between the launches"),
    "call between": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST.replace("    second", "    report(b);\n    second")), "the host does more between the launches (line 14)"),
    "launched twice": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST + _HOST), "`first` is launched 2 times"),
    "one kernel": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", "    first<<<4, 64>>>(b, a);\n    first<<<4, 64>>>(c, a);\n"), "it is one kernel that is launched twice"),
    "parts of an array": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST.replace("(c, b)", "(b + 1, b)")), "may be parts of one array"),
    "another name": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", "    float *d = b;\n" + _HOST.replace("(c, b)", "(c, d)")), "`d` may lead to the same array as `b`"),
    "two names made from a third": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", "    float *p = c, *q = c + 1;\n    first<<<4, 64>>>(p, a);\n    second<<<4, 64>>>(b, q);\n"), "`q` may lead to the same array as `p`"),
    "two names from one call": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", "    float *p, *q;\n    parts(&p, &q);\n    first<<<4, 64>>>(p, a);\n    second<<<4, 64>>>(b, q);\n"), "`q` may lead to the same array as `p`"),
    "read as a constant": (_file("    b[i] = a[i];\n", "    c[i] = __ldg(&b[i]);\n", _HOST), "`__ldg(&b[i])` may read what was there before the other kernel's writes"),
    "streams": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST.replace("second<<<4, 64", "second<<<4, 64, 0, s")), "other streams"),
    "left early": (_file("    if (a[i] > 0.0f) return;\n    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST), "threads may leave `first` before its end"),
    "template": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST.replace("first<<", "first<1><<")).replace("__global__ void first", "template <int N> __global__ void first"), ""),
    "volatile": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST, ("volatile float *b, const float *a", "float *c, const float *b")), "volatile"),
    "both share": (_file("    __shared__ float s[64];\n    s[threadIdx.x] = a[i];\n    b[i] = s[threadIdx.x];\n", "    __shared__ float s[64];\n    s[threadIdx.x] = b[i];\n    c[i] = s[threadIdx.x];\n", _HOST), "both kernels have shared memory"),
    "a contract of one": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST).replace("__global__ void first", "//@ expect sectors <= 8\n__global__ void first"), "what line 1 states is about one of both kernels"),
    "what is ensured of one": (_file("    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST).replace("__global__ void first", "//@ ensures i >= 0\n__global__ void first"), "what line 1 states is about one of both kernels"),
    "who came before": (_file("    atomicAdd(&b[0], 1);\n    a[i] = i;\n", "    c[i] = atomicAdd(&b[0], 1);\n", "    first<<<4, 64>>>(b, a);\n    second<<<4, 64>>>(c, b);\n", ("int *b, int *a", "int *c, int *b")).replace("float *", "int *"), "`b` is updated atomically in one of both, and touched in the other"),
    "a pointer that moves": (_file("    b += 64;\n    b[i] = a[i];\n", "    c[i] = b[i];\n", _HOST), "`b` of `first` changes, or is declared again"),
    "macro": ("#define AT(p) p[i]\n" + _file("    AT(b) = a[i];\n", "    c[i] = b[i];\n", _HOST), "the macro `AT` makes part of `first`"),
    "a name of the file": ("__device__ float x;\n" + _file("    float x = a[i];\n    b[i] = x;\n", "    c[i] = b[i] + x;\n", _HOST), "`x` means something else in `second`"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, why = REFUSED[name]
    if not sites_of(unit_of(text), ACTION):
        assert name == "template"
        return
    found = tried(text, ACTION)
    assert isinstance(found, Refused), text_of(found, text)
    assert why in found.reason


def test_kernels_that_are_named() -> None:
    text = APPLIED["register"][0]
    assert isinstance(tried(text, ACTION, choice=Choice(names=("first", "second"))), Checked)
    found = tried(text, ACTION, choice=Choice(names=("second", "first")))
    assert isinstance(found, Refused) and "those of `first` and `second`" in found.reason
