"""Reductions and scans of CUB by shared memory: they give what they should, and pay no more than their bounds."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.expressions.expression import constant
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.simulate.faults import FaultKind
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
    "BlockReduce<T, 24> of 40": (24, "Rooms(room).Sum(in[threadIdx.x], 40)"),
    "BlockReduce<T, 96, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY> of 99": (96, "Rooms(room).Sum(in[threadIdx.x], 99)"),
    "WarpReduce<T, 24>": (24, REDUCED),
    "WarpReduce<T, 7>": (7, REDUCED),
}
SCANS = {
    "WarpScan<T, 24>": 24,
    "WarpScan<T, 5>": 5,
    "BlockScan<T, 100>": 100,
    "BlockScan<T, 60>": 60,
    "BlockScan<T, 51>": 51,
    "BlockScan<T, 32>": 32,
    "BlockScan<T, 24>": 24,
    "BlockScan<T, 7, cub::BLOCK_SCAN_RAKING_MEMOIZE>": 7,
}
EXCLUSIVE = {
    "ExclusiveSum(in[threadIdx.x], x)": lambda of: of.cumsum() - of,
    "ExclusiveSum(in[threadIdx.x], x, all)": lambda of: of.cumsum() - of,
    "ExclusiveScan(in[threadIdx.x], x, T(-3), cub::Max())": lambda of: np.r_[-3, np.maximum.accumulate(of)[:-1]],
    "ExclusiveScan(in[threadIdx.x], x, T(-3), cub::Max(), all)": lambda of: np.r_[-3, np.maximum.accumulate(of)[:-1]],
    "InclusiveScan(in[threadIdx.x], x, cub::Max(), all)": np.maximum.accumulate,
}


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
    # In scans by memory the first lane reads what stands before its warp and takes it for nothing, as CUB's does.
    assert all(f.kind is FaultKind.UNINITIALISED and "FRONT + lane - " in f.text for f in outcome.faults)
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
    taken = min(int(name.partition(" of ")[2] or threads), threads)
    assert results(text, threads, type)[0] == (np.arange(taken) % 7 - 2).sum()


@pytest.mark.parametrize("name", SCANS)
def test_scans(name: str) -> None:
    threads = SCANS[name]
    text = kernel(
        name, threads, "T sum; Rooms(room).InclusiveSum(in[threadIdx.x], sum); out[threadIdx.x] = sum;", "int"
    )
    assert np.array_equal(results(text, threads, "int")[:threads], (np.arange(threads) % 7 - 2).cumsum())


@pytest.mark.parametrize("call", EXCLUSIVE)
@pytest.mark.parametrize(
    ("room", "threads"), [("BlockScan<T, 32>", 32), ("WarpScan<T, 24>", 24), ("BlockScan<T, 24>", 24)]
)
def test_other_scans(room: str, threads: int, call: str) -> None:
    body = f"T x, all = 0; Rooms(room).{call}; out[threadIdx.x] = x; out[100 + threadIdx.x] = all;"
    given, numbers = results(kernel(room, threads, body, "int"), threads, "int"), np.arange(threads) % 7 - 2
    assert np.array_equal(given[:threads], EXCLUSIVE[call](numbers))
    if call.endswith("all)"):
        total = numbers.sum() if "Sum" in call else numbers.max()
        assert (given[100 : 100 + threads] == total).all()


@pytest.mark.parametrize("threads", [32, 8])
def test_blocks_of_a_warp_scan_without_shared_memory_and_barriers(threads: int) -> None:
    text = kernel(
        f"BlockScan<T, {threads}>",
        threads,
        "T x, all; Rooms(room).ExclusiveSum(in[threadIdx.x], x, all); out[threadIdx.x] = x + all;",
        "int",
    )
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    bounds = report.kernels[0].launches[0].facts.bounds
    assert bounds is not None and bounds.metrics["wavefronts"].per_warp.upper is not None
    assert constant(bounds.metrics["wavefronts"].per_warp.upper) == 0
    outcome = run(kernel_of(text), threads, 1, {"out": np.zeros(32, np.int32), "in": np.ones(32, np.int32)})
    assert "shared" not in {a.space.value for a in outcome.accesses}


def test_small_blocks_leave_their_aggregate_in_shared_memory() -> None:
    text = kernel("BlockReduce<T, 24>", 24, f"T sum = {REDUCED}; if (threadIdx.x == 0) out[0] = sum;", "int")
    outcome = run(kernel_of(text), 24, 1, {"out": np.zeros(32, np.int32), "in": np.ones(32, np.int32)})
    assert any(a.rw == "W" and "aggregates" in a.text for a in outcome.accesses)


@pytest.mark.parametrize("threads", [33, 49])
def test_pieces_that_end_in_a_bank_of_their_own_have_no_bound(threads: int) -> None:
    text = kernel(
        f"BlockScan<T, {threads}>",
        threads,
        "T sum; Rooms(room).InclusiveSum(in[threadIdx.x], sum); out[threadIdx.x] = sum;",
        "int",
    )
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=False)
    bounds = report.kernels[0].launches[0].facts.bounds
    assert bounds is None or bounds.metrics["conflicts"].per_warp.upper is None


def test_exclusive_sums_with_an_aggregate() -> None:
    for name, threads in (("BlockScan<T, 100>", 100), ("WarpScan<T, 24>", 24)):
        body = "T sum, all; Rooms(room).ExclusiveSum(in[threadIdx.x], sum, all); out[threadIdx.x] = sum + all;"
        numbers = np.arange(threads) % 7 - 2
        given = results(kernel(name, threads, body, "int"), threads, "int")[:threads]
        assert np.array_equal(given, numbers.cumsum() - numbers + numbers.sum())


@pytest.mark.parametrize(
    ("room", "threads"),
    [
        ("BlockScan<T, 128, cub::BLOCK_SCAN_WARP_SCANS>", 128),
        ("BlockScan<T, 100>", 100),
        ("BlockScan<T, 64, cub::BLOCK_SCAN_RAKING_MEMOIZE>", 64),
        ("BlockScan<T, 32>", 32),
        ("BlockScan<T, 24>", 24),
    ],
)
@pytest.mark.parametrize("way", ["Inclusive", "Exclusive"])
def test_scans_behind_what_a_functor_knows(room: str, threads: int, way: str) -> None:
    numbers = np.arange(2 * threads) % 7 - 2
    functor = "struct Before { T sum; __device__ T operator()(T all) { T old = sum; sum += all; return old; } };\n"
    body = (
        f"Before before; before.sum = 5; T one, two[2] = {{in[2 * threadIdx.x], in[2 * threadIdx.x + 1]}};"
        f" Rooms(room).{way}Sum(in[threadIdx.x], one, before); __syncthreads(); Rooms(room).{way}Sum(two, two, before);"
        " if (threadIdx.x < 32) out[threadIdx.x] = one; out[32 + threadIdx.x] = two[1];"
    )
    text = kernel(room, threads, body, "int").replace("//@", functor + "//@")
    given = results(text, threads, "int")
    own = numbers if way == "Exclusive" else 0 * numbers
    first = 5 + (numbers.cumsum() - own)[: min(threads, 32)]
    assert np.array_equal(given[: len(first)], first)
    second = 5 + numbers[:threads].sum() + (numbers.cumsum() - own)[1::2]
    assert np.array_equal(given[32 : 32 + threads], second)
