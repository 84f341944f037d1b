"""Kernels whose loops have no closed form: the amortised bound, found by linear programming alone, and the simulator beside
it on data that is meant to be bad."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.bounds.loop_values import NO_WRAP
from analysis_core.expressions import expression as ex
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.simulate.arguments import Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.run import simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.lp.kernels import bounds_of, shown

HEAD = "__global__ void k(float *a, const int *__restrict__ p, const int *__restrict__ q, int n, int m)"
KERNELS: dict[str, tuple[str, str]] = {
    "a counter that the outer loop never sets back": (
        """int j = 0;
        for (int i = 0; i < n; i++)
            while (j < m && p[j] < i) { a[j * 32 + threadIdx.x] = 1.0f; j++; }""",
        "5*m + n",
    ),
    "merging: progress in one of two variables": (
        """int i = 0, j = 0;
        while (i < n && j < m) {
            if (p[i] < q[j]) { a[(i + j) * 32 + threadIdx.x] = p[i]; i++; }
            else { a[(i + j) * 32 + threadIdx.x] = q[j]; j++; }
        }""",
        "7*m + 7*n",
    ),
    "a scan that skips": (
        """int i = 0;
        while (i < n) {
            int s = p[i];
            if (s > 0) { a[i * 32 + threadIdx.x] = 0; i += 2; } else i += 1;
        }""",
        "1 + n + 3*ceil(n/2)",
    ),
    "a stack: pops are paid by pushes": (
        """int top = 0;
        for (int i = 0; i < n; i++) {
            top++;
            while (top > 0 && p[top] > 3) { a[top * 32 + threadIdx.x] = 1; top--; }
        }""",
        "6*n",
    ),
    "a window of two pointers": (
        """int lo = 0;
        for (int hi = 0; hi < n; hi++) {
            while (lo < hi && p[lo] < 7) { a[lo * 32 + threadIdx.x] = 0; ++lo; }
            a[hi * 32 + threadIdx.x] = p[hi];
        }""",
        "11*n",
    ),
    "two inner loops share a budget": (
        """int left = m;
        for (int i = 0; i < n; i++) {
            for (int c = p[i] & 7; c > 0 && left > 0; c--) { a[left * 32 + threadIdx.x] = c; left--; }
            while (left > 4 && q[left] == i) { a[left * 32 + threadIdx.x] = 0; left--; }
        }""",
        "5*m + 5*n",
    ),
    "partition from both ends": (
        """int lo = 0, hi = n - 1;
        while (lo < hi) {
            while (lo < hi && p[lo] < 4) lo++;
            while (lo < hi && p[hi] >= 4) hi--;
            if (lo < hi) { a[lo * 32 + threadIdx.x] = p[hi]; lo++; hi--; }
        }""",
        "2 + 5*ceil(max(0, n - 1)/2) + 2*max(0, n - 1) - n - max(0, 2 - n)",
    ),
    "backwards by one or three": (
        """int i = n;
        while (i > 0) {
            a[i * 32 + threadIdx.x] = 1;
            if (p[i] & 1) i -= 3; else i--;
        }""",
        "5*n",
    ),
    "a reader behind a writer": (
        """int head = 0, tail = 0;
        while (head < n) {
            head++;
            while (tail < head && p[tail] != 5) { a[tail * 32 + threadIdx.x] = 2; tail++; }
        }""",
        "6*n",
    ),
    "a counter in binary": (
        """int digits = 0;
        for (int i = 0; i < n; i++) {
            while (digits > 0 && (p[i] & 1)) { a[digits * 32 + threadIdx.x] = 0; digits--; }
            a[digits * 32 + threadIdx.x] = 1;
            digits++;
        }""",
        "10*n",
    ),
    "a loop that either moves on or gives back, once": (
        """int spare = m;
        for (int i = 0; i < n; i++) {
            a[i * 32 + threadIdx.x] = 1;
            if (spare > 0 && p[i] > 4) { spare--; i--; }
        }""",
        "5*m + 5*n",
    ),
    "rows of different length, elements counted once": (
        """int e = 0;
        for (int row = 0; row < n; row++) {
            float sum = 0;
            while (e < m && q[e] == row) { sum += a[e * 32 + threadIdx.x]; e++; }
            a[(m + row) * 32 + threadIdx.x] = sum;
        }""",
        "5*m + 5*n",
    ),
}  # fmt: skip


def text_of(body: str) -> str:
    return f"{HEAD} {{\n{body}\n}}\n"


@pytest.mark.parametrize("name", KERNELS)
def test_loops_without_closed_form(name: str) -> None:
    body, wanted = KERNELS[name]
    bounds = bounds_of(text_of(body), block=(64, 1, 1))
    found = bounds.metrics["sectors"].per_warp
    assert found.upper is not None and found.method == "lp"
    assert ex.symbols(found.upper) <= {"n", "m"}
    assert shown(found.upper) == wanted
    assert any(a.text == NO_WRAP for a in bounds.assumptions)


@pytest.mark.parametrize("name", KERNELS)
def test_the_simulator_never_pays_more(name: str) -> None:
    """On random data and on data that rises, the counts lie between the ends; the worst of them comes near to the upper."""
    text = text_of(KERNELS[name][0])
    bounds = bounds_of(text, block=(64, 1, 1))
    settings = Settings()
    (kernel,) = lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings).kernels
    generator = np.random.default_rng(7)
    nearest = 0.0
    for n, m in ((0, 0), (0, 5), (1, 1), (7, 3), (12, 40), (40, 12), (33, 33), (64, 64)):
        for data in ("random", "rising", "zeros", "sevens"):
            arguments: dict[str, Argument] = {"n": n, "m": m, "a": ArrayArgument(np.zeros(8192, dtype=np.float32))}
            for array in ("p", "q"):
                contents = {
                    "random": generator.integers(0, 8, 256),
                    "rising": np.arange(256),
                    "zeros": np.zeros(256),
                    "sevens": np.full(256, 7),
                }[data]
                arguments[array] = ArrayArgument(contents.astype(np.int32))
            outcome = simulate(kernel, LaunchRequest((64, 1, 1), (2, 1, 1), arguments, rounds=100_000))
            assert all(fault.kind is not FaultKind.OUT_OF_BOUNDS for fault in outcome.faults)
            for metric, paid in outcome.warps.by_name().items():
                if metric not in bounds.metrics:
                    continue
                bound = bounds.metrics[metric].per_warp
                assert bound.upper is not None
                most, least = (ex.evaluate(e, {"n": n, "m": m}) for e in (bound.upper, bound.worst_lower))
                assert least <= paid.max() <= most, (metric, n, m, data)
                assert ex.evaluate(bound.min_lower, {"n": n, "m": m}) <= paid.min()
                if metric == "sectors" and n >= 33 and m >= 33:
                    nearest = max(nearest, paid.max() / most)
    assert nearest > 0.4
