"""Loops whose lanes take neighbouring runs of elements: each leaves at the end of its run, or where the elements end."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.expressions import expression as ex
from tests.lp.kernels import bounds_of
from tests.simulate.running import kernel_of, run

LOOPS = [
    ("for (int i = t * c; i < min(t * c + c, n); i++) a[i] = 1;", 2),
    ("int last = min((t + 1) * c, n); for (int i = t * c; i < last; ++i) a[i] = 1;", 2),
    ("int last = t * c + c; if (last > n) last = n; for (int i = t * c; i < last; i++) a[i] = 1;", 3),
    ("for (int i = t * c; i < t * c + c && i < n; i++) a[i] = 1;", 2),
    ("for (int i = t * c; i < min(t * c + 2 * c, n); i++) a[i] = 1;", 3),
    ("for (int i = 2 * t * c; i < min(2 * t * c + 2 * c, n); i++) a[i] = 1;", 2),
    ("for (int i = 4 * t * c; i < min(4 * t * c + c, n); i++) a[i] = 1;", 2),
    ("for (int i = t * c; i < max(t * c + c, n); i++) a[i] = 1;", 31),
    ("for (int i = t; i < min(t + c, n); i++) a[i] = 1;", 31),
]


@pytest.mark.parametrize(("loop", "splits"), LOOPS)
def test_runs_side_by_side(loop: str, splits: int) -> None:
    """No launch splits a warp more often, and one does so as often where runs do not overlap."""
    text = f"__global__ void k(float *a, int c, int n) {{ int t = blockIdx.x * blockDim.x + threadIdx.x; {loop} }}"
    upper = bounds_of(text).metrics["divergences"].per_warp.upper
    assert upper is not None
    kernel, seen = kernel_of(text), 0
    for c in (0, 1, 2, 5, 13):
        for n in (0, 1, 30, 31, 32, 33, 63, 64, 65, 200, 330, 331):
            most = int(run(kernel, 256, 2, {"a": np.zeros(40000, np.float32), "c": c, "n": n}).warps.divergences.max())
            assert most <= ex.evaluate(upper, {"c": c, "n": n, "gridDim.x": 2})
            seen = max(seen, most)
    most = ex.evaluate(upper, {"c": 1 << 20, "n": 1 << 20, "gridDim.x": 2})
    assert most == splits
    assert splits == 31 or seen == splits
