"""Threads that each do a task of their own are given several: by a grid-stride loop, in turns (tile-inter), or in chunks (tile-intra)."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.actions.grid_stride import ACTION as STRIDE
from analysis_core.rewrite.actions.tile_inter import ACTION as INTER
from analysis_core.rewrite.actions.tile_intra import ACTION as INTRA
from analysis_core.rewrite.checks import Checked
from analysis_core.rewrite.core.action import Action, Choice, Refused
from tests.rewrite.harness import text_of, tried

INDEX = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"


def kernel(
    body: str,
    launch: str = "//@ launch block=64 grid=(ceil(n/64))\n",
    parameters: str = "float *a, const float *w, int n",
) -> str:
    return f"{launch}__global__ void k({parameters}) {{\n{body}}}\n"


SCALED = kernel(INDEX + "    if (i < n) a[i] = 2.0f * w[i]; // twice\n")
RETURNS = kernel(
    "    float f = w[0];\n"
    + INDEX
    + "    float v = 1.0f; // own\n    if (i >= n) return;\n    // from here on\n    v += w[i];\n    if (v > 5.0f) return;\n    a[i] = v * f;\n"
)
HOST = (
    "__global__ void k(float *a, int n) {\n" + INDEX + "    if (i < n) a[i] += 1;\n}\n"
    "void f(float *a, int m) {\n    dim3 g((m + 127) / 128);\n    k<<<g, 128>>>(a, m);\n    k<<<8, 128>>>(a, 1000);\n}\n"
)
WHOLE = kernel(
    "    int i = blockIdx.x * 64 + threadIdx.x;\n    a[i] = 3;\n    a[i + 512] = w[i];\n",
    "//@ launch block=64 grid=8\n",
)

APPLIED: dict[str, tuple[Action, str, int | None, tuple[str, ...]]] = {
    "stride": (STRIDE, SCALED, None, ("    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = 2.0f * w[i]; // twice\n", "grid=(ceil(n/64))")),
    "stride, with so many threads": (STRIDE, SCALED, 128, ("i += gridDim.x * blockDim.x", "grid=(2)")),
    "stride, a return before": (
        STRIDE,
        RETURNS,
        None,
        ("    float f = w[0];\n    // own\n    for", "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {\n        float v = 1.0f;\n        // from here on\n        v += w[i];\n        if (v > 5.0f) continue;\n        a[i] = v * f;\n    }\n}\n"),
    ),
    "stride, host": (STRIDE, HOST, None, ("i < n; i += gridDim.x * blockDim.x) a[i] += 1;", "k<<<g, 128>>>(a, m)")),
    "stride, const and places by name": (
        STRIDE,
        kernel("    const int x = threadIdx.x, b = blockIdx.x;\n    const int i = b * blockDim.x + x;\n    if (n > i) {\n        a[i] = 1;\n    }\n"),
        None,
        ("    const int x = threadIdx.x, b = blockIdx.x;\n    for (int i = b * blockDim.x + x; i < n; i += gridDim.x * blockDim.x) {\n        a[i] = 1;\n    }\n",),
    ),
    "stride, a sum by atomics": (STRIDE, kernel(INDEX + "    if (i < n) atomicAdd(&c[w[i] & 7], 1);\n", parameters="int *c, const int *w, int n"), None, ("i += gridDim.x * blockDim.x) atomicAdd",)),
    "turns": (INTER, SCALED, 128, ("i < n; i += 128) a[i] = 2.0f * w[i];", "grid=(2)")),
    "turns, host": (INTER, HOST, 256, ("i < n; i += 256)", "k<<<2, 128>>>(a, m);\n    k<<<2, 128>>>(a, 1000);")),
    "turns, no guard": (INTER, WHOLE, 128, ("    for (int i = blockIdx.x * 64 + threadIdx.x; i < 512; i += 128) {\n        a[i] = 3;\n        a[i + 512] = w[i];\n    }\n", "grid=2")),
    "turns, too few threads": (INTER, kernel(INDEX + "    if (i < n) a[i] = 1;\n", "//@ launch block=64 grid=8\n"), 128, ("i < n && i < 512; i += 128", "grid=2")),
    "turns, a return before": (INTER, RETURNS, 64, ("i < n; i += 64) {\n        float v = 1.0f;\n", "grid=(1)")),
    "turns, what is ensured": (
        INTER,
        kernel(INDEX + "    if (i < n) a[i] = 1;\n", "//@ launch block=64 grid=(ceil(n/64))\n//@ ensures i >= n || a[i] == 1\n", parameters="int *a, int n"),
        128,
        ("    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 128) {\n        a[i] = 1;\n        //@ assert i >= n || a[i] == 1\n    }\n",),
    ),
    "chunks": (
        INTRA,
        SCALED,
        4,
        ("    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;\n    for (int i = first; i < first + 4 && i < n; i++) a[i] = 2.0f * w[i];", "grid=(ceil(n/256))"),
    ),
    "chunks, host": (INTRA, HOST, 2, ("* 2;\n", "k<<<(g.x + 1) / 2, 128>>>(a, m);\n    k<<<4, 128>>>(a, 1000);")),
    "chunks, no guard": (INTRA, WHOLE, 2, ("    for (int i = first; i < first + 2; i++) {\n        a[i] = 3;\n", "grid=4")),
    "chunks, what is declared of a task": (
        INTRA,
        kernel(INDEX + "    int v = w[i]; // own\n    a[i] = v;\n", "//@ launch block=64 grid=8\n"),
        2,
        ("i < first + 2; i++) {\n        int v = w[i]; // own\n        a[i] = v;\n    }\n",),
    ),
    "chunks, one block is left over": (INTRA, WHOLE, 3, ("i < first + 3 && i < 512; i++", "grid=3")),
    "chunks, fewer threads than elements": (INTRA, kernel(INDEX + "    if (i <= n) a[i] = 1;\n", "//@ launch block=64 grid=8\n"), 4, ("i < first + 4 && i <= n; i++", "grid=2")),
    "chunks, two launches": (INTRA, kernel(INDEX + "    if (i < n) a[i] = 1;\n", "//@ launch block=64 grid=(ceil(n/64))\n//@ launch block=64 grid=((n + 63) / 64)\n"), 8, ("grid=(ceil(n/512))", "grid=(ceil_div((n + 63) / 64, 8))")),
    "chunks, a return before": (INTRA, RETURNS, 2, ("        if (v > 5.0f) continue;\n",)),
}  # fmt: skip

SHARED = "__global__ void k(float *a, int n) {\n    __shared__ float s[256];\n    int i = blockIdx.x * 256 + threadIdx.x;\n    s[threadIdx.x] = a[i];\n    __syncthreads();\n    a[i] = s[255 - threadIdx.x];\n}\n"
UNKNOWN = "__global__ void k(float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = 2.0f * a[i]; }\nvoid host(float *a, int blocks, int threads) { k<<<blocks, threads>>>(a); }\n"
TOGETHER = "barrier and shared memory: the threads of a block work together"
TOTAL = "the total number of threads is not known"

REFUSED: dict[str, tuple[Action, str, int | None, str, str]] = {
    **{f"together {a.name}": (a, SHARED, 128, TOGETHER, "") for a in (STRIDE, INTER, INTRA)},
    "a total that is not known": (INTER, UNKNOWN, 128, TOTAL, "//@ launch block=256 grid=4"),
    "a launch that is not stated": (INTRA, kernel(INDEX + "    if (i < n) a[i] = 1;\n", ""), 4, TOTAL, "//@ launch block=256 grid=(ceil(n/256))"),
    "a warp": (STRIDE, kernel(INDEX + "    float v = __shfl_xor_sync(~0u, w[i], 1);\n    if (i < n) a[i] = v;\n"), None, "the threads of a warp work together (line 4)", ""),
    "a queue": (STRIDE, kernel(INDEX + "    if (i < n) a[i] = atomicAdd(c, 1);\n", parameters="int *a, int *c, int n"), None, "what an atomic update finds depends on the order of threads (line 4)", ""),
    "a wait": (INTER, kernel(INDEX + "    if (i < n) while (*f == 0) a[i]++;\n", parameters="int *a, volatile int *f, int n"), 128, "threads may wait for each other at a volatile access (line 4)", ""),
    "a race": (STRIDE, kernel(INDEX + "    if (i < n) a[i / 2] = w[i];\n"), None, "threads may come to the same cell, so that their order matters", ""),
    "neighbours": (INTER, kernel(INDEX + "    if (i < n) a[i] = a[i + 1];\n"), 128, "threads may come to the same cell, so that their order matters", ""),
    "fewer threads": (STRIDE, kernel(INDEX + "    if (i < n) a[i] = 1;\n", "//@ launch block=64 grid=8\n"), None, "the launch has 512 threads, which may be less than the guard lets through", ""),
    "no guard": (STRIDE, WHOLE, None, "no guard says which `i` there are, but the launch", ""),
    "another use of the place": (INTRA, kernel(INDEX + "    if (i < n) a[i] = threadIdx.x;\n"), 4, "the thread's place is asked for beside `i` (line 4)", ""),
    "another number": (INTRA, kernel("    int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;\n    if (i < n) a[i] = 1;\n"), 4, "no variable is the number of the thread in the grid (`blockIdx.x * blockDim.x + threadIdx.x`)", ""),
    "it changes": (INTER, kernel(INDEX + "    if (i < n) { a[i] = 1; i++; }\n"), 128, "no variable is the number of the thread in the grid (`blockIdx.x * blockDim.x + threadIdx.x`)", ""),
    "a return in a loop": (INTER, kernel(INDEX + "    if (i < n) for (int k = 0; k < 4; k++) { if (w[k] > 2) return; a[i] += 1; }\n"), 128, "`return` in a loop of the task would not end the task alone", ""),
    "no blocks of it": (INTER, SCALED, 100, "100 threads are no number of blocks of 64", ""),
    "no fewer": (INTER, WHOLE, 1024, "it is launched with 512 threads, no more than the 1024 that were asked for", ""),
    "no fewer, of a guard": (INTER, kernel(INDEX + "    if (i < 500) a[i] = 1;\n", "//@ launch block=64 grid=8\n"), 1024, "it is launched with 512 threads, no more than the 1024 that were asked for", ""),
    "a parameter that moves": (STRIDE, kernel(INDEX + "    if (i >= n) return;\n    a += 3;\n    a[i] = 1;\n"), None, "`a` changes in a task, and the next one of the thread would find it so", ""),
    "a parameter that changes": (INTER, kernel(INDEX + "    if (i < n) { s *= 2; a[i] = s; }\n", parameters="int *a, int s, int n"), 128, "`s` changes in a task, and the next one of the thread would find it so", ""),
    "an end that is rounded": (STRIDE, kernel(INDEX + "    if (i < n) a[i] = 1;\n", parameters="int *a, float n"), None, "it is not known that there is a thread for each `i` below `n`", "//@ launch block=256 grid=(ceil(n/256))"),
    "one": (INTRA, SCALED, 1, "a chunk has 2 to 1024 elements", ""),
    "a grid that is spoken of": (INTER, kernel(INDEX + "    if (i < n) a[i] = 1;\n", "//@ launch block=64 grid=(ceil(n/64))\n//@ assume gridDim.x >= 2\n"), 128, "what is assumed of the kernel speaks of its grid, which changes", ""),
    "planes": (STRIDE, kernel(INDEX + "    if (i < n) a[i] = 1;\n", "//@ launch block=(8, 8) grid=(ceil(n/64))\n"), None, "threads may come to the same cell, so that their order matters", ""),
    "too few blocks of the host": (STRIDE, HOST.replace("m + 127", "m + 126"), None, "it is not known that there is a thread for each `i` below `n`", "//@ launch block=256 grid=(ceil(n/256))"),
    "what was there before": (
        INTRA,
        kernel(INDEX + "    if (i < n) a[i] += 1;\n", "//@ launch block=64 grid=(ceil(n/64))\n//@ ensures i >= n || a[i] == \\old(a[i]) + 1\n", parameters="int *a, int n"),
        4,
        "what is ensured of a task speaks of what was there before the kernel (line 2)",
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", APPLIED)
def test_it_is_done(name: str) -> None:
    action, text, factor, expected = APPLIED[name]
    found = tried(text, action, None, Choice(factor))
    assert isinstance(found, Checked), found
    after = text_of(found, text)
    assert all(part in after for part in expected), after
    assert found.ran.equal
    assert "proved equal" in found.title


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    action, text, factor, reason, annotation = REFUSED[name]
    assert tried(text, action, None, Choice(factor)) == Refused(reason, annotation)
