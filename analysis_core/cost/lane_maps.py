"""Accesses whose lanes stand to each other in the same way: one array read at `[y][x]` and `[y + 1][x]`, a record's members.

They pay for one reason and are mended together, so rules tell them in one finding (report/alike.py).  What all lanes add to an
address does not count: constants, rows of a loop, parameters.  What makes the lanes differ does: the distances that are known, and
the symbols of a lane's own (`nodes[next[t] + 1]` goes with `nodes[next[t]]`, not with `nodes[last[t]]`).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level
from analysis_core.interp.events import AccessEvent

_MOST_EXECUTIONS = 4
"""The first executions of an access tell its map from others: all lanes' of a loop with many rounds cost more to compare than they tell."""


def lane_maps(groups: Sequence[Sequence[AccessEvent]], asked: Collection[int]) -> dict[int, int]:
    """The accesses that are asked about, by their places in `groups`, with a number for their map: the same for the same one."""
    numbers: dict[Hashable, int] = {}
    found: dict[int, int] = {}
    for place in asked:
        key = tuple(dict.fromkeys(_lanes(event.address.poly) for event in groups[place][:_MOST_EXECUTIONS]))
        found[place] = numbers.setdefault(key, len(numbers) + 1)
    return found


def _lanes(address: Poly) -> Hashable:
    """The part of an address that lanes differ by."""
    parts: list[Hashable] = []
    for monomial, coefficient in address.ordered:
        if any(symbol.level is Level.LANE for symbol in monomial):
            parts.append((monomial, coefficient if isinstance(coefficient, int) else coefficient.tobytes()))
        elif not isinstance(coefficient, int):
            parts.append((monomial, (coefficient - coefficient[0]).tobytes()))
    return tuple(parts)
