"""How far the lanes of a warp are apart at most, as an expression: what steps of their own in a loop can add up to.

A position that begins the same in all lanes and moves on by one where data says so may lead anywhere in a thousand rounds, so
that the bound is 32 sectors; in 32 rounds it is 32 elements.  Sizes decide, as they decide the rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis_core.domains.polynomial import Coefficient
from analysis_core.domains.shape import WARP, BoolVector
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.domains.thread_value import keeps_distances
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.interp.core.extremes import symbol_extreme
from analysis_core.interp.core.known import Known

_MOST_EVENTS = 8
"""Different executions that are looked at."""


def spread_of(group: Sequence[AccessEvent], events: Events) -> Expression | None:
    """The most bytes from the least to the greatest address of a warp's request; None where nothing bounds that."""
    known = Known(events.uppers, events.derivations)
    different = {(e.address.poly.key(), e.mask.may.tobytes()): e for e in group}
    if len(different) > _MOST_EVENTS:
        return None
    found = [_of_event(event, known) for event in different.values()]
    told = [spread for spread in found if spread is not None]
    spread = ex.maximum(*told) if told and len(told) == len(found) else None
    return None if spread is None or ex.constant(spread) is not None else spread  # what is a number is known (`reach`)


def _of_event(event: AccessEvent, known: Known) -> Expression | None:
    if not keeps_distances(event.address.bits):
        return None
    lanes = event.mask.may
    parts = [ex.integer(_of_constants(event.address.poly.constant, lanes) + event.access.width)]
    for monomial, coefficient in event.address.poly.terms.items():
        own = [s for s in monomial if s.level is Level.LANE]
        if not monomial or (not own and isinstance(coefficient, int)):
            continue
        moved = _of_symbol(own[0], known, lanes) if len(own) == len(monomial) == 1 else None
        if moved is None or not isinstance(coefficient, int):
            return None
        parts.append(ex.scale(abs(coefficient), moved))
    return ex.add(*parts)


def _of_constants(constants: Coefficient, lanes: BoolVector) -> int:
    """What the lanes of a warp are apart by what is known of them."""
    if isinstance(constants, int):
        return 0
    by_warp, active = constants.reshape(-1, WARP), lanes.reshape(-1, WARP)
    rows = active.any(axis=1)
    end = np.iinfo(np.int64)
    most = np.where(active, by_warp, end.min).max(axis=1)[rows]
    least = np.where(active, by_warp, end.max).min(axis=1)[rows]
    return int((most - least).max())


def _of_symbol(symbol: Symbol, known: Known, lanes: BoolVector) -> Expression | None:
    """What lanes are apart by a value of their own."""
    upper = symbol_extreme(symbol, True, known, lanes)
    return None if upper is None or symbol.low is None else ex.subtract(upper, ex.integer(symbol.low))
