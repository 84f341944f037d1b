"""What of a kernel stands in a part of its text, or is called from there: what a run counts for a contract about a statement."""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.expressions.metric import Metric
from analysis_core.ir.nodes import Atomic, Block, If, Inlined, Kernel, Load, Loop, Store, Switch
from analysis_core.ir.walk import blocks_of
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Part:
    """`counted`: numbers of accesses, and tests by place and kind, as a run names them.  `mixed`: a test is counted that is reached from outside, too."""

    counted: frozenset[object]
    mixed: bool


def part_of(kernel: Kernel, place: Span | None, metric: str, settings: Settings) -> Part | None:
    """What stands at a place; None for the whole kernel."""
    if place is None:
        return None
    inside, outside = set[object](), set[object]()
    for what, within in _met(kernel.body, place, False):
        (inside if within else outside).add(what)
    splits = Metric.DIVERGENCES.value in {metric, *settings.metrics.get(metric, ())}
    return Part(frozenset(inside), splits and not inside.isdisjoint(outside))


def _met(block: Block, place: Span, called: bool) -> Iterator[tuple[object, bool]]:
    """Each access and test, and whether it belongs to the place.  `called`: it stands in a function that is called from there."""
    for stmt in block:
        inner = called
        match stmt:
            case Load(access=access) | Store(access=access) | Atomic(access=access):
                yield access.id, called or any(place.encloses(one) for one in (access.span, *access.via))
            case If(span=span, kind=kind):
                yield (span, kind.value), called or place.encloses(span)
            case Loop(span=span):
                yield (span, "loop"), called or place.encloses(span)
            case Switch(span=span):
                yield (span, "switch"), called or place.encloses(span)
            case Inlined(span=span):
                inner = called or place.encloses(span)
            case _:
                pass
        for each in blocks_of(stmt):
            yield from _met(each, place, inner)
