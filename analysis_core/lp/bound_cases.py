"""Cases of bounds that are not exact for all sizes: aligned ones ("when w % 32 == 0 and w >= 32"), and those that are not small
("when n >= 25").

*Aligned.*  All is inferred anew for sizes that are multiples of a warp, or of the block.  A size that only decides where rows
begin need be no more than a multiple of a sector.

*Not small.*  The bound stays; where sizes are at least so much, the first block surely pays it.  Tried are lanes up to one in the
last sector of a warp that reads neighbouring elements (25 of 4 bytes), and if that is not enough all lanes of the first two warps:
the first one may be the only one at an edge, as in a stencil.

Either needs sizes for which guards let these lanes pass (least_sizes.py); their number where no guard says how much that is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import BoundCase, MetricBound, SumBound
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

Metrics = Mapping[str, MetricBound]
Lowers = Callable[[str], list[Expression]]


@dataclass(frozen=True, slots=True, eq=False)
class Asking:
    """How bounds are inferred for a case. `metrics` gives the bounds of named metrics for an interpretation; `surely`
    gives, for an interpretation of the first block, what each class of its warps surely pays."""

    kernel: Kernel
    launch: Launch
    events: Events
    facts: KernelFacts
    settings: Settings
    metrics: Callable[[Kernel, Events, Sequence[str]], Metrics]
    surely: Callable[[Kernel, Events], Lowers]


def with_cases(known: Metrics, ask: Asking) -> dict[str, MetricBound]:
    """The bounds with their cases."""
    result = dict(known)
    inexact = [m for m, bound in known.items() if not bound.per_warp.exact and bound.per_warp.because is None]
    if not inexact or not ask.settings.bound_cases or ask.events.size > _MOST_EVENTS:
        return result
    rows, lanes = _row_sizes(ask), lane_sizes(ask.events)
    left, by_warp = list(inexact), list(inexact)
    for unit, leasts in _attempts(ask, rows, lanes):
        units = {**rows, **{name: max(unit, rows.get(name, 1)) for name in lanes}}
        found = _aligned(ask, units, leasts, left)
        if found is None:
            break
        when, aligned = found
        for metric in [m for m in left if aligned[m].per_warp.exact]:
            result[metric] = _with_case(result[metric], when, aligned[metric])
            left.remove(metric)
        by_warp = list(left) if unit == _WARP else by_warp
        left = [
            m for m in left if aligned[m].per_warp.upper is not None
        ]  # what takes too much work takes it at other multiples, too
        if not left:
            break
    if lanes and not rows:
        for metric, case in _large(ask, {m: known[m] for m in inexact}, sorted(lanes), by_warp).items():
            warp = result[metric].per_warp
            result[metric] = replace(result[metric], per_warp=replace(warp, cases=(*warp.cases, case)))
    return result


def _with_case(bound: MetricBound, when: str, found: MetricBound) -> MetricBound:
    """The bound with what holds in a case."""

    def sums(known: SumBound, case: SumBound) -> SumBound:
        return replace(known, cases=(BoundCase(when, case.upper, case.lower, case.exact),))

    warp = found.per_warp
    case = BoundCase(when, warp.upper, warp.worst_lower, warp.exact)
    return replace(
        bound,
        per_warp=replace(bound.per_warp, cases=(case,)),
        per_block=sums(bound.per_block, found.per_block),
        per_launch=sums(bound.per_launch, found.per_launch),
    )


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


# --- aligned sizes --------------------------------------------------------------------------------------------------


def _aligned(
    ask: Asking, units: Mapping[str, int], leasts: Mapping[str, int], metrics: Sequence[str]
) -> tuple[str, Metrics] | None:
    """The bounds of these metrics where sizes are multiples of these units, and at least so much; None if that cannot be
    assumed."""
    whole = {name: -(-max(unit, leasts.get(name, 1)) // unit) * unit for name, unit in units.items()}
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


def _large(ask: Asking, inexact: Metrics, sizes: list[str], wanted: Sequence[str]) -> dict[str, BoundCase]:
    """Per metric, the case of sizes that are at least so much, exact.  `wanted`: metrics worth another attempt, which are those
    without a case of sizes that are multiples of a warp."""
    left = {m: bound.per_warp.upper for m, bound in inexact.items()}
    found: dict[str, BoundCase] = {}
    for leasts in _leasts(ask, sizes):
        lowers = None if found and left.keys().isdisjoint(wanted) else _first_block(ask, leasts)
        if lowers is None:
            break
        when = " and ".join(f"{ex.safe_name(size)} >= {least}" for size, least in leasts.items())
        for metric, upper in list(left.items()):
            if upper is not None and upper in lowers(metric):
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


def _first_block(ask: Asking, leasts: Mapping[str, int]) -> Lowers | None:
    """What the first block surely pays where the sizes are at least that; None if that cannot be assumed."""
    inner = assuming_at_least(ask.kernel, leasts)
    if inner is None:
        return None
    found = interpret(inner, ask.launch, ask.settings, (0, 0, 0))
    return ask.surely(inner, found) if found.rejected == ask.events.rejected else None
