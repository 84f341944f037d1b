"""Reductions and scans of CUB by shared memory: they give what they should, and pay no more than their bounds."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.expressions.expression import constant
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.simulate.running import kernel_of, run

REDUCED = "Rooms(room).Sum(in[threadIdx.x])"
CASES = {
    "BlockReduce<T, 256, cub::BLOCK_REDUCE_RAKING>": (256, REDUCED),
    "BlockReduce<T, 100, cub::BLOCK_REDUCE_RAKING>": (100, REDUCED),
    "BlockReduce<T, 24, cub::BLOCK_REDUCE_RAKING>": (24, REDUCED),
    "BlockReduce<T, 96, cub::BLOCK_REDUCE_RAKING> of 90": (96, "Rooms(room).Sum(in[threadIdx.x], 90)"),
    "BlockReduce<T, 160, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>": (160, REDUCED),
    "BlockReduce<T, 100, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>": (100, REDUCED),
    "BlockReduce<T, 24>": (24, REDUCED),
    "WarpReduce<T, 24>": (24, REDUCED),
    "WarpReduce<T, 7>": (7, REDUCED),
}
SCANS = {"WarpScan<T, 24>": 24, "WarpScan<T, 5>": 5, "BlockScan<T, 100>": 100, "BlockScan<T, 60>": 60}


def kernel(room: str, threads: int, body: str, type: str) -> str:
    return (
        f"#include <cub/cub.cuh>\ntypedef {type} T;\n//@ launch block=({threads}) grid=(1)\n"
        f"__global__ void k(T *out, const T *in) {{ typedef cub::{room} Rooms; __shared__ typename Rooms::TempStorage room; {body} }}"
    )


def results(text: str, threads: int, type: str) -> np.ndarray:
    """What a run stores, after each warp's costs were held against their bounds."""
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    bounds = report.kernels[0].launches[0].facts.bounds
    assert bounds is not None
    kind = {"int": np.int32, "double": np.float64}[type]
    arrays = {"out": np.zeros(256, kind), "in": np.arange(256).astype(kind) % 7 - 2}
    outcome = run(kernel_of(text), threads, 1, arrays)
    assert not outcome.faults
    counted = outcome.warps.by_name()
    for metric in ("sectors", "conflicts", "divergences"):
        upper = bounds.metrics[metric].per_warp.upper
        assert upper is not None, metric
        assert counted[metric].max() <= (constant(upper) or 0), metric
    return outcome.arrays["out"]


@pytest.mark.parametrize("type", ["int", "double"])
@pytest.mark.parametrize("name", CASES)
def test_reductions(name: str, type: str) -> None:
    threads, body = CASES[name]
    text = kernel(name.partition(" of ")[0], threads, f"T sum = {body}; if (threadIdx.x == 0) out[0] = sum;", type)
    taken = 90 if " of " in name else threads
    assert results(text, threads, type)[0] == (np.arange(taken) % 7 - 2).sum()


@pytest.mark.parametrize("name", SCANS)
def test_scans(name: str) -> None:
    threads = SCANS[name]
    text = kernel(
        name, threads, "T sum; Rooms(room).InclusiveSum(in[threadIdx.x], sum); out[threadIdx.x] = sum;", "int"
    )
    assert np.array_equal(results(text, threads, "int")[:threads], (np.arange(threads) % 7 - 2).cumsum())
