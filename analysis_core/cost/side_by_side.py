"""Accesses that waste nothing because of others around them.

The requests are counted as the source has them (HARDWARE.md); but an access is not worth a word where

  * it loads what was loaded before, wherever it runs, and nothing was written in between;
  * with loads beside it, it uses the sectors that it fetches (shared_sectors.py).

What compilers make of accesses beside each other is in made_requests.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

from analysis_core.cost.event_costs import EventCosts
from analysis_core.cost.requests import Request
from analysis_core.cost.shared_sectors import Asked, asked_by, covers, exclude, may_share, without_waste
from analysis_core.cost.short_rounds import ShortRounds
from analysis_core.domains.mask import Mask
from analysis_core.interp.events import AccessEvent, AccessKind, Events
from analysis_core.ir.nodes import AccessId, Kernel
from analysis_core.ir.straight_lines import StraightLines
from analysis_core.ir.types import Space

_MOST_STORES = 16
"""Stores between two loads that are looked at."""

_MOST_PUT_IN = 512
"""Loads that are looked at again with sizes put in."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The accesses of a kernel, of which it is asked which waste nothing.  `asked`: under which conditions many lanes come to a load;
    `rounds`: which executions of a load follow each other as written out; `costs`: what executions request."""

    events: Events
    asked: Asked
    rounds: ShortRounds
    costs: EventCosts

    @staticmethod
    def of(kernel: Kernel, events: Events, lines: StraightLines, costs: EventCosts) -> SideBySide:
        """Those of these events."""
        return SideBySide(events, asked_by(events.branches), ShortRounds.of(kernel, events, lines), costs)

    def wasting_nothing(self, looked_at: Collection[AccessId]) -> frozenset[AccessEvent]:
        """Executions of these accesses that cost little beside others."""
        if not looked_at:
            return frozenset()
        every = self.events.accesses
        together = self._without_waste(list(enumerate(every)), looked_at)
        return frozenset(_loaded_again(every, looked_at)).union(together)

    def filling_sectors(self, looked_at: Collection[AccessId]) -> frozenset[AccessEvent]:
        """Stores among the executions of these accesses that fill their sectors together with stores beside them."""
        if not looked_at:
            return frozenset()
        return frozenset(self._without_waste(list(enumerate(self.events.accesses)), looked_at, AccessKind.WRITE))

    def wasting_nothing_at(
        self,
        looked_at: Collection[AccessId],
        at: Callable[[AccessEvent], AccessEvent | None],
        values: Mapping[str, int],
    ) -> frozenset[AccessEvent]:
        """The same, of loads that together use what they fetch, where certain sizes are put in (`at`, and by name `values`): at a pitch of 1
        elements at a pitch are neighbours, and the rounds of a loop are few."""
        every = self.events.accesses
        bases = {event.base for event in every if event.access.id in looked_at}
        near = [(place, event) for place, event in enumerate(every) if event.base in bases and may_share(event)]
        if len(near) > _MOST_PUT_IN:
            return frozenset()
        rounds = self.rounds.at(values)
        parts = ((place, event, at(part)) for place, event in near for part in rounds.taken_apart(event))
        there = [(place, event, put) for place, event, put in parts if put is not None]
        spared = frozenset(self._without_waste([(place, put) for place, _, put in there], looked_at))
        wasteful = {event for _, event, put in there if put not in spared}
        return frozenset(event for _, event, _ in there if event not in wasteful)

    def _without_waste(
        self,
        accesses: Sequence[tuple[int, AccessEvent]],
        looked_at: Collection[AccessId],
        kind: AccessKind = AccessKind.READ,
    ) -> list[AccessEvent]:
        asked = self.asked if kind is AccessKind.READ else Asked()  # what is not stored does not fill a sector
        return without_waste(accesses, looked_at, asked, self.rounds, self._requests, kind)

    def _requests(self, event: AccessEvent) -> list[Request]:
        return [request for _, request, _ in self.costs.requests(event).costed]


def _loaded_again(accesses: Sequence[AccessEvent], looked_at: Collection[AccessId]) -> list[AccessEvent]:
    """Loads of an element that was loaded where they run, and not written since."""
    loaded: dict[Hashable, dict[Hashable, tuple[Mask, int]]] = {}  # by element, then by mask: the last time
    written: list[AccessEvent] = []
    found: list[AccessEvent] = []
    for event in accesses:
        if event.kind is not AccessKind.READ:
            written += [] if event.space is Space.LOCAL else [event]
        elif event.access.id in looked_at and not event.access.volatile:
            key = (event.space, event.address.poly.key(), event.address.bits, event.access.width, event.times)
            earlier = loaded.setdefault(key, {})
            fresh = [(mask, since) for mask, since in earlier.values() if len(written) - since <= _MOST_STORES]
            if any(covers(mask, event.mask) and _keep(written[since:], event) for mask, since in fresh):
                found.append(event)
            else:
                earlier[event.mask.content] = event.mask, len(written)
    return found


def _keep(written: Sequence[AccessEvent], event: AccessEvent) -> bool:
    """Whether no thread that loads has made one of these stores, as far as they may be to what it loads: not in a side that it
    did not take, nor in another space."""
    near = (w for w in written if Space.UNKNOWN in (w.space, event.space) or w.space is event.space)
    return all(exclude(w.mask, event.mask) for w in near)
