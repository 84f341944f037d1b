"""Random kernels in the simulator: nothing that it observes exceeds what the analysis promises, or undercuts it.

Checked per kernel: no request costs more than `worst`, none by as many lanes as can take part costs less than `best`, no warp
executes an access more often than its expression says, no branch classed "never" splits.  Launches that break a listed
assumption or meet undefined behaviour are left out and counted.

150 kernels a time go through the concrete machine of tests/properties (test_random_kernels.py), which checks the same and more
(values, decisions, cases) and shares no code with warpcost, not even the lowering; these few watch the simulator, at night
2,000.  A failure prints the smallest kernel like it, which goes to tests/kernels/soundness.
"""

from __future__ import annotations

import pytest

from tests.properties.kernels.generator import program
from tests.simulate.random_launches import Tally, examine, smallest


def _examine(first: int, count: int) -> Tally:
    tally = Tally()
    for seed in range(first, first + count):
        broken = examine(program(seed), tally)
        if broken:
            small = smallest(program(seed), frozenset(b.kind for b in broken))
            pytest.fail(f"seed {seed}\n{small}\n" + "\n".join(f"{b.kind}: {b.text}" for b in broken))
    return tally


def test_no_bound_is_exceeded() -> None:
    tally = _examine(300_000, 12)
    assert tally.executed > 30
    assert tally.widest > 20
    assert tally.undefined + tally.endless < tally.samples


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(310_000, 312_000, 50))
def test_no_bound_is_exceeded_at_night(first: int) -> None:
    _examine(first, 50)
