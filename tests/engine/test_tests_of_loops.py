"""What the test of a loop loads is loaded by the lanes that have not left before: any of them, also where a round's own test tells who goes on.

for (j = row[i]; j < row[i + 1]; j++)      32 lanes take 5 sectors where 4 would do, lanes 0, 8, 16 and 24 of them 4 where 1 would
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.expressions.expression import evaluate, symbols
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.engine.test_block_sorts import kernel_of, run

HEAD = "//@ launch block=(64) grid=(1)\n__global__ void k(int *out, const int *end) {"
KERNELS = {
    "one test": "int s = 0; for (int j = 0; j < end[threadIdx.x + 1]; j++) s++; out[threadIdx.x] = s;",
    "two tests": "int s = 0; for (int j = 0; j < 99 && j < end[threadIdx.x + 1]; j++) s++; out[threadIdx.x] = s;",
    "while": "int j = 0; while (j < end[threadIdx.x + 1]) j += 2; out[threadIdx.x] = j;",
    "in shared memory": "__shared__ double ends[65]; ends[threadIdx.x] = end[threadIdx.x]; __syncthreads();"
    " int j = 0; while (j < ends[threadIdx.x]) j++; out[threadIdx.x] = j;",
}  # fmt: skip


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("last", [1, 8, 4])
def test_bounds_of_what_is_in_excess(name: str, last: int) -> None:
    text = f"{HEAD} {KERNELS[name]} }}"
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    bounds = report.kernels[0].launches[0].facts.bounds
    assert bounds is not None
    lengths = np.where(np.arange(65) % last == 1 % last, 20, 1).astype(np.int32)
    counted = run(kernel_of(text), 64, 1, {"out": np.zeros(64, np.int32), "end": lengths}).warps.by_name()
    for metric in ("sectors", "excessive_sectors", "wavefronts", "conflicts", "divergences"):
        upper = bounds.metrics[metric].per_warp.upper
        assert upper is not None
        assert counted[metric].max() <= evaluate(upper, dict.fromkeys(symbols(upper), 20)), metric
