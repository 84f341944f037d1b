"""Addresses that a counter hands out: `dst[atomicAdd(&n, 1)] = x`.

Each lane that asks gets a number of its own.  No bound says that the numbers of a warp are neighbours, since other warps may
ask in between; but the hardware serves the lanes of one request together, so that they nearly always are.  Then "up to 32
sectors" is not what happens, be it of single elements or of records of which a sector holds several; from a sector's size on
each lane has one of its own wherever it stands.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.interp.events import AccessEvent, Events
from analysis_core.machine.global_memory import SECTOR_BYTES

_DEEPEST = 8
"""Choices inside of choices that are followed."""


def is_handed_out(event: AccessEvent, events: Events) -> bool:
    """Whether the lanes' addresses differ by what a counter gave them, element by element."""
    if not events.counters:
        return False
    own = [(m, c) for m, c in event.address.poly.terms.items() if any(s.level is Level.LANE for s in m)]
    steps = (step_of(c) for _, c in own)
    if not own or not all(are_neighbours(step, event.access.width) for step in steps):
        return False
    return all(len(m) == 1 and _is_counted(m[0], events, events.derivations, 0) for m, _ in own)


def are_neighbours(step: int, width: int) -> bool:
    """Whether lanes whose numbers follow each other share sectors: elements one by one, or records smaller than a sector."""
    return abs(step) == width or width <= abs(step) < SECTOR_BYTES


def step_of(coefficient: Coefficient) -> int:
    """The coefficient of the lanes that have one; 0 if they differ."""
    if isinstance(coefficient, int):
        return coefficient
    values = np.unique(coefficient[coefficient != 0])
    return int(values[0]) if len(values) == 1 else 0


def _is_counted(symbol: Symbol, events: Events, derivations: Mapping[Symbol, Derivation], depth: int) -> bool:
    """The old value of a counter, or where a counter was asked, a choice between it and what all lanes share."""
    if symbol.cause is not None and symbol.cause.span in events.counters:
        return True
    derivation = derivations.get(symbol)
    if derivation is None or derivation.op != "blend" or depth > _DEEPEST:
        return False
    own = [_own(operand.poly) for operand in derivation.operands]
    return any(own) and all(_is_counted(s, events, derivations, depth + 1) for found in own for s in found)


def _own(poly: Poly) -> list[Symbol]:
    return [s for s in poly.symbols() if s.level is Level.LANE]
