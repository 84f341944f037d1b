"""Radix sorts of blocks: they sort, and what a run pays lies within the bounds."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.expressions.expression import constant
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.simulate.faults import FaultKind
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.simulate.running import kernel_of, run

THREADS, ITEMS = 64, 3
NUMPY = {"int": np.int32, "unsigned": np.uint32, "float": np.float32}
CALLS = {
    "Sort(keys)": (False, False, False),
    "SortDescending(keys)": (True, False, False),
    "SortBlockedToStriped(keys)": (False, True, False),
    "Sort(keys, values)": (False, False, True),
    "SortDescendingBlockedToStriped(keys, values)": (True, True, True),
}


def kernel(key: str, options: str, call: str) -> str:
    return (
        f"#include <cub/cub.cuh>\n//@ launch block=({THREADS}) grid=(1)\n"
        f"__global__ void k({key} *out, int *which, const {key} *in) {{ typedef cub::BlockRadixSort<{key}, {THREADS}, {ITEMS}{options}> Sort;"
        f" __shared__ typename Sort::TempStorage room; {key} keys[{ITEMS}]; int values[{ITEMS}]; for (int i = 0; i < {ITEMS}; i++)"
        f" {{ keys[i] = in[threadIdx.x * {ITEMS} + i]; values[i] = threadIdx.x * {ITEMS} + i; }} Sort(room).{call};"
        f" for (int i = 0; i < {ITEMS}; i++) {{ out[threadIdx.x * {ITEMS} + i] = keys[i]; which[threadIdx.x * {ITEMS} + i] = values[i]; }} }}"
    )


def within_bounds(text: str, threads: int, arrays: dict[str, np.ndarray], *unwritten: str) -> dict[str, np.ndarray]:
    """What a run of one block leaves in its arrays, after each warp's costs were held against their bounds.
    `unwritten`: what CUB, too, reads where nobody has written, and takes for nothing."""
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    bounds = report.kernels[0].launches[0].facts.bounds
    assert bounds is not None
    outcome = run(kernel_of(text), threads, 1, arrays)
    for fault in outcome.faults:
        assert fault.kind is FaultKind.UNINITIALISED and any(text in fault.text for text in unwritten), fault
    counted = outcome.warps.by_name()
    for metric in ("sectors", "wavefronts", "conflicts", "divergences"):
        part = bounds.metrics[metric].per_warp
        assert part.upper is not None, metric
        assert counted[metric].max() <= (constant(part.upper) or 0), metric
        assert part.min_lower is None or counted[metric].min() >= (constant(part.min_lower) or 0), metric
    return outcome.arrays


def results(text: str, key: str, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The keys and the values that a run stores."""
    empty = np.zeros(len(numbers), NUMPY[key])
    arrays = within_bounds(text, THREADS, {"out": empty, "which": empty.astype(np.int32), "in": numbers})
    return arrays["out"], arrays["which"]


def blocked(stored: np.ndarray, striped: bool) -> np.ndarray:
    """In the order of ranks, where a thread's items are one block apart."""
    return stored.reshape(THREADS, ITEMS).T.ravel() if striped else stored


@pytest.mark.parametrize("call", CALLS)
def test_sorts(call: str) -> None:
    descending, striped, pairs = CALLS[call]
    numbers = np.random.default_rng(7).integers(-50, 50, THREADS * ITEMS).astype(np.int32)
    keys, values = results(kernel("int", ", int" if pairs else "", call), "int", numbers)
    order = np.argsort(-numbers if descending else numbers, kind="stable")
    assert np.array_equal(blocked(keys, striped), numbers[order])
    if pairs:
        assert np.array_equal(blocked(values, striped), order)


@pytest.mark.parametrize(
    ("key", "options", "call"),
    [
        ("float", "", "Sort(keys)"),
        ("unsigned", ", cub::NullType, 5, false, cub::BLOCK_SCAN_RAKING", "Sort(keys)"),
        (
            "unsigned",
            ", cub::NullType, 4, true, cub::BLOCK_SCAN_RAKING_MEMOIZE, cudaSharedMemBankSizeEightByte",
            "Sort(keys, 0, 11)",
        ),
    ],
)
def test_other_keys_and_ways(key: str, options: str, call: str) -> None:
    numbers = (np.random.default_rng(8).integers(0, 2000, THREADS * ITEMS) - (900 if key == "float" else 0)).astype(
        NUMPY[key]
    )
    keys, _ = results(kernel(key, options, call), key, numbers)
    assert np.array_equal(keys, np.sort(numbers))


def test_numbers_of_digits_that_the_host_gives_have_bounds_in_them() -> None:
    text = kernel("unsigned", "", "Sort(keys, 0, bits)").replace("const unsigned *in", "const unsigned *in, int bits")
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    bounds = report.kernels[0].launches[0].facts.bounds
    assert bounds is not None and bounds.metrics["wavefronts"].per_warp.upper is not None
    assert constant(bounds.metrics["wavefronts"].per_warp.upper) is None
