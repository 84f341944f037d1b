"""What of a kernel stands in a part of its text, or is called from there: what a run counts for a contract about a statement."""

from __future__ import annotations

from analysis_core.expressions.metric import Metric
from analysis_core.ir.nodes import Atomic, If, Kernel, Load, Loop, Stmt, Store, Switch
from analysis_core.ir.operations import is_operation, within
from analysis_core.ir.walk import standing
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Part:
    """`counted`: numbers of accesses, and tests by place and kind, as a run names them; `weighed`: what operations are counted of, None for all.  `mixed`:
    something is counted that is reached from outside, too."""

    counted: frozenset[object]
    weighed: frozenset[int] | None
    mixed: bool


def part_of(kernel: Kernel, place: Span | None, metric: str, settings: Settings) -> Part | None:
    """What stands at a place; None for the whole kernel."""
    if place is None:
        return None
    inside, outside = set[object](), set[object]()
    for stmt, here in standing(kernel.body, place):
        what = _counted(stmt)
        if what is not None:
            (inside if here else outside).add(what)
    paid = {metric, *settings.metrics.get(metric, ())}
    splits = Metric.DIVERGENCES.value in paid and not inside.isdisjoint(outside)
    if not any(map(is_operation, paid)):
        return Part(frozenset(inside), None, splits)
    weighed = within(kernel, place)
    return Part(frozenset(inside), weighed, splits or weighed is None)


def _counted(stmt: Stmt) -> object | None:
    """What a run calls the access or the test of a statement; None for one without."""
    match stmt:
        case Load(access=access) | Store(access=access) | Atomic(access=access):
            return access.id
        case If(span=span, kind=kind):
            return span, kind.value
        case Loop(span=span):
            return span, "loop"
        case Switch(span=span):
            return span, "switch"
        case _:
            return None
