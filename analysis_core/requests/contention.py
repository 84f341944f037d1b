"""How many threads an atomic brings to one address: lanes of a warp, and threads of a block.

Threads whose addresses are one polynomial have one address, whatever its symbols stand for.  Symbols of a lane's own keep threads apart, but for those that
have loaded one element (`alike`); so do symbols of a warp's own, of threads of other warps.  Whether further threads meet, memory or a pitch decides.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from analysis_core.domains.shape import WARP, IntVector
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.events import AccessEvent
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Meeting:
    """So many lanes of a warp (`warp`), and threads of a block (`block`), surely have one address in an execution, if all come that may."""

    warp: int
    block: int


def meeting(group: Iterable[AccessEvent]) -> Meeting:
    """The most of all executions of an access."""
    warp = block = 0
    for event in {(e.address.poly.key(), e.mask.may.tobytes()): e for e in group}.values():
        keys = _keys(event)
        warps = np.arange(len(event.mask.may), dtype=np.int64) // WARP
        warp = max(warp, _most(event, [*keys, warps]))
        apart = any(symbol.level is Level.WARP for symbol in event.address.poly.symbols())
        block = max(block, _most(event, [*keys, warps] if apart else keys))
    return Meeting(warp, block)


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


def _most(event: AccessEvent, keys: list[IntVector]) -> int:
    """The most threads that may come and have equal numbers."""
    active = event.mask.may
    if not keys:
        return int(active.sum())
    rows = np.stack([key[active] for key in keys])
    return int(np.unique(rows, axis=1, return_counts=True)[1].max(initial=0))
