"""Accesses that waste nothing, or little, because of others around them.

The requests are counted as the source has them (docs/hardware.md); but an access is not worth a word where

  * it loads what was loaded before, wherever it runs, and nothing was written in between;
  * with loads beside it, it uses the sectors that it moves (footprint.py).

What does so with others, but costs more than that even so, is told with a word on it.  All of it is asked at any size, and at the sizes that launches pass (at_sizes.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import field

from analysis_core.domains.mask import Mask
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.ir.nodes import AccessId, Kernel
from analysis_core.ir.straight_lines import StraightLines
from analysis_core.ir.types import Space
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.facts import AccessFact
from analysis_core.requests.requests import Request
from analysis_core.text.records import dataclass
from analysis_core.traffic.addresses import covers, exclude
from analysis_core.traffic.footprint import Use, may_share, shared_use
from analysis_core.traffic.next_rounds import are_own_rows, step_along
from analysis_core.traffic.remainders import Remainders
from analysis_core.traffic.row_ends import are_row_ends
from analysis_core.traffic.short_rounds import BRIEF_ROUNDS, FEW_ROUNDS, ShortRounds
from analysis_core.traffic.traffic import Reuse, Traffic

_MOST_STORES = 16
"""Stores between two loads that are looked at."""

_MOST_PUT_IN = 512
"""Loads, or stores, that are looked at again with sizes put in."""

PutIn = Callable[[AccessEvent], AccessEvent | None]
"""An execution with sizes put in; None where nobody makes it then."""


@dataclass(frozen=True, slots=True)
class Together:
    """How much executions use with others of what they move, of those that use most of it; a store, which goes to L2 by itself, slowly at best."""

    uses: Mapping[AccessEvent, Use] = field(default_factory=dict)

    def are_idle(self, group: Iterable[AccessEvent]) -> bool:
        """Whether none of these executions wastes anything."""
        return all(self.uses.get(event) is Use.USED for event in group)

    def reuse(self, group: Collection[AccessEvent]) -> Reuse:
        """Who uses the sectors of all of these executions, by whatever they cost."""
        return Reuse.BESIDE if all(event in self.uses for event in group) else Reuse.NONE


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The accesses of a kernel, of which it is asked which waste nothing.  `rounds`: which executions of a load follow each other as written out; `remainders`: those of one number; `costs`: what executions request."""

    events: Events
    rounds: ShortRounds
    remainders: Remainders
    costs: EventCosts

    @staticmethod
    def of(kernel: Kernel, events: Events, lines: StraightLines, costs: EventCosts) -> SideBySide:
        """Those of these events."""
        rounds = ShortRounds.of(kernel, events, lines)
        return SideBySide(events, rounds, Remainders.of(events.derivations), costs)

    def use_together(self, looked_at: Collection[AccessId]) -> Together:
        """Executions of these accesses that cost little beside others."""
        if not looked_at:
            return Together()
        placed = list(enumerate(self.events.accesses))
        uses = dict.fromkeys(self._uses(placed, looked_at, AccessKind.WRITE), Use.SLOW)
        uses |= self._uses(placed, looked_at, AccessKind.READ)
        uses |= dict.fromkeys(_loaded_again(self.events.accesses, looked_at), Use.USED)
        return Together(uses)

    def use_together_at(self, looked_at: Collection[AccessId], at: PutIn, values: Mapping[str, int]) -> Together:
        """The same where certain sizes are put in (`at`, and by name `values`): at a pitch of 1 elements at a pitch are neighbours, and the
        rounds of a loop are few."""
        every = self.events.accesses
        bases = {event.base for event in every if event.access.id in looked_at}
        near = [(place, event) for place, event in enumerate(every) if event.base in bases]
        few, brief = self.rounds.at(values, FEW_ROUNDS), self.rounds.at(values, BRIEF_ROUNDS)
        soon = self._uses_at(near, looked_at, AccessKind.READ, at, brief)
        stored = self._uses_at(near, looked_at, AccessKind.WRITE, at, brief)
        uses = dict.fromkeys((*soon, *stored), Use.SLOW)
        uses |= self._uses_at(near, looked_at, AccessKind.READ, at, few)
        return Together(uses)

    def _uses_at(
        self,
        near: Sequence[tuple[int, AccessEvent]],
        looked_at: Collection[AccessId],
        kind: AccessKind,
        at: PutIn,
        rounds: ShortRounds,
    ) -> dict[AccessEvent, Use]:
        near = [(place, event) for place, event in near if may_share(event, kind)]
        if len(near) > _MOST_PUT_IN:
            return {}
        parts = ((place, event, at(part)) for place, event in near for part in rounds.taken_apart(event))
        there = [(place, event, put) for place, event, put in parts if put is not None]
        uses = self._uses([(place, put) for place, _, put in there], looked_at, kind)
        found: dict[AccessEvent, Use] = {}
        for _, event, put in there:
            found[event] = min(uses.get(put, Use.WASTED), found.get(event, Use.USED))
        return {event: use for event, use in found.items() if use is not Use.WASTED}

    def _uses(
        self, accesses: Sequence[tuple[int, AccessEvent]], looked_at: Collection[AccessId], kind: AccessKind
    ) -> dict[AccessEvent, Use]:
        return shared_use(accesses, looked_at, self.rounds, self.remainders, self._requests, kind)

    def _requests(self, event: AccessEvent) -> list[Request]:
        return [request for _, request, _ in self.costs.requests(event).costed]


def traffic_of(fact: AccessFact, group: Sequence[AccessEvent], together: Together) -> Traffic:
    """The traffic of the executions of one access, as far as it and those beside it tell."""
    is_weighed = fact.worst > fact.ideal and fact.space is Space.GLOBAL
    is_own_row = is_weighed and fact.open is not None and are_own_rows(group)
    return Traffic(
        spared=fact.worst == 0 or together.are_idle(group),
        reuse=Reuse.OWN_ROW if is_own_row else together.reuse(group),
        step=step_along(group) if is_weighed else 0,
        row_end=is_weighed and are_row_ends(group),
    )


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
