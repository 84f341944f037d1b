"""Accesses whose lanes stand to each other in the same way: one array read at `[y][x]` and `[y + 1][x]`, a record's members.

They pay for one reason and are mended together, so rules tell them in one finding (report/findings/alike.py).  What all lanes add to an
address does not count: constants, rows of a loop, parameters.  What makes the lanes differ does: the distances that are known, and
the symbols of a lane's own (`nodes[next[t] + 1]` goes with `nodes[next[t]]`, not with `nodes[last[t]]`).

Accesses of several arrays have one *index* if that holds of their elements' numbers: `real[next[t]]` and `imaginary[next[t]]`.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.events import AccessEvent
from analysis_core.text.records import dataclass

_MOST_EXECUTIONS = 4
"""The first executions of an access tell its map from others: all lanes' of a loop with many rounds cost more to compare than they tell.
`a[i] += x` is executed twice in each round, so that it has as many rounds as others only with twice the executions."""


_BYTES = 48
"""What all widths of requests divide: elements' numbers are compared in parts of that."""


@dataclass(frozen=True, slots=True)
class LaneMap:
    """Numbers that are equal for accesses whose lanes differ in the same way: in bytes, and in elements (`index`)."""

    lanes: int = 0
    index: int = 0


def lane_maps(groups: Sequence[Sequence[AccessEvent]], asked: Collection[int]) -> dict[int, LaneMap]:
    """The maps of the accesses that are asked about, by their positions in `groups`."""
    maps: dict[Hashable, int] = {}
    indexes: dict[Hashable, int] = {}
    found: dict[int, LaneMap] = {}
    for place in asked:
        each = len({event.access.id for event in groups[place][:_MOST_EXECUTIONS]})
        events = groups[place][: each * _MOST_EXECUTIONS]
        lanes = tuple(dict.fromkeys(_lanes(event.address.poly, 1) for event in events))
        index = tuple(dict.fromkeys(_lanes(event.address.poly, _parts(event.access.width)) for event in events))
        number = maps.setdefault(lanes, len(maps) + 1)
        found[place] = LaneMap(number, indexes.setdefault(index, len(indexes) + 1))
    return found


def _parts(width: int) -> int:
    """By what addresses of such elements are multiplied so that elements have the same size."""
    return _BYTES // width if width and _BYTES % width == 0 else 1


def _lanes(address: Poly, scale: int) -> Hashable:
    """The part of an address that lanes differ by, so many times."""
    parts: list[Hashable] = []
    for monomial, coefficient in address.ordered:
        if any(symbol.level is Level.LANE for symbol in monomial):
            scaled = coefficient * scale
            parts.append((monomial, scaled if isinstance(scaled, int) else scaled.tobytes()))
        elif not isinstance(coefficient, int):
            parts.append((monomial, ((coefficient - coefficient[0]) * scale).tobytes()))
    return tuple(parts)
