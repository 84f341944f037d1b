"""Cases of bounds that are not exact for all sizes: aligned ones ("when w % 32 == 0 and w >= 32"), and those that are not small
("when n >= 25").

*Aligned.*  All is inferred anew for sizes that are multiples of a warp, or of the block.  A size that only decides where rows
begin need be no more than a multiple of a sector.

*Not small.*  The bound stays; where sizes are at least so much, the first block surely pays it.  Tried are lanes up to one in the
last sector of a warp that reads neighbouring elements (25 of 4 bytes), and if that is not enough all lanes of the first two warps:
the first one may be the only one at an edge, as in a stencil.

Either needs sizes for which guards let these lanes pass (least_sizes.py); their number where no guard says how much that is.

Both are skipped for metrics of which the first block's warps may pay different sums where all that is assumed in any of these cases
holds (runs_differ.py): data decide, and no size does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import lcm, prod
from typing import Protocol

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import BoundCase, MetricBound
from analysis_core.expressions.conditions import holds, least_values
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.assuming import assuming_at_least, assuming_multiples
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.lp.ends import LARGE
from analysis_core.lp.least_sizes import is_size, lane_sizes, least_sizes
from analysis_core.machine.global_memory import SECTOR_BYTES
from analysis_core.program.launch import Launch
from analysis_core.requests.facts import KernelFacts
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass

_MOST_EVENTS = 150
"""Accesses and branches up to which a kernel is looked at again in the case of aligned sizes: that costs about as much as
looking at it the first time, twice."""

_MOST_IN_CASE = 1500
"""Events of the case itself, up to which bounds are inferred.  More are rounds of nested loops that surely run, met one by one; linear
programs with all of these take the longest of all and find nothing exact."""

_WARP = 32

_FAR = 8
"""How many times the least size of a case is looked at to find out whether data decide."""

Metrics = Mapping[str, MetricBound]


class FirstBlock(Protocol):
    """What the warps of the first block pay."""

    def lowers(self, metric: str) -> list[Expression]:
        """What each class of its warps surely pays."""

    def is_open(self, metric: str, sizes: Mapping[str, int]) -> bool:
        """Whether each class of its warps may pay more or less at these sizes."""


@dataclass(frozen=True, slots=True, eq=False)
class Asking:
    """How bounds are inferred for a case. `metrics` gives the bounds of named metrics for an interpretation, `first` what is known of the
    first block from an interpretation of it."""

    kernel: Kernel
    launch: Launch
    events: Events
    facts: KernelFacts
    settings: Settings
    metrics: Callable[[Kernel, Events, Sequence[str]], Metrics]
    first: Callable[[Kernel, Events], FirstBlock]


def with_cases(known: Metrics, ask: Asking) -> dict[str, MetricBound]:
    """The bounds with their cases."""
    result = dict(known)
    inexact = [m for m, bound in known.items() if not bound.per_warp.exact and bound.per_warp.because is None]
    if not inexact or not ask.settings.bound_cases or ask.events.size > _MOST_EVENTS:
        return result
    rows, lanes = _row_sizes(ask), lane_sizes(ask.events)
    attempts = [(unit, _multiples(unit, rows, lanes), leasts) for unit, leasts in _attempts(ask, rows, lanes)]
    open_ones = _open_in_all(ask, [(units, leasts) for _, units, leasts in attempts], inexact)
    left, by_warp = [m for m in inexact if m not in open_ones], list(inexact)
    for unit, units, leasts in attempts:
        found = _aligned(ask, units, leasts, left) if left else None
        if found is None:
            break
        when, aligned = found
        for metric in [m for m in left if aligned[m].per_warp.exact]:
            result[metric] = result[metric].in_case(when, aligned[metric])
            left.remove(metric)
        by_warp = [*left, *open_ones] if unit == _WARP else by_warp
        left = [
            m for m in left if aligned[m].per_warp.upper is not None
        ]  # what takes too much work takes it at other multiples, too
    if lanes and not rows:
        for metric, case in _large(ask, {m: known[m] for m in inexact}, open_ones, sorted(lanes), by_warp).items():
            warp = result[metric].per_warp
            result[metric] = replace(result[metric], per_warp=replace(warp, cases=(*warp.cases, case)))
    return result


# --- sizes ----------------------------------------------------------------------------------------------------------


def _row_sizes(ask: Asking) -> dict[str, int]:
    """Those that decide what an access costs, with the multiples that put rows at the beginning of a sector, or in shared
    memory of all its banks."""
    ranged = {number for fact in ask.facts.accesses if fact.worst != fact.best for number in fact.ids}
    found: dict[str, int] = {}
    for event in ask.events.accesses:
        if event.access.id in ranged:
            narrow = max(1, SECTOR_BYTES // max(1, event.access.width))
            unit = _WARP if event.space is not Space.GLOBAL else narrow
            for symbol in filter(is_size, event.address.poly.symbols()):
                found[symbol.name] = max(unit, found.get(symbol.name, 1))
    return found


def _attempts(ask: Asking, rows: Mapping[str, int], lanes: Collection[str]) -> Iterator[tuple[int, Mapping[str, int]]]:
    """Units for the sizes that guards compare with lanes, and the least values of sizes, to be tried one after the other until all is exact."""
    if lanes:
        yield from ((unit, least_sizes(ask.events, unit)) for unit in _units(ask.launch))
    elif rows:
        yield _WARP, {}
        apart = _apart(ask, rows)
        if any(apart.get(name, 0) > unit for name, unit in rows.items()):
            yield _WARP, apart


def _apart(ask: Asking, rows: Mapping[str, int]) -> Mapping[str, int]:
    """From what sizes on rows that begin with a sector share none, as accesses' own cases tell."""
    found: dict[str, int] = {}
    far = {ex.safe_name(name): LARGE * unit for name, unit in rows.items()}
    for when in (case.when for fact in ask.facts.accesses for case in fact.cases):
        if holds(when, far):
            for name, least in least_values(when).items():
                found[name] = max(least, found.get(name, 0))
    return {name: found[ex.safe_name(name)] for name in rows if ex.safe_name(name) in found}


