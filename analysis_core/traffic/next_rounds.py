"""What the next rounds of a loop use of the sectors that this round moves.

    for (k = first[t]; k < first[t + 1]; k++) sum += value[k];      each lane goes through a row of its own, which begins where memory says
    for (k = 0; k < n; k++) sum += a[t * n + k];                    at a pitch
    for (k = 0; k < n; k++) sum += a[(t + k) * n + n - 1 - t];      the element beside it is the next lane's, one round before

Each round meets a sector of each lane's own, and is as slow as that.  Whether a cache still holds the sector in the next round nobody knows: costs, levels and
shares are what they are without it, and findings say that it may be so (`step_along`).  Lanes that a `break` leaves go along as far as they come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import WARP, distinct_numbers
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.machine.sizes import SECTOR_BYTES
from analysis_core.requests.counters import step_of
from analysis_core.support.facts import CauseKind
from analysis_core.traffic.addresses import split_address

_LOOKED_AT = 64
"""Executions of one access that are looked at."""

_DENSE = 0.75
"""The part of what executions lead through that they touch at least."""


def are_own_rows(group: Sequence[AccessEvent]) -> bool:
    """Whether some execution is a round of a loop through a row of each lane's own that begins where memory says, for a sector at least as far
    as is known.  Where one row ends the next begins, so that neighbouring lanes are as far apart as rows are long, whatever memory holds."""
    return any(map(_is_of_own_row, group))


def counter_of(event: AccessEvent) -> tuple[Symbol, int] | None:
    """The number of the round of the only loop that an address moves in, and the bytes from one round to the next."""
    terms = event.address.poly.terms.items()
    moving = [(m, c) for m, c in terms if any(s.kind is SymbolKind.ITERATION for s in m)]
    if len(moving) != 1:
        return None
    monomial, coefficient = moving[0]
    # What counts rounds begins at 0; a power or a quotient of a step is no round's number.
    return (monomial[0], step_of(coefficient)) if len(monomial) == 1 and monomial[0].low == 0 else None


def _is_of_own_row(event: AccessEvent) -> bool:
    poly, width, counted = event.address.poly, event.access.width, counter_of(event)
    if counted is None or abs(counted[1]) != width or not isinstance(poly.constant, int):
        return False
    begins = (m[0] for m, c in poly.terms.items() if len(m) == 1 and abs(step_of(c)) == width)
    if not any(s.level is Level.LANE and _is_by_data(s) for s in begins if s is not counted[0]):
        return False
    most = counted[0].high
    return most is None or (most + 1) * width >= SECTOR_BYTES


def _is_by_data(symbol: Symbol) -> bool:
    return symbol.cause is not None and symbol.cause.kind is CauseKind.DATA


def step_along(group: Sequence[AccessEvent]) -> int:
    """The bytes that lanes go on within their sectors from round to round, in most executions of an access: by a loop's counter, or from one
    execution to the next; 0 if they do not.  The width of the access where rounds leave nothing between."""
    looked, width = group[:_LOOKED_AT], group[0].access.width
    places = [(event.access.id, *split_address(event)) for event in looked]
    offsets = sorted({place[-1] for place in places})
    is_dense = len(offsets) * width >= _DENSE * (offsets[-1] - offsets[0] + width)
    steps = [_step(event) for event in looked]
    for n, (one, other) in enumerate(pairwise(places)):
        apart = abs(other[-1] - one[-1])
        if not steps[n] and one[:-1] == other[:-1] and 0 < apart < SECTOR_BYTES:
            steps[n] = width if is_dense else apart
    known = [step for step in steps if step]
    if 2 * len(known) < len(looked):
        return 0
    step = max(known)
    between = {offset % step for offset in offsets} if step > width else ()
    return width if len(between) * width >= step else step


def _step(event: AccessEvent) -> int:
    """The same of the rounds of loops that one execution stands for.  Loops count with symbols in the order in which they are entered."""
    poly, width = event.address.poly, event.access.width
    counters = {s for m in poly.terms for s in m if s.kind is SymbolKind.ITERATION}
    inner = max(counters, key=lambda counter: counter.number, default=None)
    round_ = None if inner is None or width >= SECTOR_BYTES else _round(poly, inner)
    if round_ is None:
        return 0
    if 0 < (step := _number(round_) or 0) < SECTOR_BYTES:
        return width if _is_filled(poly, counters, width) else step
    lanes = _from_lane_to_lane(poly)
    beside = () if lanes is None else (pl.subtract(round_, lanes), pl.add(round_, lanes))
    return width if any(_number(one) == width for one in beside) else 0


def _is_filled(poly: Poly, counters: Iterable[Symbol], width: int) -> bool:
    """Whether the loops together go through every element: `p * 5 + f` does for five f."""
    rounds = ((counter, _round(poly, counter)) for counter in counters)
    steps = [(step, counter.high) for counter, round_ in rounds if round_ is not None and (step := _number(round_))]
    reach = width
    for step, last in sorted(steps, key=lambda one: one[0]):
        if step > reach:
            return step >= SECTOR_BYTES
        reach = SECTOR_BYTES if last is None else max(reach, step * last + reach)
    return bool(steps)


def _round(poly: Poly, counter: Symbol) -> Poly | None:
    """How far an address moves in a round of a loop; None where that is not the same in each."""
    moving = {m: c for m, c in poly.terms.items() if counter in m}
    if any(m.count(counter) > 1 for m in moving) or counter.low != 0:
        return None
    steps: dict[tuple[Symbol, ...], Coefficient] = {}
    for monomial, coefficient in moving.items():
        steps[tuple(s for s in monomial if s is not counter)] = step_of(coefficient)
    return Poly(steps) if all(steps.values()) else None


def _from_lane_to_lane(poly: Poly) -> Poly | None:
    """How far it is from a lane to the next; None where that is not the same for all lanes of a warp."""
    apart: dict[tuple[Symbol, ...], Coefficient] = {}
    for monomial, coefficient in poly.terms.items():
        if not isinstance(coefficient, int):
            if len(coefficient) % WARP:
                return None
            steps = distinct_numbers(np.diff(coefficient.reshape(-1, WARP), axis=1))
            if len(steps) != 1 or not steps[0]:
                return None
            apart[monomial] = int(steps[0])
    return Poly(apart)


def _number(poly: Poly) -> int | None:
    """The number of bytes that it is, whatever its sign; None if it is none."""
    constant = poly.constant
    known = isinstance(constant, int) and not any(m for m, c in poly.terms.items() if not isinstance(c, int) or c)
    return abs(constant) if known and isinstance(constant, int) else None
