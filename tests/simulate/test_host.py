"""The simulator against the same kernels compiled by g++: every access of every thread, and what memory holds in the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from analysis_core.simulate.faults import FaultKind
from tests.simulate.host import differences, host_run, traced_simulation
from tests.simulate.running import KERNELS

RANDOM = np.random.default_rng(7)
SOURCE = (KERNELS / "algorithms.cu").read_text(encoding="utf-8")


def floats(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return RANDOM.uniform(-1, 1, shape).astype(dtype)


def ints(*shape: int, low: int = -99, high: int = 99) -> np.ndarray:
    return RANDOM.integers(low, high, shape).astype(np.int32)


START = np.sort(np.append(RANDOM.integers(0, 90, 49), [0, 90])).astype(np.int32)

CASES: dict[str, tuple[tuple[int, int, int], tuple[int, int, int], Mapping[str, Any]]] = {
    "vector_add": ((96, 1, 1), (3, 1, 1), {"a": floats(250), "b": floats(250), "c": floats(250), "n": 250}),
    "matrix_product": (
        (16, 16, 1), (2, 2, 1), {"a": floats(20, 20), "b": floats(20, 20), "c": floats(20, 20), "n": 20}
    ),
    "reduction": ((64, 1, 1), (2, 1, 1), {"in": floats(300), "out": floats(1), "n": 300}),
    "shuffled_reduction": ((64, 1, 1), (2, 1, 1), {"in": ints(100), "out": ints(2), "n": 100}),
    "scan": ((128, 1, 1), (1, 1, 1), {"in": ints(100), "out": ints(100), "n": 100}),
    "histogram": (
        (96, 1, 1), (2, 1, 1),
        {"data": ints(500, low=0, high=256).astype(np.uint8), "bins": np.zeros(256, np.uint32), "n": 500},
    ),
    "transpose": (
        (16, 16, 1), (2, 3, 1),
        {"in": floats(35, 20, dtype=np.float64), "out": floats(20, 35, dtype=np.float64), "w": 20, "h": 35},
    ),
    "stencil": ((128, 1, 1), (2, 1, 1), {"in": floats(200), "out": floats(200), "n": 200, "weights": floats(5)}),
    "sparse_product": (
        (32, 1, 1), (2, 1, 1),
        {"m.count": 50, "m.start": START, "m.column": ints(90, low=0, high=30), "m.value": floats(90),
         "x": floats(30), "y": floats(50)},
    ),
    "integers": (
        (64, 1, 1), (2, 1, 1),
        {"a": ints(100, low=-(2**29), high=2**29), "b": ints(100, low=1, high=9999), "out": np.zeros(100, np.int64),
         "bytes": np.zeros(100, np.uint8), "n": 100},
    ),
}  # fmt: skip

CALLS = {
    "vector_add": "vector_add((float *)ARRAY_a, (float *)ARRAY_b, (float *)ARRAY_c, 250)",
    "matrix_product": "matrix_product<16>((float *)ARRAY_a, (float *)ARRAY_b, (float *)ARRAY_c, 20)",
    "reduction": "reduction((float *)ARRAY_in, (float *)ARRAY_out, 300)",
    "shuffled_reduction": "shuffled_reduction((int *)ARRAY_in, (int *)ARRAY_out, 100)",
    "scan": "scan((int *)ARRAY_in, (int *)ARRAY_out, 100)",
    "histogram": "histogram((unsigned char *)ARRAY_data, (unsigned *)ARRAY_bins, 500)",
    "transpose": "transpose((double *)ARRAY_in, (double *)ARRAY_out, 20, 35)",
    "stencil": "stencil((float *)ARRAY_in, (float *)ARRAY_out, 200)",
    "sparse_product": "sparse_product(Rows{50, (int *)ARRAY_m_start, (int *)ARRAY_m_column, (float *)ARRAY_m_value},"
    " (float *)ARRAY_x, (float *)ARRAY_y)",
    "integers": "integers((int *)ARRAY_a, (int *)ARRAY_b, (long long *)ARRAY_out, (unsigned char *)ARRAY_bytes, 100)",
}

UP_TO = SOURCE.index("struct Particle")
TEXT = SOURCE[:UP_TO] + SOURCE[SOURCE.index("__global__ void integers") : SOURCE.index("__global__ void halves")]
"""The kernels that the shim's device library suffices for."""

LOWERING = (KERNELS / "lowering.cu").read_text(encoding="utf-8")

EVERY_TIME = {"matrix_product", "sparse_product", "integers"}  # the rest at night: g++ takes its time


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in EVERY_TIME else pytest.mark.nightly, id=n) for n in CASES]
)
def test_every_access_and_every_byte(name: str) -> None:
    block, grid, arguments = CASES[name]
    outcome, trace = traced_simulation(TEXT, name, block, grid, arguments)
    assert not outcome.faults
    assert sum(sum(accesses.values()) for accesses in trace.values()) > 100
    assert not differences(host_run(TEXT, CALLS[name], block, grid, arguments), outcome, trace)


def test_what_a_wrong_lowering_gets_wrong() -> None:
    arguments = {
        "in": ints(80, low=-300, high=300),
        "bytes": ints(70).astype(np.int8),
        "pairs": np.zeros(70 * 32, np.uint8),
        "out": np.zeros(70 * 32, np.int64),
        "grid": np.zeros(70 * 5, np.int16),
        "n": 70,
    }
    call = (
        "lowered((int *)ARRAY_in, (signed char *)ARRAY_bytes, (Pair *)ARRAY_pairs, (long long *)ARRAY_out,"
        " (short(*)[5])ARRAY_grid, 70)"
    )
    outcome, trace = traced_simulation(LOWERING, "lowered", (48, 1, 1), (2, 1, 1), arguments)
    assert not outcome.faults
    assert not differences(host_run(LOWERING, call, (48, 1, 1), (2, 1, 1), arguments), outcome, trace)


def test_places_that_are_chosen_and_objects_that_are_constructed() -> None:
    source = (KERNELS / "places.cu").read_text(encoding="utf-8")
    arguments = {
        "in": ints(64, low=-300, high=300),
        "changed": np.zeros(128, np.int32),
        "out": np.zeros(65 * 32, np.int64),
        "n": 64,
    }
    call = "places((int *)ARRAY_in, (int *)ARRAY_changed, (long long *)ARRAY_out, 64)"
    outcome, trace = traced_simulation(source, "places", (32, 1, 1), (2, 1, 1), arguments)
    assert {fault.kind for fault in outcome.faults} <= {FaultKind.UNINITIALISED}  # of what is copied beside a bit-field
    assert not differences(host_run(source, call, (32, 1, 1), (2, 1, 1), arguments), outcome, trace)


FEATURES = (
    "aggregates",
    "classes",
    "constructors",
    "copies",
    "destructors",
    "functors",
    "idioms",
    "methods",
    "operators",
    "side_effects",
)


@pytest.mark.parametrize("name", FEATURES)
def test_what_the_language_says(name: str) -> None:
    source = (KERNELS / f"{name}.cu").read_text(encoding="utf-8")
    arguments = {
        "in": ints(64, low=-300, high=300),
        "changed": np.zeros(128, np.int32),
        "out": np.zeros(65 * 32, np.int64),
        "n": 64,
    }
    call = f"{name}((int *)ARRAY_in, (int *)ARRAY_changed, (long long *)ARRAY_out, 64)"
    outcome, trace = traced_simulation(source, name, (32, 1, 1), (2, 1, 1), arguments)
    assert not outcome.faults
    assert not differences(host_run(source, call, (32, 1, 1), (2, 1, 1), arguments), outcome, trace)
