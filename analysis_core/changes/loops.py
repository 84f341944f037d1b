"""Loops of two sides of a kernel: which is which, and what changed in one iteration.

`T12` counts the iterations of the loop at line 12, and lines move.  So a count of one side is that of the other whose loop has the same
head, the first of several first; that it goes round as often as before is taken for granted where nothing but its name says how
often.  A count whose loop is on one side alone stays apart (`T12'`), and nothing is proved of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from analysis_core.changes.bounds import BEFORE
from analysis_core.changes.sides import Amount, Launch, Loop, Metric, trip_line
from analysis_core.expressions.expression import Expression, Symbol, substitute, symbol, symbols
from analysis_core.expressions.rational import rational
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class PerRound:
    """What a bound is per iteration of loops, before and after, where nothing else changed.  `lines`: of the loops, on the side after, or
    before where they are gone."""

    before: int
    after: int
    lines: tuple[int, ...]
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """What is taken for granted: `as_often`: counts of loops that go round as often as before; `renamed`: a parameter's name now, and before."""

    as_often: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


def with_names_of(before: Launch, after: Launch) -> tuple[Launch, Taken]:
    """The launch before, with the names that iterations, grids and a renamed parameter have after.  A grid that is not the same gets a name of its
    own."""
    new = dict(_same_trips(before, after))
    trips = [name for name in before.names.values() if trip_line(name) is not None]
    renamed = {name: new.get(name, f"{name}{BEFORE}") for name in trips}
    if before.grid != after.grid or (before.grid is None and before.block != after.block):
        renamed |= {name: f"{name}{BEFORE}" for name in before.names.values() if name.startswith("gridDim.")}
    changed = {old: name for old, name in renamed.items() if old != name}
    named = _renamed(before, changed) if changed else before
    as_often = tuple(sorted(set(new.values())))
    gone, come = sorted(before.parameters - after.parameters), sorted(after.parameters - before.parameters)
    if len(gone) == len(come) == 1 and _agree(tried := _renamed(named, {gone[0]: come[0]}), after, come[0]):
        return tried, Taken(as_often, ((come[0], gone[0]),))
    return named, Taken(as_often)


def _agree(before: Launch, after: Launch, name: str) -> bool:
    """Whether some bound that depends on a size is the same on both sides."""
    both = (
        (one.warp.upper, after.metrics[key].warp.upper) for key, one in before.metrics.items() if key in after.metrics
    )
    return any(a is not None and a == b and name in symbols(a) for a, b in both)


def _same_trips(before: Launch, after: Launch) -> Iterator[tuple[str, str]]:
    mine, theirs = _trips_by_head(before), _trips_by_head(after)
    for head, names in mine.items():
        yield from zip(names, theirs.get(head, ()))


def _trips_by_head(launch: Launch) -> Mapping[str, list[str]]:
    """Names of counts by the texts of their loops' heads, in the order of lines."""
    found: dict[str, list[str]] = {}
    names = sorted((line, name) for name in set(launch.names.values()) if (line := trip_line(name)) is not None)
    for line, name in names:
        head = next((loop.head for loop in launch.loops if loop.line == line and _counts(loop, name)), None)
        if head is not None:
            found.setdefault(head, []).append(name)
    return found


def _counts(loop: Loop, name: str) -> bool:
    return loop.rounds is not None and Symbol(name) in loop.rounds


def _renamed(launch: Launch, names: Mapping[str, str]) -> Launch:
    values = {old: symbol(new) for old, new in names.items()}

    def of(expression: Expression | None) -> Expression | None:
        return expression and substitute(expression, values)

    def amount(one: Amount) -> Amount:
        cases = tuple(replace(case, upper=of(case.upper)) for case in one.cases)
        return replace(one, upper=of(one.upper), cases=cases)

    def metric(one: Metric) -> Metric:
        places = tuple(replace(place, cost=of(place.cost)) for place in one.places)
        return Metric(one.name, amount(one.warp), amount(one.block), amount(one.launch), places)

    def loop(one: Loop) -> Loop:
        return replace(one, rounds=one.rounds and tuple(substitute(atom, values) for atom in one.rounds))

    return replace(
        launch,
        metrics={name: metric(one) for name, one in launch.metrics.items()},
        loops=tuple(map(loop, launch.loops)),
        names={safe: names.get(source, source) for safe, source in launch.names.items()},
    )


def per_round(
    before: Expression, after: Expression, mine: tuple[Launch, Metric], theirs: tuple[Launch, Metric]
) -> PerRound | None:
    """What changed in an iteration of loops with the same number of iterations; None where something else did, too."""
    a, b = rational(before), rational(after)
    different = [atoms for atoms in {**a, **b} if a.get(atoms) != b.get(atoms)]
    if len(different) != 1 or not different[0]:
        return None
    (rounds,) = different
    old, new = a.get(rounds, 0), b.get(rounds, 0)
    if old != int(old) or new != int(new):
        return None
    for gone, side in ((False, theirs), (True, mine)):
        loops = [loop for loop in side[0].loops if loop.rounds == rounds]
        if loops and not (gone and new):  # otherwise it is another loop that goes round as often, or more often, now
            lines = _of_changed(loops, mine, theirs, gone) or tuple(dict.fromkeys(loop.line for loop in loops))
            return PerRound(int(old), int(new), lines, gone)
    return None


def _of_changed(
    loops: Sequence[Loop], mine: tuple[Launch, Metric], theirs: tuple[Launch, Metric], gone: bool
) -> tuple[int, ...]:
    """The lines of the loops in which places changed: of each place the last one that begins before it."""
    costs = [{(place.text, place.cost): place.line for place in metric.places} for _, metric in (mine, theirs)]
    own, other = (costs[0], costs[1]) if gone else (costs[1], costs[0])
    changed = [line for key, line in own.items() if key not in other]
    around = {max((loop.line for loop in loops if loop.line <= line), default=0) for line in changed}
    return tuple(sorted(around - {0}))
