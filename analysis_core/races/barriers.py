"""What each barrier of the block is for: the pairs of accesses that are proved apart with it, and are not without it.

A barrier may also order what no pair of accesses shows: locks, flags and counters in memory.  So nothing is said to be without use where
memory is updated atomically, is volatile, or is fenced; nor where pointers that are not `__restrict__` may lead to one array.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from analysis_core.interp.core.events import AccessKind, Events
from analysis_core.interp.core.trace import Barred, Chosen, Looped, Node, walk
from analysis_core.ir.nodes import Barrier, BarrierScope, Fence, Kernel
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements_of
from analysis_core.races.intervals import Intervals, Unordered
from analysis_core.races.pairs import Collected
from analysis_core.races.verdicts import Ordering, Place, RaceReport, Verdict
from analysis_core.races.within_block import Decider
from analysis_core.support.fuel import Fuel, OutOfFuel
from analysis_core.text.span import Span

_MOST_BARRIERS = 8
"""Barriers of a kernel that are left out, one at a time."""

_MOST_ACCESSES = 4000
"""Executions of accesses in all these trials together."""

_QUERIES = 8
"""Questions to the solver for all trials of a kernel together."""

_OTHERWISE = "threads of the kernel may also wait for each other through memory"

_Found = dict[tuple[Span, Span], tuple[Verdict, Place, Place]]


def orderings(kernel: Kernel, events: Events, races: RaceReport, fuel: Fuel) -> tuple[Ordering, ...]:
    """What is known of each barrier of a kernel with shared memory, in the order of the text.  A vote of the block is left out: it is needed for what it
    returns. `races`: what is found with all barriers; `fuel`: the account that pays for it."""
    if all(one.space is not Space.SHARED for one in kernel.objects):
        return ()
    texts = {stmt.span: stmt.text for stmt in statements_of(kernel) if isinstance(stmt, Barrier)}
    met = {node.span for node in walk(events.trace) if isinstance(node, Barred) and node.scope is BarrierScope.BLOCK}
    chosen = sorted((span for span in met & texts.keys() if not _votes(texts[span])), key=lambda span: span.start)
    if not chosen:
        return ()
    cause = events.unknowns[0].reason if events.unknowns else races.cause
    if len(chosen) > _MOST_BARRIERS or len(events.accesses) * len(chosen) > _MOST_ACCESSES:
        cause = "the kernel is too large"
    if cause:
        return tuple(Ordering(span, texts[span], cause=cause) for span in chosen)
    otherwise = _OTHERWISE if _waits_otherwise(kernel, events) else _may_overlap(kernel, events)
    kept = {pair for race in races.races for pair in permutations((race.first.span, race.second.span))}
    trials = _Trials(events, kept, max(2, _QUERIES // len(chosen)), fuel)
    return tuple(trials.ordering(span, texts[span], otherwise) for span in chosen)


class _Trials:
    """Barriers of one kernel, left out one at a time, and for good if they are idle: so all idle ones may go together."""

    def __init__(self, events: Events, kept: Collection[tuple[Span, ...]], queries: int, fuel: Fuel) -> None:
        self._events, self._kept, self._queries = events, kept, queries
        self._collected = Collected(fuel)

    def ordering(self, barrier: Span, text: str, otherwise: str) -> Ordering:
        """What is no longer proved apart without the barrier, in shared memory first; `otherwise`: why nothing is said to be idle."""
        without = replace(self._events, trace=tuple(_without(self._events.trace, barrier)))
        is_open = False
        try:
            for space in (Space.SHARED, Space.GLOBAL):
                left = self._found(without, space)
                lost = [found for pair, found in left.items() if pair not in self._kept]
                if pairs := tuple((one, other) for verdict, one, other in lost if verdict is not Verdict.UNDECIDED):
                    return Ordering(barrier, text, pairs)
                is_open = is_open or bool(left)
        except Unordered as why:
            return Ordering(barrier, text, cause=why.reason)
        except OutOfFuel as why:
            return Ordering(barrier, text, cause=str(why))
        if not is_open and not otherwise:
            self._events = without
        return Ordering(barrier, text, cause="not all pairs of accesses are decided" if is_open else otherwise)

    def _found(self, events: Events, space: Space) -> _Found:
        """The pairs of texts that are not proved apart. Raises `Unordered`, `OutOfFuel`."""
        if all(event.space is not space or event.kind is AccessKind.READ for event in events.accesses):
            return {}
        self._collected = self._collected.emptied()
        decider = Decider(events, self._queries, collected=self._collected)
        Intervals(events, space, decider.interval).walk()
        return dict(decider.not_apart())


def _without(nodes: Sequence[Node], barrier: Span) -> Iterator[Node]:
    for node in nodes:
        match node:
            case Barred(span=span) if span == barrier:
                pass
            case Chosen(arms=arms):
                yield replace(node, arms=tuple(tuple(_without(arm, barrier)) for arm in arms))
            case Looped(test=test, body=body):
                yield replace(node, test=tuple(_without(test, barrier)), body=tuple(_without(body, barrier)))
            case _:
                yield node


def _votes(text: str) -> bool:
    return text.startswith("__syncthreads_")


def _may_overlap(kernel: Kernel, events: Events) -> str:
    """Two arrays of global memory that may be one, where one of them is written: other pairs than those of one array may meet then."""
    objects = {one.name for one in kernel.objects}
    restricted = {variable.name for variable in kernel.variables if variable.parameter and variable.is_restrict}
    used = [event for event in events.accesses if event.space is Space.GLOBAL]
    written = dict.fromkeys(event.base for event in used if event.kind is not AccessKind.READ)
    for one in written:
        for other in dict.fromkeys(event.base for event in used):
            if one != other and not {one, other} <= objects and not {one, other} & restricted:
                return f"`{one}` and `{other}` may be the same array"
    return ""


def _waits_otherwise(kernel: Kernel, events: Events) -> bool:
    """Whether threads may tell each other something by a flag, a counter or a lock."""
    if any(isinstance(stmt, Fence) or (isinstance(stmt, Barrier) and stmt.object) for stmt in statements_of(kernel)):
        return True
    return any(event.kind is AccessKind.ATOMIC or event.access.volatile for event in events.accesses)
