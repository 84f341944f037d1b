"""Accesses that waste nothing, or little, because of others around them.

The requests are counted as the source has them (HARDWARE.md); but an access is not worth a word where

  * it loads what was loaded before, wherever it runs, and nothing was written in between;
  * with loads beside it, it uses the sectors that it fetches (shared_sectors.py).

What fills its sectors together with others, but costs more than that even so, is told with a word on it (`Together.filling`).

So is what does so round by round, in short rows (own_walks.py).  What compilers make of accesses beside each other is in made_requests.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from analysis_core.domains.mask import Mask
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.ir.nodes import AccessId, Kernel
from analysis_core.ir.straight_lines import StraightLines
from analysis_core.ir.types import Space
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.requests import Request
from analysis_core.traffic.own_walks import MOST_WALKED, short_walks
from analysis_core.traffic.remainders import Remainders
from analysis_core.traffic.shared_sectors import Asked, Use, asked_by, covers, exclude, may_share, shared_use
from analysis_core.traffic.short_rounds import BRIEF_ROUNDS, FEW_ROUNDS, ShortRounds

_MOST_STORES = 16
"""Stores between two loads that are looked at."""

_MOST_PUT_IN = 512
"""Loads, or stores, that are looked at again with sizes put in."""


@dataclass(frozen=True, slots=True)
class Together:
    """Executions that waste nothing because of others (`idle`), and those that use what they fetch or leave together with others, but cost
    more than the ideal even so (`filling`): stores, each of which goes to L2, and loads of many lines, or over many rounds.  `walking`: those
    that do so round by round, in a short row of each lane's own (own_walks.py).  `thin`: loads that cost what a waste costs, as a line is
    looked up for every few bytes, though three others beside them ask for the same sectors.
    """

    idle: frozenset[AccessEvent] = frozenset()
    filling: frozenset[AccessEvent] = frozenset()
    walking: frozenset[AccessEvent] = frozenset()
    thin: frozenset[AccessEvent] = frozenset()

    def are_idle(self, group: Iterable[AccessEvent]) -> bool:
        """Whether none of these executions wastes anything."""
        return all(event in self.idle for event in group)

    def use_sectors(self, group: Iterable[AccessEvent]) -> bool:
        """Whether each of these executions uses its sectors, by whatever it costs."""
        return all(event in self.filling or event in self.idle for event in group)

    def fill_sectors(self, group: Collection[AccessEvent]) -> bool:
        """Whether those among these executions that cost more than the ideal use their sectors with others."""
        return any(event in self.filling for event in group) and self.use_sectors(group)

    def share_sectors(self, group: Collection[AccessEvent]) -> bool:
        """Whether others use the sectors of all of these executions, whatever that is worth to them."""
        return any(event in self.thin for event in group) and all(
            event in self.thin or event in self.filling or event in self.idle for event in group
        )

    def walk_rows(self, group: Collection[AccessEvent]) -> bool:
        """Whether all of these executions are rounds of such a walk."""
        return bool(group) and self.walking.issuperset(group)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The accesses of a kernel, of which it is asked which waste nothing.  `asked`: under which conditions many lanes come to a load;
    `rounds`: which executions of a load follow each other as written out; `remainders`: those of one number; `costs`: what executions request."""

    events: Events
    asked: Asked
    rounds: ShortRounds
    remainders: Remainders
    costs: EventCosts

    @staticmethod
    def of(kernel: Kernel, events: Events, lines: StraightLines, costs: EventCosts) -> SideBySide:
        """Those of these events."""
        return SideBySide(
            events,
            asked_by(events.branches),
            ShortRounds.of(kernel, events, lines),
            Remainders.of(events.derivations),
            costs,
        )

    def use_together(self, looked_at: Collection[AccessId]) -> Together:
        """Executions of these accesses that cost little beside others."""
        if not looked_at:
            return Together()
        every = self.events.accesses
        placed = list(enumerate(every))
        loads = self._uses(placed, looked_at, AccessKind.READ)
        stores = self._uses(placed, looked_at, AccessKind.WRITE)
        idle = frozenset(_loaded_again(every, looked_at)).union(e for e, use in loads.items() if use is Use.USED)
        both = [*loads.items(), *stores.items()]
        filling = frozenset(e for e, use in both if use >= Use.SLOW and e not in idle)
        thin = frozenset(e for e, use in loads.items() if use is Use.THIN)
        return Together(idle, filling, short_walks(placed, looked_at, {}), thin)

    def use_together_at(
        self,
        looked_at: Collection[AccessId],
        at: Callable[[AccessEvent], AccessEvent | None],
        values: Mapping[str, int],
    ) -> Together:
        """The same where certain sizes are put in (`at`, and by name `values`): at a pitch of 1 elements at a pitch are neighbours, and the
        rounds of a loop are few."""
        every = self.events.accesses
        bases = {event.base for event in every if event.access.id in looked_at}
        near = [(place, event) for place, event in enumerate(every) if event.base in bases]
        loads = [(place, event) for place, event in near if may_share(event, AccessKind.READ)]
        stores = [(place, event) for place, event in near if may_share(event, AccessKind.WRITE)]
        few, brief = self.rounds.at(values, FEW_ROUNDS), self.rounds.at(values, BRIEF_ROUNDS)
        idle = self._uses_at(loads, looked_at, AccessKind.READ, at, few)
        soon = self._uses_at(loads, looked_at, AccessKind.READ, at, brief)
        filling = self._uses_at(stores, looked_at, AccessKind.WRITE, at, brief)
        used = frozenset(event for event, use in idle.items() if use is Use.USED)
        filled = frozenset((idle.keys() | soon.keys()) - used).union(filling)
        return Together(used, filled, self._walks_at(near, looked_at, at, values))

    def _walks_at(
        self,
        near: Sequence[tuple[int, AccessEvent]],
        looked_at: Collection[AccessId],
        at: Callable[[AccessEvent], AccessEvent | None],
        values: Mapping[str, int],
    ) -> frozenset[AccessEvent]:
        if len(near) > _MOST_PUT_IN:
            return frozenset()
        there = [(place, event, put) for place, event in near if (put := at(event)) is not None]
        rounds = {s: count for s, (count, _) in self.rounds.at(values, MOST_WALKED).counters.items()}
        walking = short_walks([(place, put) for place, _, put in there], looked_at, rounds)
        return frozenset(event for _, event, put in there if put in walking)

    def _uses_at(
        self,
        near: Sequence[tuple[int, AccessEvent]],
        looked_at: Collection[AccessId],
        kind: AccessKind,
        at: Callable[[AccessEvent], AccessEvent | None],
        rounds: ShortRounds,
    ) -> dict[AccessEvent, Use]:
        if len(near) > _MOST_PUT_IN:
            return {}
        parts = ((place, event, at(part)) for place, event in near for part in rounds.taken_apart(event))
        there = [(place, event, put) for place, event, put in parts if put is not None]
        uses = self._uses([(place, put) for place, _, put in there], looked_at, kind)
        found: dict[AccessEvent, Use] = {}
        for _, event, put in there:
            found[event] = min(uses.get(put, Use.WASTED), found.get(event, Use.USED))
        return {event: use for event, use in found.items() if use >= Use.SLOW}

    def _uses(
        self, accesses: Sequence[tuple[int, AccessEvent]], looked_at: Collection[AccessId], kind: AccessKind
    ) -> dict[AccessEvent, Use]:
        asked = self.asked if kind is AccessKind.READ else Asked()  # what is not stored does not fill a sector
        return shared_use(accesses, looked_at, asked, self.rounds, self.remainders, self._requests, kind)

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
