"""Addresses that a counter hands out: `dst[atomicAdd(&n, 1)] = x`.

Each lane that asks gets a number of its own.  No bound says that the numbers of a warp are neighbours, since other warps may
ask in between; but the hardware serves the lanes of one request together, so that they nearly always are.  Then "up to 32
sectors" is not what happens, be it of single elements or of records of which a sector holds several; from a sector's size on
each lane has one of its own wherever it stands.
"""

from __future__ import annotations

from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import distinct_numbers
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.machine.global_memory import SECTOR_BYTES

_MOST = 64
"""Numbers that are chosen from, and choices between them, that are looked at."""


def is_handed_out(event: AccessEvent, events: Events) -> bool:
    """Whether the lanes' addresses differ only by the slots that an atomic counter gave them, one element after the
    other."""
    if not events.counters:
        return False
    own = [(m, c) for m, c in event.address.poly.terms.items() if any(s.level is Level.LANE for s in m)]
    steps = (step_of(c) for _, c in own)
    if not own or not all(are_neighbours(step, event.access.width) for step in steps):
        return False
    return all(len(m) == 1 and _is_counted(m[0], events) for m, _ in own)


def are_neighbours(step: int, width: int) -> bool:
    """Whether lanes with consecutive numbers share sectors: single elements, or records smaller than a sector."""
    return abs(step) == width or width <= abs(step) < SECTOR_BYTES


def step_of(coefficient: Coefficient) -> int:
    """The coefficient of the lanes that have one; 0 if they differ."""
    if isinstance(coefficient, int):
        return coefficient
    values = distinct_numbers(coefficient[coefficient != 0])
    return int(values[0]) if len(values) == 1 else 0


def _is_counted(symbol: Symbol, events: Events) -> bool:
    """The old value of a counter, or where counters were asked, a choice between what they gave and what all lanes share: as many runs of
    neighbours as there are counters."""
    pending, seen, found = [symbol], {symbol}, 0
    while pending:
        one = pending.pop()
        derivation = events.derivations.get(one)
        if derivation is None or derivation.op != "blend":
            if one.cause is None or one.cause.span not in events.counters:
                return False
            found += 1
            continue
        own = {s for operand in derivation.operands for s in _own(operand.poly)}
        pending.extend(own - seen)
        seen |= own
        if len(seen) > _MOST:
            return False
    return found > 0


def _own(poly: Poly) -> list[Symbol]:
    return [s for s in poly.symbols() if s.level is Level.LANE]
