"""Kernels as people write them (tests/lp/bounded) in the simulator: whatever the parameters, no warp, block or launch
pays more than `upper`, the most expensive ones no less than the lower bounds, and just that where a bound is exact."""

from __future__ import annotations

import pytest

from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.run import simulate
from tests.lp.bounds_cases import CASES, FOLDER, Case
from tests.lp.bounds_check import Bounded, End, bounded, ends, values_of
from tests.simulate.running import shape

_HARMLESS = frozenset({FaultKind.RACE_IN_WARP})
"""Shared memory that is volatile, and parents that others follow, are read as lanes in lock step leave them."""


def _broken(case: Case, found: Bounded, seeds: range) -> list[str]:
    wrong = []
    for seed in seeds:
        request = case.request(seed)
        outcome = simulate(found.kernel, request)
        faults = [fault for fault in outcome.faults if fault.kind not in _HARMLESS]
        assert not faults, f"{case.kernel} is not launched as it should be: {faults[0]}"
        values = values_of(found, request, outcome)
        wrong += [f"seed {seed}: {end} with {values}" for end in ends(found, request, outcome) if end.broken]
    return wrong


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel)
def test_bounds_hold(case: Case) -> None:
    found = bounded(case.text(), case.kernel, shape(case.block))
    assert all(bound.per_warp.upper is not None for bound in found.bounds.metrics.values())
    assert _broken(case, found, range(6)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel)
def test_bounds_hold_for_many_parameters(case: Case) -> None:
    found = bounded(case.text(), case.kernel, shape(case.block))
    assert _broken(case, found, range(50)) == []


def test_every_kernel_is_launched() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.cu")}
    assert sum(text.count("__global__") for text in texts.values()) == len({case.kernel for case in CASES})
    assert all(f"{case.kernel}(" in texts[case.file] for case in CASES)


def test_a_claim_is_broken_on_either_side() -> None:
    assert not End("sectors", 4, 4, 4, True).broken
    assert End("sectors", 5, 4, 0, False).broken
    assert End("sectors", 3, 8, 4, False).broken
    assert End("sectors", 3, 4, 0, True).broken
