"""Bounds of one kernel beside a simulated launch of it: what does not hold, and how far each bound is from the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import KernelBounds, MetricBound
from analysis_core.expressions.conditions import holds
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Kernel
from analysis_core.lp.kernel_bounds import kernel_bounds
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import choose_launches
from analysis_core.requests.evaluate import evaluate
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.run import Outcome
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span

Shape = tuple[int, int, int]

WEIGHTED, WEIGHTS = "weighted", {"sectors": 3, "conflicts": 2, "divergences": 5}
"""A metric of the user's, as settings files define them."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """A kernel and its bounds; `trips`: the loops that named trip counts are of."""

    kernel: Kernel
    bounds: KernelBounds
    trips: Mapping[str, Span]


def bounded(text: str, name: str, block: Shape, operations: tuple[str, ...] = ()) -> Bounded:
    """The bounds of a kernel of a text, for launches with this block and any grid that its annotation allows.  `operations`: metrics of one each."""
    metrics = {WEIGHTED: WEIGHTS, **{one: {one: 1} for one in operations}}
    settings = Settings(default_blocks=(block, block, block), kernel_seconds=30.0, metrics=metrics)
    module = lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings, strict=True)
    kernel = next(k for k in module.kernels if k.name == name)
    (launch,) = choose_launches(kernel, settings)
    assert launch.block == block, f"{name} is analysed for {launch.block}, and launched with {block}"
    events = interpret(kernel, launch, settings)
    assert not events.unknowns and not events.rejected
    bounds = kernel_bounds(kernel, launch, events, evaluate(kernel, launch, events).facts, settings)
    return Bounded(kernel, bounds, dict(events.trips))


def values_of(found: Bounded, request: LaunchRequest, outcome: Outcome) -> dict[str, int]:
    """What the symbols of the bounds are in this launch.  A loop that was never reached made no round."""
    values = {name: v for name, v in request.arguments.items() if isinstance(v, int)}
    values |= {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid)}
    return values | {name: outcome.rounds.get(loop, 0) for name, loop in found.trips.items()}


@dataclass(frozen=True, slots=True)
class End:
    """One claim: the greatest cost seen is at most `upper` and at least `lower`."""

    what: str
    seen: int
    upper: int | None
    lower: int
    exact: bool

    @property
    def broken(self) -> bool:
        above = self.upper is not None and self.seen > self.upper
        return above or self.seen < self.lower or (self.exact and self.seen != self.upper)


def ends(found: Bounded, request: LaunchRequest, outcome: Outcome) -> Iterator[End]:
    """Every claim of the bounds about this launch."""
    values = values_of(found, request, outcome)
    safe = {ex.safe_name(name): value for name, value in values.items()}
    x, y, z = request.block
    warps = -(-x * y * z // 32)
    counted = dict(outcome.warps.by_name())
    counted[WEIGHTED] = np.sum([weight * counted[name] for name, weight in WEIGHTS.items()], axis=0)
    for name, costs in counted.items():
        yield from _of_metric(found.bounds.metrics[name], costs.reshape(-1, warps), values, safe)


def _of_metric(
    bound: MetricBound, costs: np.ndarray, values: Mapping[str, int], safe: Mapping[str, int]
) -> Iterator[End]:
    name, warp = bound.metric, bound.per_warp
    most, blocks = int(costs.max()), costs.sum(axis=1)

    def end(what: str, seen: int, upper: ex.Expression | None, lower: ex.Expression, exact: bool) -> End:
        ceiling = None if upper is None else ex.evaluate(upper, values)
        return End(f"{name} {what}", seen, ceiling, ex.evaluate(lower, values), exact)

    yield end("per warp", most, warp.upper, warp.worst_lower, warp.exact)
    yield end("of all places together", most, ex.add(*(place.cost for place in bound.places)), ex.ZERO, False)
    yield end("of the cheapest warp", int(costs.min()), warp.upper, warp.min_lower, False)
    for case in warp.cases:
        if holds(case.when, safe):
            yield end(f"per warp where {case.when}", most, case.upper, case.worst_lower, case.exact)
    for what, seen, total in (("block", blocks.max(), bound.per_block), ("launch", blocks.sum(), bound.per_launch)):
        yield end(f"per {what}", int(seen), total.upper, total.lower, total.exact)
        for case in total.cases:
            if holds(case.when, safe):
                yield end(f"per {what} where {case.when}", int(seen), case.upper, case.worst_lower, case.exact)
