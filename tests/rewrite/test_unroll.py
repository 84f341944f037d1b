"""Unrolling: rounds that are surely made are done before the loop; the text after is that of the test, and leaves the same in memory."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.unroll import ACTION
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Choice, Refused, Rewritten
from tests.rewrite.harness import sites_of, text_of, tried, unit_of

HEAD = "//@ launch block=64 grid=2\n"
INDEX = "    int t = blockIdx.x * 64 + threadIdx.x;\n"


def kernel(body: str, stated: str = "", parameters: str = "float *a, const float *w, int n") -> str:
    return f"{HEAD}{stated}__global__ void k({parameters}) {{\n{INDEX}{body}}}\n"


APPLIED = {
    "numbers": (
        kernel("    float v = a[t];\n    for (int i = 0; i < n; i++) v = v * w[i] + i;\n    a[t] = v;\n", "//@ assume n >= 2\n"),
        2,
        "    v = v * w[0] + 0;\n    v = v * w[1] + 1;\n    for (int i = 2; i < n; i++) v = v * w[i] + i;\n",
    ),
    "doubling": (
        kernel("    float v = 0;\n    for (int i = 1; i < 20; i = i * 2)\n        v += w[t + i];\n    a[t] = v;\n"),
        3,
        "    v += w[t + 1];\n    v += w[t + 2];\n    v += w[t + 4];\n    for (int i = 8; i < 20; i = i * 2)\n        v += w[t + i];\n",
    ),
    "downwards": (
        kernel("    float v = 0;\n    for (int i = 7; i >= 0; --i) { v = v * 2.0f + w[i]; }\n    a[t] = v;\n"),
        1,
        "    { v = v * 2.0f + w[7]; }\n    for (int i = 6; i >= 0; --i) { v = v * 2.0f + w[i]; }\n",
    ),
    "a start that is no number": (
        kernel("    float v = 0;\n    for (int i = t; i < 512; i += 32) {\n        v += w[i]; // more\n    }\n    a[t] = v;\n"),
        1,
        "    {\n        int i = t;\n        {\n            v += w[i]; // more\n        }\n        i += 32;\n        for (; i < 512; i += 32) {\n            v += w[i]; // more\n        }\n    }\n",
    ),
    "macros": (
        "#define N 4\n#define ADD(x) a[t] += (x)\n#define MORE a[t] += w[i]\n" + kernel("    for (int i = 0; i < N; i++) { ADD(w[i]); }\n    for (int i = 1; i < N; i++) { MORE; }\n"),
        2,
        "    { ADD(w[0]); }\n    { ADD(w[1]); }\n    for (int i = 2; i < N; i++) { ADD(w[i]); }\n",
    ),
    "a macro that names the counter": (
        "#define MORE a[t] += w[i]\n" + kernel("    for (int i = 1; i < 8; i++) { MORE; }\n"),
        1,
        "        int i = 1;\n        { MORE; }\n        i++;\n        for (; i < 8; i++) { MORE; }\n",
    ),
    "while": (
        kernel("    int i = n;\n    while (i > 0) {\n        a[t] += w[i];\n        i /= 2;\n    }\n", "//@ assume n >= 4\n"),
        2,
        "    {\n        a[t] += w[i];\n        i /= 2;\n    }\n    {\n        a[t] += w[i];\n        i /= 2;\n    }\n    while (i > 0) {\n",
    ),
    "a bound is shifted, a pragma stays with the loop": (
        kernel("    //@ loop_bound n\n    #pragma unroll 4\n    for (int i = 0; i < n; i++)\n        a[t] += w[i];\n", "//@ requires n > 4\n"),
        2,
        "    a[t] += w[0];\n    a[t] += w[1];\n    //@ loop_bound n - 2\n    #pragma unroll 4\n    for (int i = 2; i < n; i++)\n",
    ),
    "behind an if, with a barrier": (
        kernel("    __shared__ float s[64];\n    s[threadIdx.x] = 0;\n    if (n > 1) for (int i = 0; i < n; i++) {\n        __syncthreads();\n        s[threadIdx.x] += w[i];\n    }\n    a[t] = s[threadIdx.x];\n"),
        2,
        "    if (n > 1) {\n        {\n            __syncthreads();\n            s[threadIdx.x] += w[0];\n        }\n",
    ),
    "a counter that is declared before": (
        kernel("    int i;\n    for (i = 0; i < 9; i += 2) a[t] += w[i];\n    a[t] += i;\n"),
        2,
        "    i = 0;\n    a[t] += w[i];\n    i += 2;\n    a[t] += w[i];\n    i += 2;\n    for (; i < 9; i += 2) a[t] += w[i];\n",
    ),
    "unsigned, inside of another loop": (
        kernel("    for (int j = 0; j < n; j++)\n        for (unsigned i = 0; i < 3u; ++i) a[t] += w[j * 3 + i];\n"),
        1,
        "    for (int j = 0; j < n; j++)\n        {\n            a[t] += w[j * 3 + 0u];\n            for (unsigned i = 1u; i < 3u; ++i) a[t] += w[j * 3 + i];\n        }\n",
    ),
    "its name is hidden in the body": (
        kernel("    for (int i = 0; i < 4; i++) { float v = w[i]; { int i = 3; v += i; } a[t] += v; }\n"),
        1,
        "        int i = 0;\n        { float v = w[i]; { int i = 3; v += i; } a[t] += v; }\n        i++;\n        for (; i < 4; i++)",
    ),
    "an assertion names it": (
        kernel("    for (int i = 0; i < 4; i++) {\n        //@ assert i < 4\n        a[t] += w[i];\n    }\n"),
        1,
        "        int i = 0;\n        {\n            //@ assert i < 4\n",
    ),
    "in every instantiation": (
        "template <int N> __global__ void k(float *a, const float *w) {\n" + INDEX
        + "    for (int i = 0; i < N; i++) a[t] += w[i];\n}\nvoid f(float *a, float *w) { k<4><<<2, 64>>>(a, w); k<2><<<2, 64>>>(a, w); }\n",
        2,
        "    a[t] += w[0];\n    a[t] += w[1];\n    for (int i = 2; i < N; i++) a[t] += w[i];\n",
    ),
}  # fmt: skip

REFUSED = {
    "unknown": (kernel("    for (int i = 0; i < n; i++) a[t] += w[i];\n"), 2, "n >= 2 is not known", "//@ assume n >= 2"),
    "at most": (kernel("    for (int i = 1; i <= n; i++) a[t] += w[i];\n"), 3, "n >= 3 is not known", "//@ assume n >= 3"),
    "too often": (
        kernel("    for (int i = 0; i < n; i++) a[t] += w[i];\n", "//@ assume n >= 2 && n <= 3\n"),
        4,
        "n <= 3: the loop may make 2 or 3 rounds, 4 were asked for",
        "",
    ),
    "fewer": (kernel("    for (int i = 0; i < 3; i++) a[t] += w[i];\n"), 4, "the loop makes 3 rounds, 4 were asked for", ""),
    "break": (kernel("    for (int i = 0; i < 8; i++) {\n        if (w[i] == 0) break;\n        a[t] += w[i];\n    }\n"), 2, "the loop may end by `break` (line 5)", ""),
    "continue": (kernel("    for (int i = 0; i < 8; i++) {\n        if (w[i] == 0) continue;\n        a[t] += w[i];\n    }\n"), 2, "a round may end by `continue` (line 5)", ""),
    "do": (kernel("    int i = 0;\n    do { a[t] += w[i]; i++; } while (i < 8);\n"), 2, "a `do` loop makes its first round untested", ""),
    "a test that reads": (kernel("    for (int i = 0; i < w[i]; i++) a[t] += 1;\n"), 1, "the loop's test reads memory, or does something", ""),
    "an end that moves": (kernel("    int m = 9;\n    for (int i = 0; i < m; i++) { a[t] += w[i]; m -= 1; }\n"), 2, "what the loop's test compares changes in the loop", ""),
    "a counter that jumps": (kernel("    for (int i = 0; i < 9; i++) { if (w[i] > 0) i++; a[t] += w[i]; }\n"), 2, "`i` is changed in more than one way in the loop", ""),
    "a step that moves": (kernel("    int d = 1;\n    for (int i = 0; i < 9; i += d) { a[t] += w[i]; d = n; }\n"), 2, "what is added to `i` changes in the loop", ""),
    "shared inside": (kernel("    for (int i = 0; i < 9; i++) { __shared__ float s[64]; s[threadIdx.x] = w[i]; a[t] += s[threadIdx.x]; }\n"), 2, "`s` is declared in the loop and is there only once (line 4)", ""),
    "a macro": ("#define EACH(i) for (int i = 0; i < 4; i++)\n" + kernel("    EACH(i) a[t] += w[i];\n"), 2, "the macro `EACH` makes part of it", ""),
    "a directive": (kernel("    for (int i = 0; i < 4; i++) {\n#ifdef TWICE\n        a[t] += w[i];\n#endif\n        a[t] += w[i];\n    }\n"), 2, "there are directives of the preprocessor in it", ""),
    "an instantiation of fewer": (
        "template <int N> __global__ void k(float *a, const float *w) {\n" + INDEX
        + "    for (int i = 0; i < N; i++) a[t] += w[i];\n}\nvoid f(float *a, float *w) { k<4><<<2, 64>>>(a, w); k<2><<<2, 64>>>(a, w); }\n",
        3,
        "the loop makes 2 rounds, 3 were asked for",
        "",
    ),
    "what others may write": (
        kernel("    int m = c[0];\n    if (m < 2) return;\n    for (int i = 0; i < m; i++) a[t] += w[i];\n    c[0] = t;\n", parameters="float *a, const float *w, int *c"),
        2,
        "the loop is not known to make 2 rounds",
        "",
    ),
    "a block that nobody states": (
        "__global__ void k(float *a, const float *w) {\n    int t = threadIdx.x;\n    for (int i = t; i < 512; i += 256) a[t] += w[i];\n}\n",
        2,
        "the loop is not known to make 2 rounds",
        "",
    ),
    "too many": (kernel("    for (int i = 0; i < 999; i++) a[t] += w[i];\n"), 65, "1 to 64 rounds can be unrolled", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", APPLIED)
def test_it_is_done(name: str) -> None:
    text, factor, expected = APPLIED[name]
    line = 5 if "inside" in name else None
    found = tried(text, ACTION, line, Choice(factor))
    assert isinstance(found, Checked), found
    assert expected in text_of(found, text)
    assert found.ran.equal
    assert "proved equal" in found.title
    steps = next(cost for cost in found.costs if cost.metric == "steps")
    assert steps.becomes <= steps.was


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    text, factor, reason, annotation = REFUSED[name]
    assert tried(text, ACTION, None, Choice(factor)) == Refused(reason, annotation)


@pytest.mark.parametrize("name", APPLIED)
def test_lines_that_end_in_two_ways(name: str) -> None:
    text, factor, expected = APPLIED[name]
    line = 5 if "inside" in name else None
    unit = unit_of(text.replace("\n", "\r\n"))
    site = next(one for one in sites_of(unit, ACTION) if line is None or unit.line(one.span) == line)
    found = ACTION.rewrite(unit, site, Choice(factor))
    assert isinstance(found, Rewritten), found
    after = unit.edited(found.edits).text.decode()
    assert after.count("\n") == after.count("\r\n")
    assert expected in after.replace("\r\n", "\n")


def test_the_least_number_keeps_its_type() -> None:
    text = (
        "//@ launch block=64 grid=2\n__global__ void k(int *a) {\n    int t = blockIdx.x * 64 + threadIdx.x;\n"
        "    for (int i = -2147483647 - 1; i < -2147483644; i++) a[t] += (i + 1u) > 5;\n}\n"
    )
    found = tried(text, ACTION)
    assert isinstance(found, Checked) and "-2147483648" not in text_of(found, text)
