"""Reductions of which the threads are put side by side: what applies leaves the same in memory, what does not says why."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.sequential_addressing import ACTION
from analysis_core.rewrite.checks import NO_CHOICE, Checked
from analysis_core.rewrite.core.action import Choice, Refused
from tests.rewrite.harness import text_of, tried

_FRAME = """//@ launch block=%(block)s grid=2
__global__ void k(%(type)s *out, const %(type)s *in, int n) {
    __shared__ %(type)s s[%(room)s];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * %(block)s + t];
    __syncthreads();
%(loop)s
    if (t == 0) out[blockIdx.x] = s[0];
}
"""


def _kernel(loop: str, type_: str = "int", block: int = 64, room: int | None = None) -> str:
    lines = "\n".join(f"    {line}" for line in loop.split("\n"))
    return _FRAME % {"block": block, "type": type_, "room": room or block, "loop": lines}


_INTERLEAVED = "for (int k = 1; k < 64; k *= 2) { if (t % (2 * k) == 0) s[t] += s[t + k]; __syncthreads(); }"

APPLIED = {
    "interleaved": _kernel(_INTERLEAVED),
    "unsigned, a mask, blockDim": _kernel(
        "for (unsigned k = 1; k < blockDim.x; k <<= 1) {\n"
        "    if ((t & (2 * k - 1)) == 0)  // every second, fourth, ..\n"
        "        s[t] += s[t + k];\n"
        "    __syncthreads();\n}"
    ),
    "strided, with an index": _kernel(
        "for (unsigned int k = 1; k < blockDim.x; k *= 2) {\n"
        "    int index = 2 * k * t;\n"
        "    if (index < blockDim.x) {\n"
        "        s[index] += s[index + k]; /* strided */\n"
        "    }\n"
        "    __syncthreads();\n}"
    ),
    "maximum of wide integers": _kernel(
        "for (int k = 1; k < 64; k += k) { if (t % (2 * k) == 0) s[t] = max(s[t], s[t + k]); __syncthreads(); }",
        "long long",
    ),
    "bits, other side first": _kernel(
        "for (int k = 1; k != 64; k *= 2) { if (!(t % (2 * k))) s[t] = s[t + k] ^ s[t]; __syncthreads(); }"
    ),
    "barrier first": _kernel(
        "for (int k = 1; k <= 32; k *= 2) { __syncthreads(); if (t % (2 * k) == 0) s[t] += s[t + k]; }"
    ).replace("    __syncthreads();\n    for", "    for"),
    "a part of the block": _kernel(
        "for (int k = 1; k < 32; k *= 2) { if (t % (2 * k) == 0 && t < 32) s[t] += s[t + k]; __syncthreads(); }"
    ),
    "two arrays": _kernel(
        "for (int k = 1; k < 64; k *= 2) {\n"
        "\tif (t % (2 * k) == 0) {\n\t\ts[t] += s[t + k];\n\t\tq[t] = min(q[t], q[t + k]);\n\t}\n\t__syncthreads();\n}"
    )
    .replace("int s[64];", "int s[64], q[64];")
    .replace("    __syncthreads();\n    for", "    q[t] = t ^ 21;\n    __syncthreads();\n    for")
    .replace("= s[0];", "= s[0] + q[0];"),
    "macro": "#define BLOCK 64\n" + _kernel(_INTERLEAVED.replace("k < 64", "k < BLOCK")),
    "carriage returns": _kernel(_INTERLEAVED).replace("\n", "\r\n"),
}


def _applied(text: str, choice: Choice = NO_CHOICE) -> tuple[Checked, str]:
    found = tried(text, ACTION, choice=choice)
    assert isinstance(found, Checked) and found.ran.equal >= 2, found
    return found, text_of(found, text)


def _reason(text: str) -> str:
    """Why it is refused, with the annotation that would help behind a bar."""
    found = tried(text, ACTION)
    assert isinstance(found, Refused), found
    return " | ".join(filter(None, (found.reason, found.annotation)))


@pytest.mark.parametrize("name", APPLIED)
def test_applied(name: str) -> None:
    before = APPLIED[name]
    found, after = _applied(before)
    assert "(proved equal)" in found.title and found.gain > 0
    assert _reason(after) == "the threads that add stand side by side already"
    assert all(after.count(sign) == before.count(sign) for sign in ("//", "/*", "\r\n", "\t"))


REFUSED = {
    "float": (_kernel(_INTERLEAVED, "float"), "floating point: the order of additions changes"),
    "difference": (_kernel(_INTERLEAVED.replace("+= s", "-= s")), "is not the sum, product, minimum"),
    "volatile": (_kernel(_INTERLEAVED).replace("__shared__ int", "volatile __shared__ int"), "volatile"),
    "read afterwards": (
        _kernel(_INTERLEAVED).replace("= s[0]", "= s[0] + s[2]"),
        "reads another element than the first",
    ),
    "two elements are read at once": (
        _kernel(_INTERLEAVED).replace("= s[0]", "= (int)(*(long long *)&s[0] >> 32)"),
        "reads another element than the first",
    ),
    "no barrier": (
        _kernel(_INTERLEAVED).replace("    __syncthreads();\n    for", "    for"),
        "no barrier stands between what is stored before the loop",
    ),
    "no power of two": (
        _kernel(_INTERLEAVED.replace("64", "48").replace("== 0)", "== 0 && t + k < 48)"), block=48),
        "48 elements of `s` are taken up, which is no power of two",
    ),
    "unknown block": (
        _kernel(_INTERLEAVED).replace("//@ launch block=64 grid=2\n", ""),
        "the block of `k` is not known | //@ launch block=",
    ),
    "threads that left": (
        _kernel(_INTERLEAVED).replace("    s[t] = in", "    if (t >= n) return;\n    s[t] = in"),
        "is not known before the kernel runs",
    ),
    "threads that surely left": (
        _kernel(_INTERLEAVED.replace("(t %", "(t < 64 && t %"), block=128, room=128).replace(
            "    s[t] = in", "    if (t % 2) return;\n    s[t] = in"
        ),
        "it is not known that the first 32 threads of a block come to every round",
    ),
    "rows": (_kernel(_INTERLEAVED).replace("block=64", "block=(64, 2)"), "twice"),
    "another loop": (
        _kernel(f"for (int r = 0; r < n; r++) {{\n    {_INTERLEAVED}\n}}"),
        "it stands in another loop",
    ),
    "annotation inside": (
        _kernel(_INTERLEAVED.replace("{ if", "{\n//@ assert k < 64\nif")),
        "there is an annotation in the loop",
    ),
    "macro body": (
        "#define ADD(t, k) s[t] += s[t + k]\n" + _kernel(_INTERLEAVED.replace("s[t] += s[t + k]", "ADD(t, k)")),
        "the macro `ADD` makes part of it",
    ),
    "counter lives on": (
        _kernel("int k;\n" + _INTERLEAVED.replace("int k", "k")).replace("+ t];", "+ t] + n;"),
        "its counter is not declared in the loop",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, why = REFUSED[name]
    assert why in _reason(text)


def test_floats_if_asked_for() -> None:
    found, _ = _applied(_kernel(_INTERLEAVED, "float"), Choice(rounding=True))
    assert found.rewritten.reorders and "which changes rounding: " in found.title


def test_function_of_two_kernels() -> None:
    text = (
        _kernel(_INTERLEAVED)
        .replace("__global__ void k", "__device__ void f")
        .replace("//@ launch block=64 grid=2", "")
    )
    calls = "//@ launch block=%d grid=2\n__global__ void %s(int *out, const int *in, int n) { f(out, in, n); }\n"
    _applied(text + calls % (64, "k") + calls % (64, "other"))
    _applied((text + calls % (64, "k") + calls % (128, "other")).replace("s[64]", "s[128]"))
    narrow = text + calls % (64, "k") + calls % (32, "other")
    assert _reason(narrow) == "33 elements of `s` are taken up, which is no power of two"