def _units(launch: Launch) -> list[int]:
    x, y, z = launch.block
    return [_WARP, x * y * z] if x * y * z > _WARP else [_WARP]


def _multiples(unit: int, rows: Mapping[str, int], lanes: Collection[str]) -> dict[str, int]:
    """What sizes are multiples of in a case of this unit."""
    return {**rows, **{name: max(unit, rows.get(name, 1)) for name in lanes}}


# --- what data decide -----------------------------------------------------------------------------------------------


def _open_in_all(
    ask: Asking, cases: Sequence[tuple[Mapping[str, int], Mapping[str, int]]], metrics: Sequence[str]
) -> frozenset[str]:
    """The metrics that are exact in none of these cases (multiples, least sizes): not even where all of them hold."""
    units: dict[str, int] = {}
    leasts: dict[str, int] = {}
    for multiples, least in cases:
        for name, unit in multiples.items():
            units[name] = lcm(unit, units.get(name, 1))
            leasts[name] = max(least.get(name, 1), leasts.get(name, 1))
    whole = _whole(units, leasts)
    inner = assuming_multiples(ask.kernel, units, whole) if units else None
    if inner is None:
        return frozenset()
    found = interpret(inner, ask.launch, ask.settings, (0, 0, 0))
    if found.rejected != ask.events.rejected or found.size > _MOST_IN_CASE:
        return frozenset()
    first, sizes = ask.first(inner, found), {ex.safe_name(name): _FAR * least for name, least in whole.items()}
    return frozenset(metric for metric in metrics if first.is_open(metric, sizes))


def _whole(units: Mapping[str, int], leasts: Mapping[str, int]) -> dict[str, int]:
    """The least multiple of each unit that is at least so much."""
    return {name: -(-max(unit, leasts.get(name, 1)) // unit) * unit for name, unit in units.items()}


# --- aligned sizes --------------------------------------------------------------------------------------------------


def _aligned(
    ask: Asking, units: Mapping[str, int], leasts: Mapping[str, int], metrics: Sequence[str]
) -> tuple[str, Metrics] | None:
    """The bounds of these metrics where sizes are multiples of these units, and at least so much; None if that cannot be
    assumed."""
    whole = _whole(units, leasts)
    inner = assuming_multiples(ask.kernel, units, whole)
    if inner is None:
        return None
    found = interpret(inner, ask.launch, ask.settings)
    if found.rejected != ask.events.rejected or found.size > _MOST_IN_CASE:
        return None
    names = {name: ex.safe_name(name) for name in sorted(units)}
    conditions = [f"{safe} % {units[name]} == 0" for name, safe in names.items()]
    conditions += [f"{safe} >= {whole[name]}" for name, safe in names.items()]
    return " and ".join(conditions), ask.metrics(inner, found, metrics)


# --- sizes that are not small ---------------------------------------------------------------------------------------


def _large(
    ask: Asking, inexact: Metrics, open_ones: Collection[str], sizes: list[str], wanted: Sequence[str]
) -> dict[str, BoundCase]:
    """Per metric, the case of sizes that are at least so much, exact, but of no metric that data keep open.  `wanted`: metrics worth
    another attempt, which are those without a case of sizes that are multiples of a warp."""
    left = {m: bound.per_warp.upper for m, bound in inexact.items()}
    found: dict[str, BoundCase] = {}
    for leasts in _leasts(ask, sizes):
        if left.keys() <= set(open_ones) or (found and left.keys().isdisjoint(wanted)):
            break
        first = _first_block(ask, leasts)
        if first is None:
            break
        when = " and ".join(f"{ex.safe_name(size)} >= {least}" for size, least in leasts.items())
        for metric, upper in list(left.items()):
            if upper is not None and metric not in open_ones and upper in first.lowers(metric):
                del left[metric]
                found[metric] = BoundCase(when, upper, upper, True)
    return found


def _leasts(ask: Asking, sizes: Sequence[str]) -> list[dict[str, int]]:
    """The sizes from which on the first warp has a lane in its last sector, and from which on the first two are whole."""

    def leasts(lanes: int) -> dict[str, int]:
        needed = least_sizes(ask.events, lanes)
        return {size: needed.get(size, lanes) for size in sizes}

    widest = max((e.access.width for e in ask.events.accesses if e.space is Space.GLOBAL), default=SECTOR_BYTES)
    beside = max(0, SECTOR_BYTES // widest - 1)
    one = {size: least - beside if least > beside else least for size, least in leasts(_WARP).items()}
    two = leasts(min(2 * _WARP, prod(ask.launch.block)))
    return [two] if one == two else [one, two]


def _first_block(ask: Asking, leasts: Mapping[str, int]) -> FirstBlock | None:
    """What the first block surely pays where the sizes are at least that; None if that cannot be assumed."""
    inner = assuming_at_least(ask.kernel, leasts)
    if inner is None:
        return None
    found = interpret(inner, ask.launch, ask.settings, (0, 0, 0))
    return ask.first(inner, found) if found.rejected == ask.events.rejected else None
