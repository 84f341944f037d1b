"""Elements that are moved as vectors: alignment and the rest are dealt with, launches are edited with their kernel."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.vectorise import ACTION
from analysis_core.rewrite.checks import NO_CHOICE, Checked
from analysis_core.rewrite.core.action import Choice, Refused
from tests.rewrite.harness import sites_of, text_of, tried, unit_of

_INDEX = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"


def _kernel(work: str, parameters: str = "float *out, const float *in", launch: str = "block=64 grid=8") -> str:
    return f"//@ launch {launch}\n__global__ void k({parameters}) {{\n{_INDEX}{work}}}\n"


_COVERED = "block=64 grid=ceil(n/64)"
_SIZED = "float *out, const float *in, int n"
_HOST = """void host(float *o, float *a, int n) {
    dim3 block(64);
    dim3 grid((n + block.x - 1) / block.x);
    k<<<grid, block>>>(o, a, n);
    int blocks = (n + 63) / 64;
    k<<<blocks, 64>>>(o, a, n);
}
"""

APPLIED = {
    "one assignment": (_kernel("    out[i] = in[i] * 2.0f;\n"), "make_float4(in4.x * 2.0f"),
    "in place, a value of the number": (
        _kernel("    a[i] += (float)i;  // its number\n", "float *a"),
        "a4.y += (float)(4 * i + 1);",
    ),
    "locals": (
        _kernel("    float x = in[i];\n    x = x * x + 1.0f;\n    out[i] = x;\n"),
        "float x = in4.w;",
    ),
    "guard and rest": (_kernel("    if (i < n) out[i] = in[i] - 1.0f;\n", _SIZED, _COVERED), "grid=ceil(n/256)"),
    "a known multiple has no rest": (
        "//@ assume n % 8 == 0\n" + _kernel("    if (i < n) out[i] = in[i] - 1.0f;\n", _SIZED, _COVERED),
        "if (i < n / 4) {",
    ),
    "early return": (
        _kernel(
            "    if (i >= n) return;\n    float v = in[i];\n    out[i] = v + w[0];\n",
            "float *out, const float *in, const float *w, int n",
            _COVERED,
        ),
        "} else if (i == n / 4) {",
    ),
    "bytes and shorts": (
        _kernel("    out[i] = in[i] ^ (unsigned char)i;\n", "unsigned char *out, const short *in"),
        "((uchar4 *)out)[i] = make_uchar4(",
    ),
    "doubles": (_kernel("    out[i] = in[i] + in[i];\n", "double *out, const double *in"), "make_double2("),
    "host": (
        _kernel("    if (i < n) { out[i] = in[i]; }\n", _SIZED).split("\n", 1)[1] + _HOST,
        "k<<<dim3((grid.x + 3) / 4), block>>>(o, a, n);\n    int blocks = (n + 63) / 64;\n    k<<<(blocks + 3) / 4, 64>>>(o, a, n);",
    ),
    "macros": (
        "#define BLOCK 64\n"
        + _kernel("    if (i < n) { out[i] = in[i]; }\n", _SIZED).split("\n", 1)[1]
        + "void host(float *o, float *a, int n) { k<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(o, a, n); }\n",
        "k<<<((n + BLOCK - 1) / BLOCK + 3) / 4, BLOCK>>>(o, a, n);",
    ),
    "constant launch": (
        _kernel("    out[i] = in[i];\n").split("\n", 1)[1] + "void host(float *o, float *a) { k<<<16, 64>>>(o, a); }\n",
        "k<<<4, 64>>>(o, a);",
    ),
    "comments and braces": (
        _kernel(
            "    if (i < n) { // opening\n        float x = in[i]; /* value */\n        out[i] = x; // last\n    } // closed\n",
            _SIZED,
            _COVERED,
        ),
        "    // opening\n    // last\n    if (i < n / 4) {\n        float4 in4 = ((const float4 *)in)[i];\n        float4 out4;\n        {\n            float x = in4.x; /* value */\n            out4.x = x;\n        }\n",
    ),
    "a comment in the value": (_kernel("    out[i] = in[i] /* twice */ * 2.0f;\n"), "    /* twice */\n    float4 in4"),
    "carriage returns": (_kernel("    float x = in[i];\n    out[i] = x;\n").replace("\n", "\r\n"), "out4.x = x;"),
}


@pytest.mark.parametrize("name", APPLIED)
def test_applied(name: str) -> None:
    before, expected = APPLIED[name]
    found = tried(before, ACTION)
    assert isinstance(found, Checked), found
    after = text_of(found, before)
    assert expected in after and "(proved equal)" in found.title and found.ran.equal >= 3
    assert ("else" in after) == (name in ("guard and rest", "early return", "host", "macros", "comments and braces"))
    assert ("\r" in before) <= (after.count("\n") == after.count("\r\n"))
    assert before.count("//") == after.count("//")


REFUSED = {
    "not aligned": (_kernel("    out[i] = in[i + 1];\n"), "byte 4 past an aligned address"),
    "not aligned, sized": (
        _kernel("    if (i < n) out[i] = in[i + 1];\n", _SIZED, _COVERED),
        "byte 4 past an aligned address; n % 4 is not known",
    ),
    "offset at the launch": (
        _kernel("    out[i] = in[i];\n").split("\n", 1)[1] + "void host(float *o, float *a) { k<<<16, 64>>>(o, a + 1); }\n",
        "is not known to begin at a multiple of 16 bytes",
    ),
    "in place by two names": (
        _kernel("    out[i] = in[i];\n    out[i] += in[i];\n").split("\n", 1)[1] + "void host(float *a) { k<<<16, 64>>>(a, a); }\n",
        "are the same array",
    ),
    "blocks": (_kernel("    out[i] = in[i];\n", launch="block=64 grid=6"), "6 blocks are no multiple of 4"),
    "no launch": (_kernel("    out[i] = in[i];\n").split("\n", 1)[1], "the block of `k` is not known | //@ launch block=256"),
    "blocks that may not reach all": (
        _kernel("    if (i < n) out[i] = in[i];\n", _SIZED).split("\n", 1)[1] + _HOST.replace("(n + 63) / 64", "n / 64"),
        "it is not known whether the blocks of the launch in line 10 reach all elements",
    ),
    "another array's size": (
        _kernel("    if (i < n) out[i] = in[i];\n", _SIZED).split("\n", 1)[1]
        + _HOST.replace("int n)", "int n, int m)").replace("(n + 63)", "(m + 63)"),
        "reach all elements",
    ),
    "used otherwise": (
        _kernel("    out[i] = in[i];\n") + "void host(void **a) { cudaLaunchKernel((const void *)k, 8, 64, a, 0, 0); }\n",
        "`k` is used otherwise in line 6",
    ),
    "an address": (_kernel("    out[i] = __ldg(&in[i]);\n"), "`in` is used otherwise in line 4"),
    "a condition": (_kernel("    if (in[i] > 0.0f) out[i] = in[i];\n"), "is not a test of the element's number against a size"),
    "a chosen load": (_kernel("    out[i] = i > 5 ? in[i] : 0.0f;\n"), "is not accessed by all threads"),
    "carried": (_kernel("    acc += in[i];\n    out[i] = acc;\n").replace("    int i =", "    float acc = 1.0f;\n    int i ="), "`acc` is carried from one element to the next"),
    "two stated blocks": ("//@ launch block=128 grid=8\n" + _kernel("    out[i] = in[i];\n"), "its blocks differ"),
    "gather": (_kernel("    out[i] = in[idx[i]];\n", "float *out, const float *in, const int *idx"), "does not follow the thread's number"),
    "neighbours work together": (_kernel("    out[i] = in[i];\n    __syncthreads();\n"), "its threads work together"),
    "volatile": (_kernel("    out[i] = in[i];\n", "volatile float *out, const float *in"), "volatile"),
    "bool": (_kernel("    out[i] = in[i];\n", "bool *out, const bool *in"), "there are no vectors"),
    "annotation": (_kernel("    //@ assert i >= 0\n    out[i] = in[i];\n"), "there is an annotation in the kernel"),
    "macro": ("#define AT(p) p[i]\n" + _kernel("    AT(out) = in[i];\n"), "the macro `AT` makes part of it"),
    "directive": (_kernel("    out[i] = in[i];\n#if 0\n    out[i] = 0;\n#endif\n    out[i] += 1.0f;\n"), "directives"),
    "a launch that a macro makes": (
        "#define RUN(k, o, a) k<<<16, 64>>>(o, a)\n" + _kernel("    out[i] = in[i];\n") + "void host(float *o, float *a) { RUN(k, o, a); }\n",
        "a launch cannot be edited",
    ),
    "two rows": (_kernel("    out[i] = in[i];\n", launch="block=(64, 2) grid=8"), "not one row of threads"),
    "gaps": (_kernel("    out[i] = in[i];\n").replace("blockDim.x", "128"), "begin 128 elements apart"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, why = REFUSED[name]
    found = tried(text, ACTION)
    assert isinstance(found, Refused), text_of(found, text)
    assert why in " | ".join(filter(None, (found.reason, found.annotation)))


def test_factor() -> None:
    text = _kernel("    out[i] = in[i];\n")
    found = tried(text, ACTION, choice=Choice(2))
    assert isinstance(found, Checked) and "block=64 grid=4" in text_of(found, text)
    wide = tried(_kernel("    out[i] = in[i];\n", "double *out, const double *in"), ACTION, choice=Choice(4))
    assert isinstance(wide, Refused) and "32 bytes, of which a request moves 16" in wide.reason
    assert isinstance(tried(text, ACTION, choice=Choice(3)), Refused)
    assert isinstance(tried(text, ACTION, choice=NO_CHOICE), Checked)


def test_no_site_where_threads_use_their_place() -> None:
    unit = unit_of(_kernel("    out[i] = in[i] + threadIdx.x;\n"))
    assert not sites_of(unit, ACTION)
