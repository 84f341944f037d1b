"""Random kernels in the simulator: nothing that it observes exceeds what the analysis promises."""

from __future__ import annotations

import pytest

from tests.simulate.random_launches import Tally, examine


def _examine(first: int, count: int) -> Tally:
    tally = Tally()
    for seed in range(first, first + count):
        text, broken = examine(seed, tally)
        assert not broken, f"seed {seed}\n{text}\n" + "\n".join(broken)
    return tally


def test_no_bound_is_exceeded() -> None:
    tally = _examine(300_000, 12)
    assert tally.executed > 30
    assert tally.undefined + tally.endless < tally.samples


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(310_000, 310_600, 50))
def test_no_bound_is_exceeded_at_night(first: int) -> None:
    _examine(first, 50)
