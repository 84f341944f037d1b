"""Accesses that waste nothing because of others around them.

The requests are counted as the source has them (HARDWARE.md); but an access is not worth a word where

  * it loads what was loaded before, wherever it runs, and nothing was written in between;
  * with loads beside it, it uses the sectors that it fetches (shared_sectors.py).

What compilers make of accesses beside each other is in made_requests.py.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from analysis_core.cost.shared_sectors import asked_by, covers, exclude, loads_without_waste
from analysis_core.domains.mask import Mask
from analysis_core.interp.events import AccessEvent, AccessKind, Events
from analysis_core.ir.nodes import AccessId
from analysis_core.ir.types import Space

_MOST_STORES = 16
"""Stores between two loads that are looked at."""


def wasting_nothing(events: Events, looked_at: Collection[AccessId]) -> frozenset[AccessEvent]:
    """Executions of these accesses that cost little beside others."""
    if not looked_at:
        return frozenset()
    again = _loaded_again(events.accesses, looked_at)
    return frozenset(again).union(loads_without_waste(events.accesses, looked_at, asked_by(events.branches)))


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
