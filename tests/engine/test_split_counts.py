"""How often each warp splits, by branch: the row of docs/hardware.md for a reduction with doubling stride, and what makes the
counts differ between warps, executions and trip counts."""

from __future__ import annotations

import pytest

from analysis_core.expressions.expression import constant
from analysis_core.expressions.expression_text import to_text
from analysis_core.interp.interpret import interpret
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import Launch
from analysis_core.requests.branch_facts import splits_by_warp
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.facts import BranchFact, Divergence
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings


def branches(text: str, block: tuple[int, int, int]) -> dict[str, BranchFact]:
    """The branches of the one kernel by the text of their conditions."""
    settings = Settings(kernel_seconds=60.0)
    kernel = lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings).kernels[0]
    launch = Launch(block, (None, None, None), "option", None, ())
    facts = evaluate(kernel, launch, interpret(kernel, launch, settings)).facts
    return {text[b.span.start : b.span.end]: b for b in facts.branches}


def body(statements: str, block: tuple[int, int, int] = (256, 1, 1)) -> dict[str, BranchFact]:
    head = "__global__ void k(int *a, const int *in, int n, int w) { int t = threadIdx.x, y = threadIdx.y;\n"
    return branches(head + statements + "}", block)


def test_a_reduction_with_doubling_stride() -> None:
    found = body("""
        __shared__ int s[256];
        int i = blockIdx.x * blockDim.x + t;
        s[t] = i < n ? in[i] : 0;
        __syncthreads();
        for (int k = 1; k < blockDim.x; k *= 2) {
            if (t % (2 * k) == 0) s[t] += s[t + k];
            __syncthreads();
        }
        if (t == 0) a[blockIdx.x] = s[0];
    """)
    total = [(0, 0)] * 8
    for fact in found.values():
        rows = [(constant(low), constant(high)) for low, high in splits_by_warp(fact)] or [(0, 0)] * 8
        total = [(low + a, high + b) for (low, high), (a, b) in zip(total, rows, strict=True)]
    assert total == [(n, n) for n in (9, 5, 6, 5, 7, 5, 6, 5)]
    assert constant(found["t % (2 * k) == 0"].splits.upper) == 8
    assert found["t % (2 * k) == 0"].splits.active == (1, 31)


