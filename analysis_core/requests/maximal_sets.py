"""Requests of which no execution has all lanes that may run: made of the largest sets of lanes that can run together.

    if (t % 3 != n % 3) a[8 * t] = 1;        21 or 22 lanes, whatever n is
    if (t == n || t == m) a[8 * t] = 1;      two lanes
    if (__popc(t ^ n) == 1) ..               nobody follows that: some lanes

All that may run at once run at some size where conditions are thresholds (`i < n`, whether its values are followed or not), pointers that are
null or not, or contents of memory.  Where one asks lanes whether they are equal to something that they share, or for what is not followed, the worlds of the mask (worlds.py) say which lanes can run together;
`best` speaks of the largest of these sets, none of which lies in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis_core.domains.shape import some
from analysis_core.interp.core.events import AccessEvent
from analysis_core.ir.types import Space
from analysis_core.machine import global_memory
from analysis_core.requests.access_cost import RequestCost, costs_of_sets, layouts_of, sectors_per_lane
from analysis_core.requests.excess import Excesses, Rows, lane_sets
from analysis_core.requests.requests import Request
from analysis_core.requests.threshold_families import packed

MOST_SETS = 40

_MOST_COMPARED = 1 << 10
_MOST_LAYOUTS = 1 << 13

_MOVED_AT_ONCE = 16
"""Bytes of shared memory that a lane moves at once, which adds a wavefront at most."""


def parts_of(event: AccessEvent, warps: Sequence[int], request: Request, known: Excesses) -> list[Request] | None:
    """The request restricted to each of the largest sets of its lanes that run together, or to those with the least
    and the greatest cost and ideal. None where these sets are too many, or not known."""
    rows: dict[bytes, np.ndarray] = {}
    for group, sets in lane_sets(event, known):
        if group.isdisjoint(warps):
            continue
        if ((sets.runs ^ sets.may) & request.active).any():
            return None
        for may in sets.may:
            active = may & request.active
            if active.any():
                rows[active.tobytes()] = active
    if not 0 < len(rows) <= _MOST_COMPARED:
        return None
    largest = _largest(np.stack(list(rows.values())))
    if len(largest) > MOST_SETS:
        told = _telling(request, largest, event.space, event.access.width)
        if told is None:
            return None
        largest = told
    return [replace(request, active=row, scattered=request.scattered & row) for row in largest]


def _largest(rows: Rows) -> Rows:
    """The sets that lie in no other."""
    sets = packed(rows)
    inside = ((sets[:, np.newaxis] & ~sets) == 0).sum(axis=1)
    return np.asarray(rows[inside == 1])  # a set lies in itself


def _telling(request: Request, rows: Rows, space: Space, width: int) -> Rows | None:
    """Of many sets of lanes, some that cost the most and the least, and of which the ideals are the greatest and the least; None where that
    takes long, or lanes are scattered."""
    found = None if some(request.scattered) else layouts_of(request, space, width)
    if found is None or len(found[1]) > 1 or len(found[0]) * len(rows) > _MOST_LAYOUTS:
        return None
    layouts = found[0]
    each = np.repeat(layouts, len(rows), axis=0), np.tile(rows, (len(layouts), 1))
    costs = costs_of_sets(*each, space, width).reshape(len(layouts), len(rows))
    ideals = global_memory.distinct_addresses_many(layouts[:1].repeat(len(rows), axis=0), rows)
    most, least = costs.max(axis=0), costs.min(axis=0)
    lanes = rows.sum(axis=1)
    # Of equal costs, the sets of the most lanes.
    ends = (
        np.lexsort((lanes, most))[-1],
        np.lexsort((-lanes, least))[0],
        np.lexsort((lanes, ideals))[-1],
        np.lexsort((-lanes, ideals))[0],
    )
    return np.asarray(rows[sorted({int(end) for end in ends})])


def most_lanes(event: AccessEvent, warps: Sequence[int], request: Request, known: Excesses) -> int:
    """The most lanes of the request that run together."""
    found = [
        min(int((sets.may & request.active).sum(axis=1).max(initial=0)), sets.most)
        for group, sets in lane_sets(event, known)
        if not group.isdisjoint(warps)
    ]
    return max(found, default=int(request.active.sum()))


def of_some_lanes(request: Request, cost: RequestCost, space: Space, width: int, lanes: int) -> RequestCost:
    """The cost of the request where at most so many of its lanes run together, and it is not known which."""
    if space is Space.CONSTANT:
        worst, ideal, least = min(cost.worst, lanes), cost.ideal, 1
    elif space is Space.SHARED:
        worst, ideal, least = min(cost.worst, lanes * -(-width // _MOVED_AT_ONCE)), cost.ideal, 1
    else:
        worst = min(cost.worst, lanes * sectors_per_lane(request, width))
        ideal = min(cost.ideal, global_memory.ideal_sectors(lanes, width))
        least = max(1, -(-width // global_memory.SECTOR_BYTES))
    best = min(cost.best, worst, least)
    exact = worst == best
    return replace(
        cost, worst=worst, best=best, ideal=min(ideal, worst), least_apart=best, exact=exact, by_residue=None
    )
