"""Short rows that each lane walks through by itself, round by round: `for (j = 0; j < 30; j++) best[j] = p[30 * i + j];`

Each round meets a sector of each lane's own, and is as slow as that; but the next rounds use the rest of it.  Where all lanes' rows together
are no more than a line for each lane, the cache holds them until their ends, and memory behind it is asked for nothing twice.  Of longer rows
nobody knows that: by the time a lane comes to the end of a sector it may be gone.

What one execution after the other does, each in its own place, is in shared_sectors.py.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.nodes import AccessId
from analysis_core.ir.types import Space
from analysis_core.machine.sizes import LINE_BYTES
from analysis_core.traffic.shared_sectors import split_address

_WINDOW = WARP * LINE_BYTES
"""Bytes of all rows of a warp up to which they are short."""

MOST_WALKED = LINE_BYTES
"""Rounds of such a walk: bytes of a line."""

_APART = 32
"""Accesses between two rounds that are looked at."""

_DENSE = 0.75
"""The part of what lies between two rows' beginnings that is walked through at least."""


@dataclass(slots=True)
class _Walk:
    """`offsets`: where one lane goes, in bytes from where it is at offset 0; `places`: of the executions, among all."""

    events: list[AccessEvent] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def is_short_row(self) -> bool:
        """Whether it goes from element to element of a short row, with neither gaps between the rows nor other things between the rounds."""
        event = self.events[0]
        width, pitch = event.access.width, _pitch(event.address.poly)
        if pitch is None or len(self.offsets) < 2 or any(b - a > _APART for a, b in pairwise(self.places)):
            return False
        if any(abs(b - a) != width for a, b in pairwise(self.offsets)):
            return False
        row = max(self.offsets) - min(self.offsets) + width
        return (WARP - 1) * pitch + row <= _WINDOW and row >= _DENSE * pitch


def short_walks(
    accesses: Iterable[tuple[int, AccessEvent]], looked_at: Collection[AccessId], rounds: Mapping[Symbol, int]
) -> frozenset[AccessEvent]:
    """Executions of these accesses to global memory that are rounds of such a walk.  `rounds`: of loops of which one execution stands for all
    rounds, how many they are."""
    walks: dict[Hashable, _Walk] = {}
    for place, event in accesses:
        if event.access.id not in looked_at or event.space is not Space.GLOBAL or event.access.volatile:
            continue
        within, steps = _in_rounds(event, rounds)
        rest, offset = split_address(within)
        walk = walks.setdefault((event.access.id, event.times, event.mask.content, rest), _Walk())
        walk.events.append(event)
        walk.offsets += [offset + step for step in steps]
        walk.places.append(place)
    return frozenset(event for walk in walks.values() if walk.is_short_row() for event in walk.events)


def _in_rounds(event: AccessEvent, rounds: Mapping[Symbol, int]) -> tuple[AccessEvent, Sequence[int]]:
    """The execution of round 0, and how far each round is from there; the execution itself where it is of one round."""
    poly = event.address.poly
    moving = [(m, c) for m, c in poly.terms.items() if len(m) == 1 and m[0] in rounds]
    if len(moving) != 1:
        return event, (0,)
    monomial, step = moving[0]
    if not isinstance(step, int):
        return event, (0,)
    first = Poly({m: c for m, c in poly.terms.items() if m != monomial})
    first_round = replace(event, address=replace(event.address, poly=first))
    return first_round, [step * number for number in range(rounds[monomial[0]])]


def _pitch(poly: Poly) -> int | None:
    """The bytes from each lane of a warp to the next, if they are known and one number."""
    places = poly.constant
    if isinstance(places, int) or len(places) % WARP or any(s.level is Level.LANE for s in poly.symbols()):
        return None
    if any(not isinstance(c, int) for m, c in poly.terms.items() if m):
        return None
    steps = np.diff(places.reshape(-1, WARP), axis=1)
    pitch = int(steps.flat[0])
    return abs(pitch) if pitch and not np.any(steps != pitch) else None
