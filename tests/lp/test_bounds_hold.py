"""Random kernels in the simulator: no warp pays more than `upper`, the most expensive one no less than `worst_lower`, none
less than `min_lower`; the same for launches and for cases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import KernelBounds
from analysis_core.expressions.conditions import holds
from analysis_core.interp.interpret import interpret
from analysis_core.lp.kernel_bounds import kernel_bounds
from analysis_core.program.launch import Launch
from analysis_core.requests.evaluate import evaluate
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.run import Outcome
from analysis_core.support.settings import Settings
from tests.properties.kernels.generator import program
from tests.properties.kernels.printing import print_program
from tests.simulate.random_launches import Tally, kernel_of, launches, run


def broken_bounds(bounds: KernelBounds, outcome: Outcome, values: dict[str, int]) -> Iterator[str]:
    """What does not hold.  Accesses that leave an array are dropped by the simulator, so lower bounds say nothing then."""
    complete = all(fault.kind is not FaultKind.OUT_OF_BOUNDS for fault in outcome.faults)
    safe = {ex.safe_name(name): value for name, value in values.items()}
    for name, seen in outcome.warps.by_name().items():
        if name not in bounds.metrics:
            continue
        warp, launch = bounds.metrics[name].per_warp, bounds.metrics[name].per_launch
        if warp.upper is None:
            continue
        ends = [("warp", warp.upper, warp.worst_lower, int(seen.max()))]
        ends += [("launch", launch.upper, launch.lower, int(seen.sum()))] if launch.upper is not None else []
        ends += [
            (c.when, c.upper, c.worst_lower, int(seen.max())) for c in warp.cases if c.upper and holds(c.when, safe)
        ]
        for what, upper, lower, paid in ends:
            most, least = ex.evaluate(upper, values), ex.evaluate(lower, values)
            if paid > most or (complete and paid < least):
                yield f"{name} per {what}: {paid} is not in [{least}, {most}]"
        if complete and int(seen.min()) < ex.evaluate(warp.min_lower, values):
            yield f"{name}: some warp pays {seen.min()}, less than {ex.to_text(warp.min_lower)}"


def _examine(seed: int) -> int:
    p = program(seed)
    text = print_program(p)[0]
    kernel, settings = kernel_of(text), Settings(kernel_seconds=20.0)
    launch = Launch(p.block, (None, None, None), "option", None, ())
    events = interpret(kernel, launch, settings)
    facts = evaluate(kernel, launch, events).facts
    bounds, compared = kernel_bounds(kernel, launch, events, facts, settings), 0
    for request in launches(p, kernel, 2):
        outcome = run(kernel, request, Tally())
        if outcome is None or (outcome.wrapped and any("wrap around" in a.text for a in facts.assumptions)):
            continue
        values = {name: v for name, v in request.arguments.items() if isinstance(v, int)}
        values |= {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid)}
        values |= {name: outcome.rounds.get(loop, 0) for name, loop in events.trips}
        found = list(broken_bounds(bounds, outcome, values))
        assert not found, f"seed {seed}, block {p.block}, {values}\n{text}\n" + "\n".join(found)
        compared += 1
    return compared


def test_no_bound_is_broken() -> None:
    assert sum(_examine(seed) for seed in range(400_000, 400_015)) > 5


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(410_000, 410_500, 20))
def test_no_bound_is_broken_at_night(first: int) -> None:
    for seed in range(first, first + 20):
        _examine(seed)
