"""Merging rounds: with what is left over before the loop, or a rest loop behind it; nothing is done that was not, in the same order."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.merge import ACTION
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Choice, Refused
from tests.rewrite.harness import text_of, tried

HEAD = "//@ launch block=64 grid=2\n"
INDEX = "    int t = blockIdx.x * 64 + threadIdx.x;\n"


def kernel(body: str, stated: str = "", parameters: str = "float *a, const float *w, int n") -> str:
    return f"{HEAD}{stated}__global__ void k({parameters}) {{\n{INDEX}{body}}}\n"


APPLIED = {
    "doubling": (
        kernel("    float v = 0;\n    for (int i = 1; i < 20; i = i * 2) v += w[t + i];\n    a[t] = v;\n"),
        3,
        "    v += w[t + 1];\n    v += w[t + 2];\n    for (int i = 4; i < 20; i = i * 2) {\n        v += w[t + i];\n        i = i * 2;\n        v += w[t + i];\n        i = i * 2;\n        v += w[t + i];\n    }\n",
    ),
    "nothing is left over": (
        kernel("    float v = 0;\n    for (int i = 0; i < 6; i++) v += w[i];\n    a[t] = v;\n"),
        2,
        "    for (int i = 0; i < 6; i += 2) {\n        v += w[i];\n        v += w[i + 1];\n    }\n",
    ),
    "downwards by two": (
        kernel("    float v = 0;\n    for (int i = 9; i > 0; i -= 2) {\n        v = v * 2 + w[i] * i;\n    }\n    a[t] = v;\n"),
        2,
        "    {\n        v = v * 2 + w[9] * 9;\n    }\n    for (int i = 7; i > 0; i -= 4) {\n        {\n            v = v * 2 + w[i] * i;\n        }\n        {\n            v = v * 2 + w[i - 2] * (i - 2);\n        }\n    }\n",
    ),
    "a rest": (
        kernel("    float v = 0;\n    for (int i = 0; i < n; i++) v += w[i];\n    a[t] = v;\n"),
        4,
        "    {\n        int i = 0;\n        for (; n - i > 3; i += 4) {\n            v += w[i];\n            v += w[i + 1];\n            v += w[i + 2];\n            v += w[i + 3];\n        }\n        for (; i < n; i++) v += w[i];\n    }\n",
    ),
    "a rest, from three by two": (
        kernel("    float v = 0;\n    for (int i = 3; i <= n; i += 2)\n        v += w[i];\n    a[t] = v;\n"),
        2,
        "        int i = 3;\n        for (; n - i >= 2; i += 4) {\n            v += w[i];\n            v += w[i + 2];\n        }\n        for (; i <= n; i += 2)\n            v += w[i];\n",
    ),
    "unsigned": (
        kernel("    float v = 0;\n    for (unsigned i = 0; n > i; ++i) { float x = w[i]; v += x * i + i; }\n    a[t] = v;\n", parameters="float *a, const float *w, unsigned n"),
        2,
        "        unsigned i = 0;\n        for (; n - i > 1; ++i) {\n            { float x = w[i]; v += x * i + i; }\n            ++i;\n            { float x = w[i]; v += x * i + i; }\n        }\n        for (; n > i; ++i) {",
    ),
    "bounds of both": (
        kernel("    float v = 0;\n    //@ loop_bound n + 1\n    #pragma unroll 1\n    for (int i = 0; i < n; i++)\n        v += w[i];\n    a[t] = v;\n"),
        4,
        "        //@ loop_bound (n + 1) / 4\n        #pragma unroll 1\n        for (; n - i > 3; i += 4) {\n",
    ),
    "the bound of a rest": (
        kernel("    float v = 0;\n    //@ loop_bound n\n    for (int i = 0; i < n; i++)\n        v += w[i];\n    a[t] = v;\n"),
        4,
        "        //@ loop_bound 3\n        for (; i < n; i++)\n",
    ),
    "barriers, all make as many rounds": (
        kernel("    __shared__ float s[64];\n    s[threadIdx.x] = 0;\n    for (int i = 0; i < n; i++) {\n        __syncthreads();\n        s[threadIdx.x] += w[i];\n    }\n    a[t] = s[threadIdx.x];\n"),
        2,
        "        for (; n - i > 1; i += 2) {\n            {\n                __syncthreads();\n",
    ),
    "return": (
        kernel("    for (int i = 0; i < 9; i++) {\n        if (w[i] > 4) return;\n        a[t] += w[i];\n    }\n"),
        3,
        "    for (int i = 0; i < 9; i += 3) {\n",
    ),
    "macros": (
        "#define N (n + 1)\n#define AT(k) w[k] + k * 2\n" + kernel("    float v = 0;\n    for (int i = 0; i < N; i++) v += AT(i);\n    a[t] = v;\n"),
        2,
        "        for (; N - i > 1; i += 2) {\n            v += AT(i);\n            v += AT((i + 1));\n        }\n",
    ),
    "while": (
        kernel("    int i = 16;\n    while (i > 0) {\n        a[t] += w[i];\n        i = i >> 1;\n    }\n"),
        2,
        "    {\n        a[t] += w[i];\n        i = i >> 1;\n    }\n    while (i > 0) {\n        {\n",
    ),
}  # fmt: skip

REFUSED = {
    "break": (kernel("    for (int i = 0; i < 16; i++) { if (w[i] == 0) break; a[t] += w[i]; }\n"), 4, "the loop may end by `break` (line 4)"),
    "continue": (kernel("    for (int i = 0; i < 16; i++) { if (w[i] == 0) continue; a[t] += w[i]; }\n"), 4, "a round may end by `continue` (line 4)"),
    "few": (kernel("    for (int i = 0; i < 3; i++) a[t] += w[i];\n"), 4, "the loop makes 3 rounds, 4 were asked for"),
    "one": (kernel("    for (int i = 0; i < 3; i++) a[t] += w[i];\n"), 1, "2 to 64 rounds can be merged"),
    "halving to a size": (kernel("    for (int i = n; i > 0; i /= 2) a[t] += w[i];\n"), 2, "the number of rounds is not known, and the loop does not count up by a constant"),
    "other rounds at barriers": (
        kernel("    __shared__ float s[64];\n    for (int i = threadIdx.x; i < n; i += 32) { __syncwarp(); s[threadIdx.x] = w[i]; }\n    a[t] = s[threadIdx.x];\n"),
        2,
        "threads may make different numbers of rounds: some would do the rest while others do merged ones",
    ),
    "it may be negative": (kernel("    for (int i = -n; i < n; i++) a[t] += 1;\n"), 2, "the counter or its end may be negative, and their difference may overflow"),
    "unsigned by two": (
        kernel("    for (unsigned i = 0; i < n; i += 2) a[t] += w[i];\n", parameters="float *a, const float *w, unsigned n"),
        2,
        "the counter is unsigned, and does not count from 0 by 1: the difference from its end may wrap around",
    ),
    "the end moves": (kernel("    int m = n;\n    for (int i = 0; i < m; i++) { a[t] += w[i]; if (w[i] > 2) m--; }\n"), 2, "what the loop's test compares changes in the loop"),
    "do": (kernel("    int i = 0;\n    do a[t] += w[i]; while (++i < 8);\n"), 2, "a `do` loop makes its first round untested"),
    "different": (kernel("    for (int i = 0; i != n; i++) a[t] += w[i];\n"), 2, "the number of rounds is not known, and the loop does not end where its counter reaches something"),
}  # fmt: skip


@pytest.mark.parametrize("name", APPLIED)
def test_it_is_done(name: str) -> None:
    text, factor, expected = APPLIED[name]
    found = tried(text, ACTION, None, Choice(factor))
    assert isinstance(found, Checked), found
    assert expected in text_of(found, text)
    assert found.ran.equal
    assert "proved equal" in found.title
    steps = next(cost for cost in found.costs if cost.metric == "steps")
    assert steps.becomes <= steps.was


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    text, factor, reason = REFUSED[name]
    found = tried(text, ACTION, None, Choice(factor))
    assert isinstance(found, Refused)
    assert found.reason == reason


def test_a_comment_behind_the_header_stays_behind_it() -> None:
    text = """//@ launch block=64 grid=2
__global__ void k(const float *a, float *c, int n) {
    float s = 0;
    for (int k = 0; k < n; ++k) // each (
        s += a[k * 64 + threadIdx.x];
    c[blockIdx.x * 64 + threadIdx.x] = s;
}
"""
    found = tried(text, ACTION)
    assert isinstance(found, Checked), found
    assert "for (; n - k > 3; k += 4) { // each (\n" in text_of(found, text)
