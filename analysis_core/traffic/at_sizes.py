"""Accesses that use sectors together with others at the sizes that launches pass, not at any size.

    for (c = 0; c < width; c++) sum += row[width * i + c];     <<<..>>>(.., 8)

With 8 in place of `width` the rounds of a lane lie in one sector.  Where launches pass several small numbers (dimensions of 2, 5 and 10), it
is asked at the least and at the greatest of them; then, as where only what is accessed says how long a row is (program/filled_rows), the
access is told with a word on it at best.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.events import AccessEvent
from analysis_core.requests.facts import AccessFact
from analysis_core.traffic.seen_sizes import SeenSizes
from analysis_core.traffic.side_by_side import SideBySide, Together
from analysis_core.traffic.traffic import Reuse, Traffic

Told = tuple[AccessFact, Traffic]
"""An access as findings would speak of it."""


@dataclass(frozen=True, slots=True)
class AtSizes:
    """By places of accesses: those that waste nothing at these sizes (`spared`), and who uses the sectors of others."""

    spared: frozenset[int] = frozenset()
    reuse: Mapping[int, Reuse] = field(default_factory=dict)

    @staticmethod
    def of(
        told: Sequence[Told],
        groups: Sequence[list[AccessEvent]],
        seen: SeenSizes,
        ends: Sequence[SeenSizes],
        side_by_side: SideBySide,
    ) -> AtSizes:
        """Those whose place or whose rounds rest on sizes that are seen, or of which these ends are."""
        if not (seen.values or ends):
            return AtSizes()
        asked = _Asked(told, groups, side_by_side)
        dear = asked.resting_on(seen.values.keys())
        spared = frozenset[int]()
        found: dict[int, Reuse] = {}
        if seen.values and dear:
            passed = {symbol.name for symbol in seen.passed}
            beside = asked.at(seen, dear)
            left = {place: [e for e in groups[place] if seen.at(e) is not None] for place in dear}
            spared = frozenset(p for p in dear if passed.issuperset(told[p][1].seen) and beside.are_idle(left[p]))
            found = {p: beside.reuse(left[p]) for p in dear if p not in spared}
        sure = spared.union(p for p, reuse in found.items() if reuse is not Reuse.NONE)
        rest = [p for p in asked.resting_on(ends[0].values.keys()) if p not in sure] if ends else []
        at_ends: dict[int, Reuse] = {}
        for sizes in ends:
            beside = asked.at(sizes, rest)
            for place in rest:
                reuse = beside.reuse([e for e in groups[place] if sizes.at(e) is not None])
                at_ends[place] = min(reuse, at_ends.get(place, reuse))
        return AtSizes(spared, {**found, **at_ends})

    def told(self, place: int, traffic: Traffic) -> Traffic:
        """The traffic of an access with that."""
        if place in self.spared and not traffic.spared:
            return replace(traffic, spared=True)
        return replace(traffic, reuse=max(traffic.reuse, self.reuse.get(place, Reuse.NONE)))


@dataclass(frozen=True, slots=True)
class _Asked:
    """`told`: what findings would speak of, by place."""

    told: Sequence[Told]
    groups: Sequence[list[AccessEvent]]
    side_by_side: SideBySide

    def resting_on(self, sizes: Collection[Symbol]) -> list[int]:
        """The dear accesses of arrays in which some place, or the number of rounds that walk there, rests on sizes."""
        every = {*sizes, *self.side_by_side.rounds.sized}
        resting = zip(self.told, self.groups, strict=True)
        bases = {
            fact.base
            for (fact, traffic), group in resting
            if traffic.seen or any(_has(event, every) for event in group)
        }
        return [place for place, told in enumerate(self.told) if told[0].base in bases and _is_wasteful(*told)]

    def at(self, sizes: SeenSizes, places: Collection[int]) -> Together:
        """What these accesses use with others at these sizes."""
        looked_at = {e.access.id for place in places for e in self.groups[place]}
        return self.side_by_side.use_together_at(looked_at, sizes.at, sizes.numbers())


def _has(event: AccessEvent, symbols: Collection[Symbol]) -> bool:
    return any(symbol in symbols for symbol in event.address.poly.symbols())


def _is_wasteful(fact: AccessFact, traffic: Traffic) -> bool:
    return fact.worst > fact.ideal and not traffic.spared
