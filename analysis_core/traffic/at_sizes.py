"""Accesses that use sectors together with others at the sizes that launches pass, not at any size.

    for (c = 0; c < width; c++) sum += row[width * i + c];     <<<..>>>(.., 8)

With 8 in place of `width` the rounds of a lane lie in one sector.  Where launches pass several small numbers (dimensions of 2, 5 and 10), it
is asked at the least and at the greatest of them; then the access is told with a word on it at best.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.events import AccessEvent
from analysis_core.requests.facts import AccessFact
from analysis_core.text.records import dataclass
from analysis_core.traffic.seen_sizes import SeenSizes
from analysis_core.traffic.side_by_side import SideBySide
from analysis_core.traffic.traffic import Reuse, Traffic

Told = tuple[AccessFact, Traffic]
"""An access as findings would speak of it."""


@dataclass(frozen=True, slots=True)
class AtSizes:
    """What accesses use with others at certain sizes.  `told`: by place, what findings would speak of; `groups`: their executions."""

    told: Sequence[Told]
    groups: Sequence[list[AccessEvent]]
    side_by_side: SideBySide

    def traffic(self, seen: SeenSizes, ends: Sequence[SeenSizes]) -> dict[int, Traffic]:
        """By place, the traffic of accesses that others spare, or whose sectors they use, at the sizes that are seen, or at each of these ends."""
        found: dict[int, Traffic] = {}
        passed = {symbol.name for symbol in seen.passed}
        for place, (is_idle, reuse) in (self._beside(seen, seen.values.keys()) if seen.values else {}).items():
            if is_idle and passed.issuperset(self.told[place][1].seen):
                found[place] = Traffic(spared=True)
            elif reuse is not Reuse.NONE:
                found[place] = Traffic(reuse=reuse)
        at_ends = [self._beside(sizes, ends[0].values.keys()) for sizes in ends]
        for place in at_ends[0] if at_ends else ():
            found.setdefault(place, Traffic(reuse=min(beside[place][1] for beside in at_ends)))
        return found

    def _beside(self, sizes: SeenSizes, rest_on: Collection[Symbol]) -> dict[int, tuple[bool, Reuse]]:
        """By place, of wasteful accesses to arrays in which some place, or the number of rounds that walk there, rests on sizes: whether they
        waste nothing, and who uses their sectors."""
        asked = {*rest_on, *self.side_by_side.rounds.sized}
        both = list(enumerate(zip(self.told, self.groups, strict=True)))
        bases = {
            fact.base for _, ((fact, traffic), group) in both if traffic.seen or any(_has(e, asked) for e in group)
        }
        dear = [
            p
            for p, ((fact, traffic), _) in both
            if fact.base in bases and fact.worst > fact.ideal and not traffic.spared
        ]
        if not dear:
            return {}
        looked_at = {e.access.id for place in dear for e in self.groups[place]}
        together = self.side_by_side.use_together_at(looked_at, sizes.at, sizes.numbers())
        left = {place: [e for e in self.groups[place] if sizes.at(e) is not None] for place in dear}
        return {place: (together.are_idle(group), together.reuse(group)) for place, group in left.items()}


def with_others(traffic: Traffic, at_sizes: Traffic | None) -> Traffic:
    """The traffic of an access with what it is at the sizes that launches pass."""
    if at_sizes is None or traffic.spared:
        return traffic
    return replace(traffic, spared=at_sizes.spared, reuse=max(traffic.reuse, at_sizes.reuse))


def _has(event: AccessEvent, symbols: Collection[Symbol]) -> bool:
    return any(symbol in symbols for symbol in event.address.poly.symbols())
