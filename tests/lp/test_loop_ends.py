"""Random loops in the simulator: no warp, block or launch pays more than its upper bound, none less than its lower one."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.run import simulate
from tests.lp.bounds_check import bounded, ends, values_of
from tests.lp.loop_ends import loop

_BLOCK = (64, 1, 1)


def broken(seed: int) -> list[str]:
    """What one random loop's bounds claim that does not hold."""
    drawn = loop(seed)
    found = bounded(drawn.text, "k", _BLOCK)
    wrong = []
    for n, m in drawn.sizes:
        memory = ArrayArgument(np.zeros(1 << 14, np.int32))
        request = LaunchRequest(_BLOCK, (2, 1, 1), {"a": memory, "n": n, "m": m}, keep=frozenset(), lanes=4096)
        outcome = simulate(found.kernel, request)
        values = values_of(found, request, outcome)
        wrong += [f"{end} with {values}" for end in ends(found, request, outcome) if end.broken]
    return [f"seed {seed}\n{drawn.text}", *wrong] if wrong else []


def test_no_end_is_broken() -> None:
    assert [line for seed in range(10) for line in broken(seed)] == []


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(100, 1100, 20))
def test_no_end_is_broken_at_night(first: int) -> None:
    assert [line for seed in range(first, first + 20) for line in broken(seed)] == []
