"""Cases of bounds that are not exact for all sizes: aligned ones ("when w % 32 == 0 and w >= 32"), and those that are not small
("when n >= 25").

*Aligned.*  All is inferred anew for sizes that are multiples of a warp, or of the block.  A size that only decides where rows
begin need be no more than a multiple of a sector.

*Not small.*  The bound stays; where sizes are at least so much, the first block surely pays it.  Tried are lanes up to one in the
last sector of a warp that reads neighbouring elements (25 of 4 bytes), and if that is not enough all lanes of a warp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis_core.cost import expression as ex
from analysis_core.cost.bounds import BoundCase, MetricBound, SumBound
from analysis_core.cost.expression import Expression
from analysis_core.cost.facts import KernelFacts
from analysis_core.domains.condition import atoms
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.events import Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.assuming import assuming_at_least, assuming_multiples
from analysis_core.ir.launch import Launch
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.machine.global_memory import SECTOR_BYTES
from analysis_core.support.settings import Settings

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
    """How bounds are inferred: `metrics`, those of these names from an interpretation; `surely`, from one of the first block what each
    class of its warps surely pays in a metric."""

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
    rows, lanes = _row_sizes(ask), _lane_sizes(ask.events)
    left = list(inexact)
    for unit in _units(ask.launch) if lanes else [_WARP] if rows else ():
        found = _aligned(ask, {**rows, **{name: max(unit, rows.get(name, 1)) for name in lanes}}, left)
        if found is None:
            break
        when, aligned = found
        for metric in [m for m in left if aligned[m].per_warp.exact]:
            result[metric] = _with_case(result[metric], when, aligned[metric])
            left.remove(metric)
        if not left:
            break
    if lanes and not rows:
        for metric, case in _large(ask, known, inexact, sorted(lanes)).items():
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


def _lane_sizes(events: Events) -> set[str]:
    """Integer parameters that decide which lanes of a warp run."""
    return {
        symbol.name
        for event in events.branches
        for condition in event.conditions
        for atom in atoms(condition)
        if atom.poly is not None and atom.level is Level.LANE and not atom.data
        for symbol in atom.poly.symbols()
        if _is_size(symbol)
    }


def _row_sizes(ask: Asking) -> dict[str, int]:
    """Those that decide what an access costs, with the multiples that put rows at the beginning of a sector, or in shared
    memory of all its banks."""
    ranged = {number for fact in ask.facts.accesses if fact.worst != fact.best for number in fact.ids}
    found: dict[str, int] = {}
    for event in ask.events.accesses:
        if event.access.id in ranged:
            narrow = max(1, SECTOR_BYTES // max(1, event.access.width))
            unit = _WARP if event.space is not Space.GLOBAL else narrow
            for symbol in filter(_is_size, event.address.poly.symbols()):
                found[symbol.name] = max(unit, found.get(symbol.name, 1))
    return found


def _is_size(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.PARAMETER and symbol.low != symbol.high


def _units(launch: Launch) -> list[int]:
    x, y, z = launch.block
    return [_WARP, x * y * z] if x * y * z > _WARP else [_WARP]


# --- aligned sizes --------------------------------------------------------------------------------------------------


def _aligned(ask: Asking, units: Mapping[str, int], metrics: Sequence[str]) -> tuple[str, Metrics] | None:
    """The bounds of these metrics where sizes are multiples of these units; None if that cannot be assumed."""
    inner = assuming_multiples(ask.kernel, units)
    if inner is None:
        return None
    found = interpret(inner, ask.launch, ask.settings)
    if found.rejected != ask.events.rejected or found.size > _MOST_IN_CASE:
        return None
    safe = {ex.safe_name(name): unit for name, unit in sorted(units.items())}
    conditions = [f"{n} % {unit} == 0" for n, unit in safe.items()] + [f"{n} >= {unit}" for n, unit in safe.items()]
    return " and ".join(conditions), ask.metrics(inner, found, metrics)


# --- sizes that are not small ---------------------------------------------------------------------------------------


def _large(ask: Asking, known: Metrics, metrics: Iterable[str], sizes: list[str]) -> dict[str, BoundCase]:
    """Per metric, the case of sizes that are at least so much, exact."""
    left = {m: upper for m in metrics if (upper := known[m].per_warp.upper) is not None}
    found: dict[str, BoundCase] = {}
    for least in _leasts(ask.events):
        lowers = None if found else _first_block(ask, sizes, least)
        if lowers is None:
            break
        when = " and ".join(f"{ex.safe_name(size)} >= {least}" for size in sizes)
        for metric in [m for m, upper in left.items() if upper in lowers(m)]:
            upper = left.pop(metric)
            found[metric] = BoundCase(when, upper, upper, True)
    return found


def _leasts(events: Events) -> list[int]:
    widest = max((e.access.width for e in events.accesses if e.space is Space.GLOBAL), default=0)
    return sorted({_WARP + 1 - SECTOR_BYTES // widest, _WARP}) if 0 < widest <= SECTOR_BYTES else [_WARP]


def _first_block(ask: Asking, sizes: list[str], least: int) -> Lowers | None:
    """What the first block surely pays where the sizes are at least that; None if that cannot be assumed."""
    inner = assuming_at_least(ask.kernel, sizes, least)
    if inner is None:
        return None
    found = interpret(inner, ask.launch, ask.settings, (0, 0, 0))
    return ask.surely(inner, found) if found.rejected == ask.events.rejected else None
