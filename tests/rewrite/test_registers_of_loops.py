"""Cells that a loop comes back to: kept in registers (prefetch-register), or loaded once before it (hoist), where nobody else comes to them."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.hoist import ACTION as HOIST
from analysis_core.rewrite.actions.prefetch_register import ACTION as PREFETCH
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Action, Choice, Refused
from tests.rewrite.harness import text_of, tried

HEAD = "//@ launch block=64 grid=2\n"
INDEX = "    int t = blockIdx.x * 64 + threadIdx.x;\n"


def kernel(body: str, stated: str = "", parameters: str = "float *a, const float *w, int n") -> str:
    return f"{HEAD}{stated}__global__ void k({parameters}) {{\n{INDEX}{body}}}\n"


APPLIED: dict[str, tuple[Action, str, tuple[str, ...], str]] = {
    "a sum in memory": (
        PREFETCH,
        kernel("    for (int k = 0; k < n; k++) a[t] += w[t] * k;\n"),
        (),
        "    if (0 < n) {\n        float a_reg = a[t];\n        float w_reg = w[t];\n        int k = 0;\n        do {\n            a_reg += w_reg * k;\n            k++;\n        } while (k < n);\n        a[t] = a_reg;\n    }\n",
    ),
    "surely a round": (
        PREFETCH,
        kernel("    for (int k = 0; k < n; k++)\n        a[t] += w[k];\n", "//@ requires n > 0\n"),
        (),
        "    float a_reg = a[t];\n    for (int k = 0; k < n; k++)\n        a_reg += w[k];\n    a[t] = a_reg;\n",
    ),
    "a body of lines, one place of two": (
        PREFETCH,
        kernel("    for (int k = t; k < n; k += 32) {\n        float v = w[k];\n        a[t] += v * w[0]; // both\n    }\n"),
        ("a[t]",),
        "    {\n        int k = t;\n        if (k < n) {\n            float a_reg = a[t];\n            do {\n                float v = w[k];\n                a_reg += v * w[0]; // both\n                k += 32;\n            } while (k < n);\n            a[t] = a_reg;\n        }\n    }\n",
    ),
    "while, shared memory": (
        PREFETCH,
        kernel("    __shared__ int s[64];\n    s[threadIdx.x] = 0;\n    int i = n;\n    while (i > 0) {\n        s[threadIdx.x] += i;\n        i /= 2;\n    }\n    a[t] = s[threadIdx.x];\n"),
        (),
        "    if (i > 0) {\n        int s_reg = s[threadIdx.x];\n        while (i > 0) {\n            s_reg += i;\n            i /= 2;\n        }\n        s[threadIdx.x] = s_reg;\n    }\n",
    ),
    "do, with a break": (
        PREFETCH,
        kernel("    int i = 0;\n    do {\n        a[t] += w[i];\n        if (w[i] > 3) break;\n        i++;\n    } while (i < n);\n"),
        (),
        "    float a_reg = a[t];\n    do {\n        a_reg += w[i];\n        if (w[i] > 3) break;\n        i++;\n    } while (i < n);\n    a[t] = a_reg;\n",
    ),
    "barriers, a cell of its own": (
        PREFETCH,
        kernel("    __shared__ float s[64];\n    for (int k = 0; k < 4; k++) {\n        s[threadIdx.x] = w[k * 128 + t];\n        __syncthreads();\n        a[t] += s[63 - threadIdx.x];\n        __syncthreads();\n    }\n"),
        ("a[t]",),
        "    float a_reg = a[t];\n    for (int k = 0; k < 4; k++) {\n        s[threadIdx.x] = w[k * 128 + t];\n        __syncthreads();\n        a_reg += s[63 - threadIdx.x];\n        __syncthreads();\n    }\n    a[t] = a_reg;\n",
    ),
    "a round may end early": (
        PREFETCH,
        kernel("    for (int k = 0; k < n; k++) {\n        a[t] += 1;\n        if (w[k] > 2) continue;\n        a[t] += w[k];\n    }\n"),
        (),
        "    if (0 < n) {\n        float a_reg = a[t];\n        for (int k = 0; k < n; k++) {\n            a_reg += 1;\n",
    ),
    "in two instantiations": (
        PREFETCH,
        "template <typename T> __global__ void k(T *a, const T *w) {\n" + INDEX
        + "    for (int i = 0; i < 4; i++) a[t] += w[i];\n}\nvoid f(float *a, float *w, int *b, int *c) { k<<<2, 64>>>(a, w); k<<<2, 64>>>(b, c); }\n",
        (),
        "    auto a_reg = a[t];\n    for (int i = 0; i < 4; i++) a_reg += w[i];\n    a[t] = a_reg;\n",
    ),
    "a factor": (
        HOIST,
        kernel("    for (int i = 0; i < n; i++) a[t + i * 128] = a[t + i * 128] * w[0];\n"),
        (),
        "        float w_reg = w[0];\n        int i = 0;\n        do {\n            a[t + i * 128] = a[t + i * 128] * w_reg;\n",
    ),
    "the test": (
        HOIST,
        kernel("    for (int i = 0; i < c[1]; i++)\n        a[t] += 1;\n", parameters="float *a, const int *c"),
        (),
        "    int c_reg = c[1];\n    for (int i = 0; i < c_reg; i++)\n        a[t] += 1;\n",
    ),
    "a member": (
        HOIST,
        "struct P { float x, y; };\n" + kernel("    for (int i = 0; i < 8; i++) a[t + 128 * i] = p->y;\n", parameters="float *a, const P *p"),
        (),
        "    float p_reg = p->y;\n    for (int i = 0; i < 8; i++) a[t + 128 * i] = p_reg;\n",
    ),
    "of the loop outside": (
        HOIST,
        kernel("    for (int j = 0; j < n; j++)\n        for (int i = 0; i < 8; i++)\n            a[t + 128 * i] += w[j];\n"),
        ("w[j]",),
        "    for (int j = 0; j < n; j++)\n        {\n            float w_reg = w[j];\n            for (int i = 0; i < 8; i++)\n",
    ),
    "a bound stays with its loop": (
        HOIST,
        kernel("    int v = 0;\n    //@ loop_bound n\n    #pragma unroll 2\n    for (int i = 0; i < n; i++)\n        v += w[3];\n    a[t] = v;\n"),
        (),
        "        int i = 0;\n        //@ loop_bound n\n        #pragma unroll 2\n        do {\n            v += w_reg;\n",
    ),
    "among barriers, of what nobody writes": (
        HOIST,
        kernel("    __shared__ float s[64];\n    for (int i = 0; i < 4; i++) {\n        s[threadIdx.x] = w[n];\n        __syncthreads();\n        a[t + i * 128] = s[63 - threadIdx.x];\n        __syncthreads();\n    }\n"),
        ("w[n]",),
        "    float w_reg = w[n];\n",
    ),
    "macros around": (
        HOIST,
        "#define N 9\n#define TWICE(x) ((x) * 2)\n#define FIRST w[1]\n" + kernel("    for (int i = 0; i < N; i++) a[t + 128 * i] += TWICE(w[0]) + FIRST;\n"),
        ("w[0]",),
        "    float w_reg = w[0];\n    for (int i = 0; i < N; i++) a[t + 128 * i] += TWICE(w_reg) + FIRST;\n",
    ),
    "the first values of two": (
        HOIST,
        kernel("    float v = 0;\n    int i;\n    for (i = 0; i < n; ++i) { v += w[0]; v *= w[1]; }\n    a[t] = v + i;\n"),
        (),
        "    i = 0;\n    if (i < n) {\n        float w_reg = w[0];\n        float w_reg2 = w[1];\n        do {\n            v += w_reg; v *= w_reg2;\n            ++i;\n        } while (i < n);\n    }\n",
    ),
}  # fmt: skip

SHIFTED = """__global__ void k(int *a, int n) {
    int t = threadIdx.x;
    for (int r = 0; r < n; r++) {
        int right = a[(t + 1) % 256];
        __syncthreads();
        a[t] += right;
        __syncthreads();
    }
}
"""

REFUSED: dict[str, tuple[Action, str, tuple[str, ...], str]] = {
    "others write it": (PREFETCH, SHIFTED, ("a[(t + 1) % 256]",), "other threads write it between the barriers of a round (line 6)"),
    "volatile": (
        PREFETCH,
        "__global__ void k(volatile int *flag, int *out) {\n    int seen = 0;\n    while (*flag == 0) seen++;\n    out[threadIdx.x] = seen + *flag;\n}\n",
        ("*flag",),
        "`*flag` is volatile",
    ),
    "another access": (PREFETCH, kernel("    for (int k = 0; k < 9; k++) a[t] += a[k];\n"), ("a[t]",), "`a[t]` may be read in the loop as `a[k]` (line 4)"),
    "atomic": (PREFETCH, kernel("    for (int k = 0; k < 9; k++) atomicAdd(&a[t], w[k]);\n"), ("a[t]",), "`a[t]` is updated atomically"),
    "an address": (HOIST, kernel("    for (int k = 0; k < 9; k++) a[t] += __ldg(&w[5]);\n"), ("w[5]",), "the address of `w[5]` is asked for"),
    "under a condition": (PREFETCH, kernel("    for (int k = 0; k < 9; k++) if (w[k] > 0) a[t] += 1;\n"), ("a[t]",), "not every round comes to `a[t]`"),
    "written under a condition": (PREFETCH, kernel("    for (int k = 0; k < 9; k++) { float v = a[t]; if (v > w[k]) a[t] = 1; }\n"), ("a[t]",), "not every round writes `a[t]`"),
    "a race": (PREFETCH, kernel("    for (int k = 0; k < 9; k++) a[t / 2] += w[k];\n"), ("a[t / 2]",), "other threads may write it meanwhile (line 4)"),
    "return": (PREFETCH, kernel("    for (int k = 0; k < 9; k++) { a[t] += w[k]; if (w[k] > 2) return; }\n"), ("a[t]",), "`return` in the loop leaves `a[t]` unwritten (line 4)"),
    "it moves": (PREFETCH, kernel("    for (int k = 0; k < 9; k++) a[t + 128 * k] += 1;\n"), (), "no round comes back to the same cell of memory"),
    "one array by two names": (
        HOIST,
        "__global__ void k(float *a, const float *w) {\n" + INDEX
        + "    for (int i = 0; i < 9; i++) a[t + 128 * i] = w[0];\n}\nvoid f(float *x) { k<<<2, 64>>>(x, x); }\n",
        (),
        "`w[0]` may be written in the loop as `a[t + 128 * i]` (line 3)",
    ),
    "it is written": (HOIST, kernel("    for (int i = 0; i < 9; i++) a[t] += w[i];\n"), ("a[t]",), "`a[t]` is written in the loop: it can be kept in a register (prefetch-register)"),
    "a macro": (HOIST, "#define EACH(i) for (int i = 0; i < 9; i++)\n" + kernel("    EACH(i) a[t] += w[0];\n"), (), "the macro `EACH` makes part of it"),
    "unknown code": (HOIST, kernel("    for (int i = 0; i < 9; i++) { a[t] += w[0]; strange(w); }\n"), (), "code in the loop is not known (line 4)"),
    "the test reads, and nothing shows a round": (
        HOIST,
        kernel("    for (int i = 0; i < c[i]; i++) a[t] += w[0];\n", parameters="float *a, const float *w, const int *c"),
        ("w[0]",),
        "it is not known that the loop makes a round, and its test reads memory",
    ),
    "who is written elsewhere": (HOIST, kernel("    float v = 0;\n    for (int i = 0; i < 9; i++) v += a[0];\n    a[t] = v;\n"), ("a[0]",), "other threads may write it meanwhile (line 6)"),
    "what is declared in the loop": (HOIST, kernel("    for (int i = 0; i < 9; i++) { int j = 2; a[t] += w[j]; }\n"), ("w[j]",), "`w[j]` is not read or written by the loop, or not at the same address in each round"),
}  # fmt: skip


@pytest.mark.parametrize("name", APPLIED)
def test_it_is_done(name: str) -> None:
    action, text, names, expected = APPLIED[name]
    found = tried(text, action, 5 if "outside" in name else None, Choice(names=names))
    assert isinstance(found, Checked), found
    assert expected in text_of(found, text)
    assert found.ran.equal
    assert "proved equal" in found.title


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    action, text, names, reason = REFUSED[name]
    assert tried(text, action, None, Choice(names=names)) == Refused(reason)
