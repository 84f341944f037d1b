"""How many rounds of a summarised loop each lane of a warp makes, where that is an expression over sizes.

    for (int i = 0; i < (t % 16 ? 1 : n); i++)          30 lanes make one round, 2 make n
    for (..; i < n; i++) if (i == 4 * lane) break;      min(n, 4*lane + 1)

The loop's test, and the conditions that each round comes to and of which one side leaves the loop, say at which round a lane leaves:
the first of them counts.  So it is known what lanes wait for each other, in rounds, at any sizes.  Where anything else leaves the loop,
or something decides that is no expression (memory, the number of the block), nothing is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import BranchEvent
from analysis_core.interp.core.term_expressions import expression_of_poly
from analysis_core.ir.nodes import LoopKind
from analysis_core.requests.facts import WarpRounds

MOST_WARPS = 4
"""Warps of a block that are looked at: the others of most blocks are like one of them."""

_MANY = 1 << 20
"""Rounds that the types of counters allow, and no size asks for."""

Time = Expression | None
"""The round, from 0, at which a lane leaves; None: never."""


class _Unknown(Exception):
    """Nothing is told of the loop; caught by `lane_rounds`."""


def lane_rounds(test: BranchEvent | None, exits: Sequence[tuple[BranchEvent, bool]]) -> tuple[WarpRounds, ...]:
    """How many rounds of a loop each lane makes, for the first warps of a block; empty where that is not known.
    `exits`: tests inside of the loop, each with whether lanes that meet it leave. `test`: None for `for (;;)`."""
    first = test or (exits[0][0] if exits else None)
    if first is None:
        return ()
    counted: Counter[tuple[tuple[Expression, int], ...]] = Counter()
    rows = first.mask.may.reshape(-1, WARP)
    try:
        for warp in np.flatnonzero(rows.any(axis=1)).tolist()[:MOST_WARPS]:
            lanes = Counter(_rounds(test, exits, WARP * warp + lane) for lane in np.flatnonzero(rows[warp]).tolist())
            counted[tuple(lanes.items())] += 1
    except _Unknown:
        return ()
    return tuple(WarpRounds(warps, lanes) for lanes, warps in counted.items())


def _rounds(test: BranchEvent | None, exits: Iterable[tuple[BranchEvent, bool]], lane: int) -> Expression:
    """How many rounds one lane makes, the one included in the middle of which it leaves."""
    ends: list[Expression] = []
    if test is not None:
        counter = _counter(test)
        known = (_leaving(test.conditions[0], counter, lane), _last(counter))
        ends.extend(ex.add(end, ex.ONE) if test.kind is LoopKind.DO else end for end in known if end is not None)
    for event, leaves in exits:
        stays = event.conditions[0].negation if leaves else event.conditions[0]
        end = _leaving(stays, _counter(event), lane)
        if end is not None:
            ends.append(ex.add(end, ex.ONE))
    if not ends:
        raise _Unknown
    return ex.minimum(*ends)


def _counter(event: BranchEvent) -> Symbol:
    """The counter of the loop's rounds: of a condition in it, the youngest."""
    if event.iteration is not None:
        return event.iteration
    counters = [s for c in event.conditions for s in _symbols(c) if s.kind is SymbolKind.ITERATION]
    if not counters:
        raise _Unknown
    return max(counters, key=lambda symbol: symbol.number)


def _last(k: Symbol) -> Time:
    """The number of rounds that no lane exceeds; None if only its type says one."""
    return ex.integer(k.high + 1) if k.high is not None and k.high < _MANY else None


def _symbols(condition: Condition) -> Iterable[Symbol]:
    if condition.atom is not None and condition.atom.poly is not None:
        yield from condition.atom.poly.symbols()
    for part in condition.parts:
        yield from _symbols(part)


def _leaving(stays: Condition, k: Symbol, lane: int) -> Time:
    """The first round in which the lane does not meet the condition."""
    if stays.true[lane]:
        return _last(k)
    if stays.false[lane]:
        return ex.ZERO
    if stays.parts:
        times = [_leaving(part, k, lane) for part in stays.parts]
        known = [time for time in times if time is not None]
        if stays.all_of:
            return ex.minimum(*known) if known else None
        return ex.maximum(*known) if len(known) == len(times) else None
    atom = stays.atom
    if atom is None or atom.poly is None or atom.data:
        raise _Unknown
    start, step = _of_lane(atom.poly, k, lane)
    if atom.relation is Relation.ZERO:
        return _meeting(start, step, stays.positive)
    return _passing(start, step, stays.positive)


def _of_lane(poly: Poly, k: Symbol, lane: int) -> tuple[Poly, int]:
    """What the polynomial is for a lane before the first round, and what a round adds."""
    start: dict[tuple[Symbol, ...], int] = {}
    step = 0
    for monomial, coefficient in poly.terms.items():
        own = coefficient if isinstance(coefficient, int) else int(coefficient[lane])
        if monomial == (k,):
            step = own
        elif k in monomial:
            raise _Unknown
        elif own:
            start[monomial] = own
    return Poly(dict(start)), step


def _passing(start: Poly, step: int, below: bool) -> Time:
    """The first round in which `start + step*k < 0` no longer holds (`below`), or in which it does."""
    value = expression_of_poly(start)
    if value is None:
        raise _Unknown
    if step == 0:
        number = ex.constant(value)
        if number is None:
            raise _Unknown
        return None if (number < 0) is below else ex.ZERO
    if (step > 0) is not below:
        number = ex.constant(value)
        if number is None or (number < 0) is below:
            raise _Unknown  # it goes away from where it would leave
        return ex.ZERO
    far = ex.scale(-1, value) if below else ex.add(value, ex.ONE)
    return ex.ceil_div(ex.maximum(ex.ZERO, far), ex.integer(abs(step)))


def _meeting(start: Poly, step: int, equal: bool) -> Time:
    """The first round in which `start + step*k == 0` no longer holds (`equal`), or in which it does."""
    number = ex.constant(expression_of_poly(start) or ex.symbol("?"))
    if number is None or equal:
        raise _Unknown
    if step == 0:
        return ex.ZERO if number == 0 else None
    return ex.integer(-number // step) if number % step == 0 and -number // step >= 0 else None
