"""Where a warp splits and how often, by the rules of divergence: kernels of two warps in tests/kernels/hardware/splits.cu."""

from __future__ import annotations

import pytest

from analysis_core.requests.facts import BranchFact, Divergence
from tests.engine.warp_costs import KERNELS, exactly, facts_of, most, warp_costs

BLOCK = (64, 1, 1)

DECIDED = {
    # kernel: splits of the first and of the second warp
    "one_sided": [1, 0],
    "two_sided": [1, 0],
    "between_warps": [0, 0],  # a cut at a multiple of 32 threads
    "returned": [2, 2],  # lanes that left do not split the third test
    "broken": [31, 31],
    "continued": [8, 8],
    "connected": [2, 2],  # two `if`, whatever `&&`, `||` and `?:` do
    "four_targets": [3, 3],
    "shared_targets": [2, 2],
    "targets_of_warps": [0, 0],
    "strided": [0, 1],
    "triangle": [31, 31],
    "pairs": [15, 15],
    "tested_below": [1, 0],
}


@pytest.mark.parametrize("kernel", DECIDED)
def test_splits_that_are_decided(kernel: str) -> None:
    assert exactly(warp_costs("splits.cu", kernel, BLOCK).splits) == DECIDED[kernel]


@pytest.mark.parametrize(
    ("kernel", "worst"),
    [
        ("uniform", 0),  # a parameter, a flag of the block and a loop of n rounds
        ("boundary", 1),  # lanes that left do not split at the second test
        ("by_data", 1),
        ("bounded_by_data", 31),  # 32 lanes leave at 32 different times at most
    ],
)
def test_splits_at_most(kernel: str, worst: int) -> None:
    assert most(warp_costs("splits.cu", kernel, BLOCK, trips={"n": 100}, rounds=100).splits) == [worst] * 2


def test_lanes_leave_a_loop_no_more_often_than_it_is_tested() -> None:
    assert most(warp_costs("splits.cu", "bounded_by_data", BLOCK, rounds=3).splits) == [4, 4]


CLASSES = {
    # kernel: its tests in order, each with the least and most active threads of a side that runs in a split warp
    "one_sided": [("always", (16, 16))],
    "two_sided": [("always", (16, 16))],
    "between_warps": [("never", (32, 32)), ("never", (32, 32))],
    "returned": [("always", (16, 16)), ("always", (8, 8)), ("never", (32, 32))],
    "uniform": [("never", (32, 32))] * 3,
    "boundary": [("boundary", (1, 31)), ("never", (32, 32))],
    "by_data": [("possible", (1, 31))],
}


@pytest.mark.parametrize("kernel", CLASSES)
def test_classes(kernel: str) -> None:
    facts = facts_of((KERNELS / "splits.cu").read_text(), kernel, block=BLOCK)
    assert [(b.divergence.value, b.splits.active) for b in in_order(facts.branches)] == CLASSES[kernel]


def in_order(branches: tuple[BranchFact, ...]) -> list[BranchFact]:
    return sorted(branches, key=lambda b: b.span.start)


@pytest.mark.parametrize(
    ("cut", "divergence"), [(31, "always"), (32, "never"), (33, "always"), (64, "never"), (0, "never")]
)
def test_a_cut_at_a_multiple_of_32_does_not_split(cut: int, divergence: str) -> None:
    text = f"__global__ void k(float *p) {{ if (threadIdx.x < {cut}) p[threadIdx.x] = 1; }}"
    (branch,) = facts_of(text, block=BLOCK).branches
    assert branch.divergence is Divergence(divergence)


@pytest.mark.parametrize(
    ("block", "test", "divergence", "active"),
    [
        ((16, 16, 1), "threadIdx.x < 8", "always", (16, 16)),
        ((16, 16, 1), "threadIdx.y < 8", "never", (32, 32)),
        ((16, 16, 1), "threadIdx.y < 7", "always", (16, 16)),
        ((32, 8, 1), "threadIdx.y % 2", "never", (32, 32)),
        ((32, 8, 1), "threadIdx.x < w", "possible", (1, 31)),  # each warp is a row: all of them are cut at w
        (
            (16, 16, 1),
            "blockIdx.x * 16 + threadIdx.x < w",
            "boundary",
            (2, 30),
        ),  # both rows of each warp in the last block
        ((256, 1, 1), "blockIdx.x * 256 + threadIdx.x < w", "boundary", (1, 31)),
        ((256, 1, 1), "threadIdx.x / 32 == 3", "never", (32, 32)),
        ((256, 1, 1), "threadIdx.x - 8u < 16u", "always", (16, 16)),
        ((8, 4, 2), "threadIdx.z", "never", (32, 32)),
        ((8, 4, 2), "threadIdx.y > 2", "always", (8, 24)),
        ((40, 1, 1), "threadIdx.x < 32", "never", (32, 32)),
    ],
)
def test_classes_by_the_shape_of_the_block(
    block: tuple[int, int, int], test: str, divergence: str, active: tuple[int, int]
) -> None:
    text = f"__global__ void k(float *p, int w) {{ if ({test}) p[threadIdx.x] = 1; }}"
    (branch,) = facts_of(text, block=block).branches
    assert (branch.divergence, branch.splits.active) == (Divergence(divergence), active)
