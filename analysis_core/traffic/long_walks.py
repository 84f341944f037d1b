"""Rows that lanes go along from round to round, however long they are: what a round leaves of a sector, the next ones use.

    for (k = 0; k < n; k++) sum += a[t * n + k];                              each lane in its own row
    for (f = 0; f < 5; f++) for (p = 0; p < m; p++) sum += a[t * 50 + p * 5 + f];     in two loops, which go through all of it
    for (k = 0; k < n; k++) sum += a[(t + k) * n + n - 1 - t];                the element beside it is the next lane's, one round before

Nobody knows whether a cache still holds the sector then, so that costs, levels and shares are what they are without; findings say that it is so
(of short rows, which a cache does hold, own_walks.py knows).  Lanes that are left by a `break` go along as far as they come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.machine.sizes import SECTOR_BYTES
from analysis_core.requests.counters import step_of
from analysis_core.traffic.shared_sectors import split_address

_LOOKED_AT = 64
"""Executions of one access."""

_DENSE = 0.75
"""The part of what executions lead through that they touch at least."""


def step_along(group: Sequence[AccessEvent]) -> int:
    """The bytes that lanes go on within their sectors from round to round, in most executions of an access: by a loop's counter, or from one execution to
    the next; 0 if they do not.  What is between is gone through in other rounds if that is the access's width."""
    looked, width = group[:_LOOKED_AT], group[0].access.width
    steps = [_step(event) for event in looked]
    if not all(steps) and len(looked) > 1:
        places = [(event.access.id, *split_address(event)) for event in looked]
        dense = _is_dense({place[-1] for place in places}, width)
        for n, (one, other) in enumerate(pairwise(places)):
            apart = abs(other[-1] - one[-1])
            if not steps[n] and one[:-1] == other[:-1] and 0 < apart < SECTOR_BYTES:
                steps[n] = width if dense else apart
    known = [step for step in steps if step]
    if 2 * len(known) < len(looked):
        return 0
    step = max(known)
    between = {split_address(event)[-1] % step for event in looked} if step > width else ()
    return width if len(between) * width >= step else step


def _is_dense(offsets: Iterable[int], width: int) -> bool:
    """Whether elements at these offsets leave hardly anything between them."""
    places = sorted(offsets)
    return len(places) * width >= _DENSE * (places[-1] - places[0] + width)


def _step(event: AccessEvent) -> int:
    """The same of the rounds of loops that one execution stands for."""
    width = event.access.width
    counters = sorted({s for m in event.address.poly.terms for s in m if s.kind is SymbolKind.ITERATION}, key=_entered)
    if not counters or width >= SECTOR_BYTES:
        return 0
    round_ = _round(event.address.poly, counters[-1])
    if round_ is None:
        return 0
    if (step := _number(round_)) is not None and 0 < step < SECTOR_BYTES:
        return width if _is_filled(event, counters, width) else step
    lanes = _from_lane_to_lane(event.address.poly)
    beside = () if lanes is None else (pl.subtract(round_, lanes), pl.add(round_, lanes))
    return width if any(_number(one) == width for one in beside) else 0


def _entered(counter: Symbol) -> int:
    """Loops count with symbols in the order in which they are entered."""
    return counter.number


def _is_filled(event: AccessEvent, counters: Sequence[Symbol], width: int) -> bool:
    """Whether the loops together go through every element: `p * 5 + f` does for five f."""
    steps = []
    for counter in counters:
        round_ = _round(event.address.poly, counter)
        step = None if round_ is None else _number(round_)
        if step:
            steps.append((step, counter.high))
    reach = width
    for step, last in sorted(steps, key=lambda one: one[0]):
        if step > reach:
            return step >= SECTOR_BYTES
        reach = SECTOR_BYTES if last is None else max(reach, step * last + reach)
    return reach >= SECTOR_BYTES or len(steps) > 0


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
            steps = np.unique(np.diff(coefficient.reshape(-1, WARP), axis=1))
            if len(steps) != 1 or not steps[0]:
                return None
            apart[monomial] = int(steps[0])
    return Poly(apart)


def _number(poly: Poly) -> int | None:
    """The number of bytes that it is, whatever its sign; None if it is none."""
    constant = poly.constant
    known = isinstance(constant, int) and not any(m for m, c in poly.terms.items() if not isinstance(c, int) or c)
    return abs(constant) if known and isinstance(constant, int) else None
