"""Trees in shared memory that become shuffles: the same in memory, one barrier, and a reason wherever a warp may not be whole."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.shuffle_reduction import ACTION
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Choice, Refused
from tests.rewrite.harness import text_of, tried

_FRAME = """//@ launch block=%(block)s grid=2
__global__ void k(%(type)s *out, const %(type)s *in, int n) {
    __shared__ %(type)s s[%(block)s];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * %(block)s + t];
    %(loop)s
    if (t == 0) out[blockIdx.x] = s[0];
}
"""

_TREE = "for (int k = 64; k > 0; k >>= 1) { __syncthreads(); if (t < k) s[t] += s[t + k]; }"


def _kernel(loop: str = _TREE, type_: str = "int", block: int = 128) -> str:
    return _FRAME % {"block": block, "type": type_, "loop": loop}


APPLIED = {
    "barrier first": (_kernel(), "__shared__ int s[4];"),
    "barrier last, a comment": (
        _kernel("__syncthreads();\n    for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {\n        if (t < k) s[t] += s[t + k]; // all\n        __syncthreads();\n    }"),
        "// all",
    ),
    "interleaved maximum": (
        _kernel("__syncthreads();\n    for (int k = 1; k < 128; k *= 2) { if (t % (2 * k) == 0) s[t] = max(s[t], s[t + k]); __syncthreads(); }"),
        "value = max(value, __shfl_down_sync(0xffffffffu, value, 16));",
    ),
    "bits of wide integers": (_kernel(_TREE.replace("s[t] +=", "s[t] ^="), "long long"), "long long value = in["),
    "product with more behind": (
        _kernel(_TREE.replace("s[t] +=", "s[t] *=")).replace("if (t == 0) out[blockIdx.x] = s[0];", "if (t == 0) {\n        int x = s[0];\n        out[blockIdx.x] = x + s[0];\n    }"),
        "int x = value;\n        out[blockIdx.x] = x + value;",
    ),
    "32 warps": (_kernel(_TREE.replace("64", "512"), block=1024), "value = s[t % 32];"),
    "macro extent": ("#define BLOCK 128\n" + _kernel().replace("s[128]", "s[BLOCK]").replace("k = 64", "k = BLOCK / 2"), "s[BLOCK]"),
    "carriage returns": (_kernel().replace("\n", "\r\n"), "int value = in["),
}  # fmt: skip


@pytest.mark.parametrize("name", APPLIED)
def test_applied(name: str) -> None:
    before, expected = APPLIED[name]
    found = tried(before, ACTION)
    assert isinstance(found, Checked), found
    after = text_of(found, before)
    assert expected in after and "(proved equal)" in found.title and found.ran.equal >= 2
    assert "for (" not in after and after.count("\n") - after.count("\r\n") in (0, after.count("\n"))
    steps = next(cost for cost in found.costs if cost.metric == "steps")
    assert steps.becomes < steps.was


REFUSED = {
    "floats": (_kernel(type_="float"), "floating point: the order of additions changes"),
    "shorts": (_kernel(type_="short"), "have 2 bytes, which no shuffle moves"),
    "one warp": (_kernel(_TREE.replace("64", "16"), block=32), "not as many, in two warps or more"),
    "half of the block": (_kernel(_TREE.replace("64", "32")), "64 elements are added up by 128 threads"),
    "all threads read it": (_kernel().replace("if (t == 0) out[blockIdx.x] = s[0];", "__syncthreads();\n    out[blockIdx.x * 128 + t] = s[0];"), "is read by other threads than the first"),
    "threads that left": (_kernel().replace("    s[t] =", "    if (t >= n) return;\n    s[t] ="), "is not known before the kernel runs"),
    "stored by neighbours": (_kernel().replace("s[t] = in", "s[127 - t] = in"), "it is not known that each thread stores its own element of `s`"),
    "read before": (_kernel("__syncthreads();\n    out[t + 64] = s[127 - t];\n    " + _TREE), "nothing else is done with it"),
    "volatile": (_kernel().replace("__shared__ int", "volatile __shared__ int"), "volatile"),
    "unrolled": (_kernel("#pragma unroll\n    " + _TREE), "a pragma says how to unroll it"),
    "difference": (_kernel(_TREE.replace("s[t] +=", "s[t] -=")), "is not the sum, product, minimum"),
    "dynamic": (_kernel().replace("__shared__ int s[128]", "extern __shared__ int s[]"), ""),
    "annotation": (_kernel(_TREE.replace("{ __sync", "{\n//@ assert k > 0\n__sync")), "there is an annotation in the loop"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, why = REFUSED[name]
    found = tried(text, ACTION)
    if name == "dynamic":
        assert isinstance(found, Checked) and "extern __shared__ int s[];" in text_of(found, text)
        return
    assert isinstance(found, Refused), text_of(found, text)
    assert why in found.reason


def test_floats_if_asked_for() -> None:
    found = tried(_kernel(type_="float"), ACTION, choice=Choice(rounding=True))
    assert isinstance(found, Checked) and found.rewritten.reorders and "but for rounding" in found.title
