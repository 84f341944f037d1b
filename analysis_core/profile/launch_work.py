"""The requests that a warp of a launch makes, in the names of the kernel's parameters: at least, and at most.

    for (int k = threadIdx.x; k < n; k += blockDim.x) sum += p[k];     // at most n / 256 + 1, at least n / 256

At most: those of all accesses together, or executions of the condition that a warp comes to most often, if these are more; None where a loop of unknown
length is among them.  At least: those of the access that all warps of a block together make most often, shared out evenly among them, where data holds
none of them back and more than one block makes them; loops of unknown length make one round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from operator import add

from analysis_core.expressions.expression import (
    CeilDiv,
    Expression,
    FloorDiv,
    Integer,
    Maximum,
    Minimum,
    Modulo,
    Product,
    Sum,
    Symbol,
    fold,
    symbols,
)
from analysis_core.machine.sizes import WARP
from analysis_core.profile.access_profile import AccessProfile, KernelProfile, LaunchWork
from analysis_core.profile.sizes import representative_sizes, symbol_infos
from analysis_core.program.host.size_products import (
    ONE,
    Sizes,
    amount,
    at_usual_sizes,
    itself,
    pointwise,
    product_of,
    quotient,
)
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass


def work_of_launch(profile: KernelProfile, settings: Settings) -> LaunchWork:
    """The requests that a warp of this launch makes."""
    told = {one.name: one.least for one in profile.ranges if one.least is not None and one.name in profile.settled}
    told |= {name: one.low for name, one in profile.trips.items() if name in profile.settled}
    infos = symbol_infos(profile.facts)
    known = {name: told.get(info.source) for name, info in infos.items() if info.source in told}
    trips = {name for name, info in infos.items() if info.kind == "trip" and info.source not in told}
    most = _most(profile, _Reading(known, trips, True))
    each = (_least(access, profile, _Reading(known, trips, False)) for access in profile.accesses)
    least = max((sizes for sizes in each if sizes is not None), key=at_usual_sizes, default=ONE)
    sizes = representative_sizes(profile, settings)
    moved = ((one, one.fact.block.executed) for one in profile.accesses)
    traffic = sum(one.each * (sizes.at(times) or 0) for one, times in moved if times is not None) / prod(
        profile.facts.block
    )
    work = LaunchWork(amount(least), None if most is None else amount(most), traffic)
    if not is_fixed(profile, grid=False):
        return work
    made = [access.fact.requests * sizes.executions(access.fact.times, settings) for access in profile.accesses]
    passed = [sizes.executions(branch.fact.times, settings) for branch in profile.branches]
    return replace(work, requests=max(sum(made), *passed, 1), deepest=max((*made, *passed), default=0))


def work_of_any(launches: Sequence[LaunchWork]) -> LaunchWork | None:
    """What holds of the work of a kernel in each of these launches; None without launches."""
    if not launches:
        return None
    least = min((work.least for work in launches), key=lambda sizes: at_usual_sizes(dict(sizes)))
    most: Sizes | None = {}
    for work in launches:
        most = pointwise(most, None if work.most is None else dict(work.most), max)
    return LaunchWork(least, None if most is None else amount(most), max(work.traffic for work in launches))


def is_fixed(profile: KernelProfile, grid: bool = True) -> bool:
    """Whether constants alone decide how often a warp does each thing; with `grid`, together with the number of
    blocks."""
    told, infos = profile.settled, symbol_infos(profile.facts)
    names = {name for name, info in infos.items() if not (grid and info.kind == "grid") and info.source not in told}
    return all(times is not None and names.isdisjoint(symbols(times)) for times in _times(profile))


def _times(profile: KernelProfile) -> Iterator[Expression | None]:
    yield from (access.fact.times for access in profile.accesses)
    yield from (branch.fact.times for branch in profile.branches)


def _most(profile: KernelProfile, reading: _Reading) -> Sizes | None:
    total: Sizes | None = {}
    for access in profile.accesses:
        made = None if access.fact.times is None else reading.of(access.fact.times)
        total = pointwise(total, product_of((made, {(): Fraction(access.fact.requests)})), add)
    for branch in profile.branches:
        total = pointwise(total, None if branch.fact.times is None else reading.of(branch.fact.times), max)
    return total if total is None or any(total.values()) else ONE


def _least(access: AccessProfile, profile: KernelProfile, reading: _Reading) -> Sizes | None:
    often, executed = access.frequency, access.fact.block.executed
    if executed is None or often.rarity or often.ends or often.at_edge or often.one_block is not None:
        return None
    return product_of((reading.of(executed), {(): Fraction(1, -(-prod(profile.facts.block) // WARP))}))


@dataclass(frozen=True, slots=True)
class _Reading:
    """Expressions as sums of products of sizes, rounded up (`up`) or down.  `known`: names that stand for a number; `trips`: for lengths of loops
    that nobody knows."""

    known: Mapping[str, int | None]
    trips: Iterable[str]
    up: bool

    def of(self, expression: Expression) -> Sizes | None:
        """None where it cannot be read."""
        return fold(expression, self._combined)

    def _combined(self, node: Expression, below: tuple[Sizes | None, ...]) -> Sizes | None:
        match node:
            case Integer(value):
                return {(): Fraction(value)}
            case Symbol(name):
                return self._symbol(name)
            case Product():
                return product_of(below)
            case Sum():
                return self._sum(below)
            case CeilDiv() | FloorDiv():
                left, right = below
                found = None if left is None or right is None else quotient(left, right)
                return pointwise(found, ONE, add) if self.up and isinstance(node, CeilDiv) else found
            case Modulo():
                return below[1] if self.up else None
            case Maximum():
                return self._greatest(below)
            case Minimum():
                known = [sizes for sizes in below if sizes is not None]
                is_read = len(known) == len(below) or (self.up and known)
                return min(known, key=at_usual_sizes) if is_read else None
            case _:
                return None

    def _symbol(self, name: str) -> Sizes | None:
        number = self.known.get(name)
        if number is not None:
            return {(): Fraction(number)}
        if name in self.trips:
            return None if self.up else ONE
        return itself(name)

    def _sum(self, terms: Iterable[Sizes | None]) -> Sizes | None:
        """Of what is taken away nothing is counted where at most is asked."""
        total: Sizes | None = {}
        for term in terms:
            more = {p: c for p, c in term.items() if c > 0 or not p} if term is not None and self.up else term
            total = pointwise(total, more, add)
        is_less = total is not None and any(c < 0 and p for p, c in total.items())
        return None if is_less else total

    def _greatest(self, below: Iterable[Sizes | None]) -> Sizes | None:
        each = list(below)
        if not self.up:
            return max((sizes for sizes in each if sizes is not None), key=at_usual_sizes, default=None)
        total: Sizes | None = {}
        for sizes in each:
            total = pointwise(total, sizes, max)
        return total
