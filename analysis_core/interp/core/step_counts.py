"""Which statements each warp executes how often, with their abstract steps: what every place contributes to `steps`.

Steps are noted with every statement that is executed, one by one, because a trial round may be taken back; at the end they
become vectors per warp.
"""

from __future__ import annotations

from collections.abc import Iterable

from analysis_core.domains.shape import BoolVector, IntVector, warps_with
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import Executed
from analysis_core.ir.nodes import Atomic, Load, Stmt, Store
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class StepEvent:
    """The steps of the statements at one place, per warp and for each of `times` rounds of the enclosing summarised
    loops: an upper number, without what accesses add."""

    span: Span
    times: Expression
    steps: IntVector


@dataclass(slots=True)
class _Count:
    """Steps of one statement in one set of warps; `times` as of events."""

    stmt: Stmt
    times: Expression
    warps: BoolVector
    steps: int = 0


def step_events(executed: Iterable[Executed]) -> tuple[StepEvent, ...]:
    """One per place and value of `times`, in order of first execution."""
    counts: dict[tuple[int, int, bytes], _Count] = {}
    last, warps, name = None, None, b""
    for stmt, steps, mask, times in executed:
        if warps is None or mask is not last:
            last, warps = mask, warps_with(mask.may)
            name = warps.tobytes()
        key = id(stmt), id(times), name
        count = counts.get(key)
        if count is None:
            count = counts[key] = _Count(stmt, times, warps)
        count.steps += steps
    found: dict[tuple[Span, Expression], IntVector] = {}
    for count in counts.values():
        place = _place(count.stmt), count.times
        vector = count.steps * count.warps
        found[place] = found[place] + vector if place in found else vector
    return tuple(StepEvent(span, times, steps) for (span, times), steps in found.items())


def _place(stmt: Stmt) -> Span:
    return stmt.access.span if isinstance(stmt, (Load, Store, Atomic)) else stmt.span