CASES = [
    # statement, condition, block, class, active, least and most splits of the most expensive warp
    ("if (t < 16) a[t] = 1;", "t < 16", (64, 1, 1), "always", (16, 16), "1", "1"),
    ("if (t < 64) a[t] = 1;", "t < 64", (256, 1, 1), "never", (32, 32), "0", "0"),
    ("if (t == 0) a[t] = 1;", "t == 0", (256, 1, 1), "always", (1, 31), "1", "1"),
    ("if (t % 32 == w) a[t] = 1;", "t % 32 == w", (256, 1, 1), "possible", (1, 31), "0", "1"),
    ("if (t & 1) a[t] = 1;", "t & 1", (256, 1, 1), "always", (16, 16), "1", "1"),
    ("if (in[t]) a[t] = 1;", "in[t]", (256, 1, 1), "possible", (1, 31), "0", "1"),
    ("if (in[t / 32]) a[t] = 1;", "in[t / 32]", (256, 1, 1), "never", (32, 32), "0", "0"),
    ("if (__any_sync(~0u, in[t])) a[t] = 1;", "__any_sync(~0u, in[t])", (256, 1, 1), "never", (32, 32), "0", "0"),
    ("if (__ballot_sync(~0u, in[t]) > 5) a[t] = 1;", "__ballot_sync(~0u, in[t]) > 5", (64, 1, 1), "never", (32, 32), "0", "0"),
    ("if (__shfl_sync(~0u, in[t], 3)) a[t] = 1;", "__shfl_sync(~0u, in[t], 3)", (64, 1, 1), "never", (32, 32), "0", "0"),
    # Cuts at the edge of the grid.
    ("if (blockIdx.x * 256 + t < n) a[t] = 1;", "blockIdx.x * 256 + t < n", (256, 1, 1), "boundary", (1, 31), "0", "1"),
    ("if (blockIdx.x * 16 + t < w) a[t] = 1;", "blockIdx.x * 16 + t < w", (16, 16, 1), "boundary", (2, 30), "0", "1"),
    ("if (blockIdx.y * 8 + y == 0) a[t] = 1;", "blockIdx.y * 8 + y == 0", (8, 8, 1), "boundary", (8, 24), "0", "1"),
    ("if (y == 0 && blockIdx.y == 0) a[t] = 1;", "y == 0 && blockIdx.y == 0", (8, 8, 1), "boundary", (8, 24), "0", "1"),
    (
        "int x = blockIdx.x * 16 + t; if (x > 0 && x < w - 1) a[t] = 1;", "x > 0 && x < w - 1", (16, 16, 1),
        "boundary", (2, 30), "0", "1",
    ),
    ("if (t == 0 && blockIdx.x == gridDim.x - 1) a[t] = 1;", "t == 0 && blockIdx.x == gridDim.x - 1", (64, 1, 1), "boundary", (1, 31), "0", "1"),
    ("if (t < w) a[t] = 1;", "t < w", (256, 1, 1), "boundary", (1, 31), "0", "1"),
    # Not an edge: a size that may cut all warps, every block below a number, a parameter.
    ("if (t < w) a[t] = 1;", "t < w", (16, 16, 1), "possible", (2, 30), "0", "1"),
    ("if (y == 0 && blockIdx.y < n) a[t] = 1;", "y == 0 && blockIdx.y < n", (8, 8, 1), "possible", (8, 24), "0", "1"),
    ("if (t < 16 && w) a[t] = 1;", "t < 16 && w", (64, 1, 1), "possible", (16, 16), "0", "1"),
    # Under a mask.
    ("if (blockIdx.x * 64 + t >= n) return; if (t & 1) a[t] = 1;", "t & 1", (64, 1, 1), "always", (1, 16), "0", "1"),
    ("if (t >= 40) return; if (t & 1) a[t] = 1;", "t & 1", (64, 1, 1), "always", (4, 16), "1", "1"),
    ("if (in[t]) if (t & 1) a[t] = 1;", "t & 1", (64, 1, 1), "possible", (1, 16), "0", "1"),
    ("if (n > 5) if (t & 1) a[t] = 1;", "t & 1", (64, 1, 1), "always", (16, 16), "0", "1"),
    ("if (t < w) if (t >= w) a[t] = 1;", "t >= w", (64, 1, 1), "never", (32, 32), "0", "0"),
    ("if (t < w) if (t < w + 1) a[t] = 1;", "t < w + 1", (64, 1, 1), "never", (32, 32), "0", "0"),
    ("if (t < w) if (t < w - 1) a[t] = 1;", "t < w - 1", (64, 1, 1), "boundary", (1, 31), "0", "1"),
    # Switches: targets less one.
    ("switch (t % 4) { case 0: a[0] = 1; break; case 1: a[1] = 1; break; case 2: a[2] = 1; }", "t % 4", (64, 1, 1), "always", (8, 8), "3", "3"),
    ("switch (in[t]) { case 0: a[0] = 1; break; case 1: a[1] = 1; break; default: a[2] = 1; }", "in[t]", (64, 1, 1), "possible", (1, 31), "0", "2"),
    # No splits, whatever the class.
    ("a[t] = t & 1 ? in[t] : 0;", "t & 1", (64, 1, 1), "always", (16, 16), "0", "0"),
    # Loops.
    ("for (int i = t; i < n; i += 256) a[i] = 1;", "i < n", (256, 1, 1), "boundary", (1, 31), "0", "1"),
    ("for (int i = 0; i <= t; i++) a[i] = 1;", "i <= t", (64, 1, 1), "always", (1, 31), "31", "31"),
    ("for (int i = t; i < n; i++) a[i] = 1;", "i < n", (64, 1, 1), "possible", (1, 31), "0", "min(31, n)"),
    ("for (int i = 0; i < n; i++) for (int j = t; j < w; j += 64) a[j] = 1;", "j < w", (64, 1, 1), "boundary", (1, 31), "0", "n"),
    ("for (int i = 0; i < n; i++) if (t & 1) a[i] = 1;", "t & 1", (64, 1, 1), "always", (16, 16), "0", "n"),
    ("for (int i = 0; i < n; i++) { if (in[t + i]) break; if (t & 1) a[i] = 1; }", "t & 1", (64, 1, 1), "possible", (1, 16), "0", "n"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[f"{c[0]} {c[2]}" for c in CASES])
def test_class_threads_and_splits(case: tuple[str, str, tuple[int, int, int], str, tuple[int, int], str, str]) -> None:
    statements, condition, block, divergence, active, lower, upper = case
    fact = body(statements, block)[condition]
    assert fact.divergence is Divergence(divergence)
    assert fact.splits.active == active
    assert (to_text(fact.splits.lower), to_text(fact.splits.upper)) == (lower, upper)


def test_active_threads_are_those_of_all_warps() -> None:
    """Warps that split in different proportions."""
    fact = body("if (t == 3 || t > 40) a[t] = 1;", (64, 1, 1))["t == 3 || t > 40"]
    assert fact.splits.active == (1, 31)
    assert [(constant(low), constant(high)) for low, high in splits_by_warp(fact)] == [(1, 1), (1, 1)]
