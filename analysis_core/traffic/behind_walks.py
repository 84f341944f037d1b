"""Accesses behind a loop, at the place to which its rounds have moved a pointer: `while (left > 3) sum += *p++ ...; last = *p;`

Each lane goes on from where it left the loop, so that what its last round left of a sector is used here.  The rounds that a lane has made are
a number of its own, with the range of the loop's counter and one more; ahead of it stands what a round moves the pointer by
(long_walks.py), half a sector at most: else the next place is mostly another sector.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass, replace

from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.machine.sizes import SECTOR_BYTES
from analysis_core.traffic.shared_sectors import split_address


@dataclass(frozen=True, slots=True)
class BehindWalks:
    """Loads of a kernel in the rounds of loops, by what stays of their addresses and how far a round moves them: the counters' last values."""

    walks: dict[Hashable, frozenset[int]]

    @staticmethod
    def of(events: Events) -> BehindWalks:
        """Those of these events, of which most rounds end in the sector where they began."""
        walks: dict[Hashable, frozenset[int]] = {}
        for event in events.accesses:
            for symbol, step, key in _moved(event, SymbolKind.ITERATION):
                if symbol.high is not None and 0 < 2 * abs(step) <= SECTOR_BYTES:
                    walks[key] = walks.get(key, frozenset()) | {symbol.high}
        return BehindWalks(walks)

    def holds(self, group: Collection[AccessEvent]) -> bool:
        """Whether each of these executions goes on where such a loop has left its lanes."""
        return bool(self.walks and group) and all(map(self._goes_on, group))

    def _goes_on(self, event: AccessEvent) -> bool:
        return any(
            symbol.level is Level.LANE
            and symbol.low == 0
            and symbol.high is not None
            and symbol.high - 1 in self.walks.get(key, frozenset())
            for symbol, _, key in _moved(event, SymbolKind.DATA)
        )


def _moved(event: AccessEvent, kind: SymbolKind) -> Iterator[tuple[Symbol, int, Hashable]]:
    """Symbols of this kind that move a load, how far each does, and what the address is without it."""
    if event.kind is not AccessKind.READ or event.access.volatile:
        return
    terms = event.address.poly.terms
    for monomial, step in terms.items():
        if len(monomial) == 1 and monomial[0].kind is kind and isinstance(step, int):
            rest = Poly({m: c for m, c in terms.items() if m != monomial})
            stays, offset = split_address(replace(event, address=replace(event.address, poly=rest)))
            yield monomial[0], step, (event.base, event.access.width, stays, offset, step)
