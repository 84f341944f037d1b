"""Precision counted by places of the source: an access that a template repeats 12 times is one place, not 12.

A place is a span with the text of the access there; its *occurrences* are the accesses that the instantiations, inlined
calls and launch configurations make of it.  Two shares are told of each figure, because neither is the whole truth:

    worst   places all of whose occurrences are good: what a reader of the source can rely on
    mean    each place by the part of its occurrences that is good: a place counts as one, however often it is repeated

Only occurrences whose index does not come from memory count, as in `report.precision`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field

from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Place = tuple[Span, str]
"""Where the access stands, and how it is spelled there (a macro may make several accesses at one span)."""


@dataclass(slots=True)
class Tally:
    """The occurrences of one place; `unknowns` and `misses`: those that are not good, by reason."""

    direct: int = 0
    unknowns: Counter[str] = field(default_factory=Counter)
    misses: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Takes the occurrences of another file or kernel."""
        self.direct += other.direct
        self.unknowns.update(other.unknowns)
        self.misses.update(other.misses)


@dataclass(frozen=True, slots=True)
class Shares:
    """One figure over the places, from 0 to 1."""

    worst: float
    mean: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures over the places of the source. `known`: those without an unknown in the address; `settled`: those with
    worst = best, or a residue case; `all`: the number of places."""

    all: int
    known: Shares
    settled: Shares


def figures(places: Mapping[Place, Tally]) -> Figures:
    """The figures over places with an occurrence that counts."""
    tallies = [tally for tally in places.values() if tally.direct]
    known = _shares([tally.direct, sum(tally.unknowns.values())] for tally in tallies)
    return Figures(len(tallies), known, _shares([tally.direct, sum(tally.misses.values())] for tally in tallies))


def _shares(counts: Iterable[list[int]]) -> Shares:
    rows = list(counts)
    if not rows:
        return Shares(1.0, 1.0)
    return Shares(
        sum(missed == 0 for _, missed in rows) / len(rows),
        sum(1 - missed / direct for direct, missed in rows) / len(rows),
    )


def merged(parts: Iterable[Mapping[Place, Tally]]) -> dict[Place, Tally]:
    """The tallies of all parts; a header's places are the same in each file that includes it."""
    result: dict[Place, Tally] = {}
    for part in parts:
        for place, tally in part.items():
            result.setdefault(place, Tally()).add(tally)
    return result
