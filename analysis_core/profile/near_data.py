"""What memory moves lanes by step by step: it decides where they are, and they are not anywhere.

    for (int j = y - radius[t]; j <= y + radius[t]; j++) s += p[j];         // half of the rounds that the loop makes
    if (flag[t + k]) at++;  ..  p[at]                                       // how often a condition held

Bounds know nothing of what a radius or a count may be, and so they are those of lanes anywhere.  A loaded number that says how often a loop
runs is no place: what it moves lanes by is as small as loops are short.  Findings that rest on such numbers alone would be a guess.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.trace import Looped, walk
from analysis_core.interp.core.trips import LinearTest
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass


@dataclass(frozen=True)  # no slots: the radii are found once, where somebody asks
class NearData:
    """Which symbols of the events move lanes by small steps only, so that these stay near each other."""

    events: Events

    def holds(self, symbol: Symbol) -> bool:
        return symbol.kind is SymbolKind.DATA and (symbol.counted or symbol in self.radii)

    @derived
    def radii(self) -> frozenset[Symbol]:
        """The loaded numbers of a lane's own by which a loop's counter starts before the lane's place and ends behind it."""
        loops = (node for node in walk(self.events.trace) if isinstance(node, Looped))
        return frozenset(s for node in loops for s in _radii_of(node))


def _radii_of(node: Looped) -> Iterator[Symbol]:
    for test in node.tests:
        if not isinstance(test, LinearTest):
            continue
        spans = {s: c for s, c in _own(test.start) if s.kind is SymbolKind.DATA}
        if spans:
            starts = [dict(_own(value.poly)) for value in node.entry.values() if isinstance(value, Integer)]
            yield from (s for s, c in spans.items() if any(_is_half(start.get(s, 0), c) for start in starts))


def _own(poly: Poly) -> Iterator[tuple[Symbol, int]]:
    """The symbols of a lane's own that stand alone, with their factors."""
    for monomial, coefficient in poly.terms.items():
        if len(monomial) == 1 and monomial[0].level is Level.LANE and isinstance(coefficient, int):
            yield monomial[0], coefficient


def _is_half(start: int, length: int) -> bool:
    """Whether `start - length`, where the counter ends, has the other sign."""
    return start != 0 and (start - length) * start < 0
