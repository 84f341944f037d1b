"""How many threads an atomic brings to one address: lanes of a warp, and threads of a block.

Threads whose addresses are one polynomial have one address, whatever its symbols stand for.  Symbols of a lane's own keep threads apart, but for those that
have loaded one element (`alike`); so do symbols of a warp's own, of threads of other warps.  Whether further threads meet, memory or a pitch decides.
Threads that exclude each other (`if (threadIdx.x / 32 == n)`) do not meet.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from analysis_core.domains.condition import open_level
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, BoolVector, IntVector, some
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.events import AccessEvent
from analysis_core.text.records import dataclass

_MOST_SETS = 256
"""Sets of threads that are looked at."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """So many lanes of a warp (`warp`), and threads of a block (`block`), surely have one address in an execution, if all come that may together
    (`come_together`)."""

    warp: int
    block: int


def meeting(group: Iterable[AccessEvent]) -> Meeting:
    """The most of all executions of an access."""
    warp = block = 0
    for event in {(e.address.poly.key(), e.mask.may.tobytes()): e for e in group}.values():
        keys = _keys(event)
        warps = np.arange(len(event.mask.may), dtype=np.int64) // WARP
        apart = any(symbol.level is Level.WARP for symbol in event.address.poly.symbols())
        sets = sets_together(event)
        if sets is None:
            warp, block = max(warp, 1), max(block, 1)
        for active in sets or ():
            warp = max(warp, _most(active, [*keys, warps]))
            block = max(block, _most(active, [*keys, warps] if apart else keys))
    return Meeting(warp, block)


def sets_together(event: AccessEvent) -> list[BoolVector] | None:
    """Sets of the block's threads such that all that come to an access together are in one of them; None where they are too many."""
    sets = [event.mask.may]
    for exclusion in event.mask.exclusions:
        waiting = exclusion.scope & event.mask.may
        # Ranges that have a value in common have one that is the least of one of them.
        values = np.unique(exclusion.low[waiting]) + 1
        if len(values) * len(sets) > _MOST_SETS:
            return None
        together = [~waiting | ((exclusion.low < value) & (value < exclusion.high)) for value in values]
        parted = [one & other for one in sets for other in together] if len(values) else sets
        sets = list({one.tobytes(): one for one in parted if one.any()}.values())
    return sets


def come_together(group: Iterable[AccessEvent]) -> bool:
    """Whether all threads come that may, if one does: no condition that the threads of a block decide apart, no other rounds for some."""
    return not any(event.ragged or event.uneven or event.cut or _is_parted(event.mask) for event in group)


def _is_parted(mask: Mask) -> bool:
    return any(some(mask.may & ~one.scope) or open_level(one.formula) is not Level.BLOCK for one in mask.literals)


def _keys(event: AccessEvent) -> list[IntVector]:
    """By thread, numbers that are all equal where addresses surely are."""
    count = len(event.mask.may)
    found: list[IntVector] = [c for c in event.address.poly.terms.values() if not isinstance(c, int)]
    for symbol in event.address.poly.symbols():
        if symbol.level is Level.LANE:
            found.append(np.arange(count, dtype=np.int64) if symbol.alike is None else _in_warps(symbol.alike))
    return found


def _in_warps(alike: IntVector) -> IntVector:
    """Numbers that are equal in one warp alone: only there do equal ones say that values are."""
    return alike * len(alike) + np.arange(len(alike), dtype=np.int64) // WARP


def _most(active: BoolVector, keys: list[IntVector]) -> int:
    """The most threads of a set that have equal numbers."""
    if not keys:
        return int(active.sum())
    rows = np.stack([key[active] for key in keys])
    return int(np.unique(rows, axis=1, return_counts=True)[1].max(initial=0))
