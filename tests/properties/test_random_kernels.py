"""Soundness of the whole analysis on random kernels: it promises nothing that a concrete run breaks.

Each kernel is run on several samples of parameters, grids and memory contents by a machine that shares nothing with the
analysis (tests/properties/kernels), and analysed with its parameters open and given.  A failure prints the kernel; the
smallest one like it comes from `python -m tests.properties.kernels.hunt SEED 1`, and goes to tests/kernels/soundness.
"""

from __future__ import annotations

import pytest

from tests.properties.kernels.comparison import Tally, examine
from tests.properties.kernels.generator import program
from tests.properties.kernels.printing import print_program

_BATCH = 10
_EVERY_TIME = 60


def _examine(first: int, count: int) -> Tally:
    tally = Tally()
    for seed in range(first, first + count):
        p = program(seed)
        broken = examine(p, tally)
        assert not broken, f"seed {seed}, block {p.block}\n{print_program(p)[0]}\n" + "\n".join(
            f"{v.kind}: {v.text}" for v in broken
        )
    return tally


@pytest.mark.parametrize("first", range(0, _EVERY_TIME, _BATCH))
def test_no_promise_is_broken(first: int) -> None:
    tally = _examine(first, _BATCH)
    assert tally.unknown == 0, "the reader did not understand a generated kernel"
    assert tally.undefined < tally.samples, "every sample met undefined behaviour"


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(100_000, 104_000, 100))
def test_no_promise_is_broken_at_night(first: int) -> None:
    _examine(first, 100)


def test_most_accesses_are_exact() -> None:
    """Quality, not soundness: of the accesses that do not depend on data, the worst case is met by some sample."""
    tally = _examine(200_000, 20)
    assert tally.tight >= 0.8 * tally.accesses
