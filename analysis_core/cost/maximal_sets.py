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

from analysis_core.cost.access_cost import RequestCost, sectors_per_lane
from analysis_core.cost.excess import Excesses, lane_sets
from analysis_core.cost.requests import Request
from analysis_core.domains import condition as cond
from analysis_core.domains.condition import Atom, Relation
from analysis_core.domains.mask import Mask
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.interp.events import AccessEvent
from analysis_core.ir.types import PointerType, Space
from analysis_core.machine import global_memory
from analysis_core.support.facts import CauseKind

MOST_SETS = 40

_DECIDED_ELSEWHERE = frozenset({SymbolKind.DATA, SymbolKind.UNKNOWN, SymbolKind.CHOICE})


def restricts(mask: Mask) -> bool:
    """Whether no execution may have all lanes of the mask."""
    return any(_divides(atom) for entry in mask.literals for atom in cond.atoms(entry.formula))


def _divides(atom: Atom) -> bool:
    """Whether only some lanes of a warp may meet it in one execution, or nobody can tell which."""
    if atom.level is not Level.LANE or atom.data:
        return False
    if atom.poly is None:
        compared = atom.compared
        return compared is None or (compared.op == "==" and not isinstance(compared.type, PointerType))
    data = atom.cause is not None and (atom.cause.kind is CauseKind.DATA or atom.relation is Relation.NEGATIVE)
    own = [symbol for symbol in atom.poly.symbols() if symbol.level is Level.LANE]
    if data or any(symbol.kind in _DECIDED_ELSEWHERE for symbol in own):
        return False  # Memory or joined values decide: all lanes may have what lets them pass.
    return bool(own) or atom.relation is Relation.ZERO


def parts_of(event: AccessEvent, warps: Sequence[int], request: Request, known: Excesses) -> list[Request] | None:
    """The request once for each of the largest sets of its lanes; None where these are too many, or open."""
    rows: dict[bytes, np.ndarray] = {}
    for group, sets in lane_sets(event, known):
        if group.isdisjoint(warps):
            continue
        for runs, may in zip(sets.runs, sets.may, strict=True):
            active = may & request.active
            if (runs & request.active != active).any():
                return None
            if active.any():
                rows[active.tobytes()] = active
    largest = [
        row
        for row in rows.values()
        if not any((row & other == row).all() for other in rows.values() if other is not row)
    ]
    if not 0 < len(largest) <= MOST_SETS:
        return None
    return [replace(request, active=row, scattered=request.scattered & row) for row in largest]


def most_lanes(event: AccessEvent, warps: Sequence[int], request: Request, known: Excesses) -> int:
    """How many lanes of the request run together at most."""
    found = [sets.may & request.active for group, sets in lane_sets(event, known) if not group.isdisjoint(warps)]
    return max((int(may.sum(axis=1).max(initial=0)) for may in found), default=int(request.active.sum()))


def of_some_lanes(request: Request, cost: RequestCost, space: Space, width: int, lanes: int) -> RequestCost:
    """The cost where at most so many lanes run together, and nobody says which."""
    if space is Space.CONSTANT:
        worst, ideal, least = min(cost.worst, lanes), cost.ideal, 1
    elif space is Space.SHARED:
        worst, ideal, least = cost.worst, cost.ideal, 1
    else:
        worst = min(cost.worst, lanes * sectors_per_lane(request, width))
        ideal = min(cost.ideal, global_memory.ideal_sectors(lanes, width))
        least = max(1, -(-width // global_memory.SECTOR_BYTES))
    best = min(cost.best, worst, least)
    exact = worst == best
    return replace(
        cost, worst=worst, best=best, ideal=min(ideal, worst), least_apart=best, exact=exact, by_residue=None
    )
