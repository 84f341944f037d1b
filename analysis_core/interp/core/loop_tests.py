"""What a loop's condition says of its rounds: its parts as tests over the counter of rounds (trips.py).

`i != e` ends a loop where i meets e, however it gets there.  That it does is known where i begins on the right side of e, and e lies a
whole number of steps ahead.  Where nothing but this ends the loop, it is assumed (`LinearTest.meets`): else i would go past its end, and on
until it wraps around.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.congruence import known_residue
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import BoolVector, some
from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.trips import DecayTest, GrowthTest, LinearTest, LoopTest, split_by
from analysis_core.text.records import dataclass

_HUGE = 1 << 24
"""Factors from here on are those of hash functions, and numbers the last ones of their types: counters wrap around to meet them."""


@dataclass(frozen=True, slots=True)
class Movers:
    """The symbols that change from round to round: the counter k, powers b^k with their b, what stands for
    floor(V/d^k) with V and d, and the parity of k."""

    counter: Symbol
    powers: Mapping[Symbol, int]
    decays: Mapping[Symbol, tuple[Poly, int]]
    parity: Symbol | None = None


def loop_tests(
    condition: Condition,
    movers: Movers,
    lanes: BoolVector,
    naturals: Sequence[Poly] = (),
    meets_end: bool = False,
    strides: Sequence[Poly] | None = None,
) -> list[LoopTest]:
    """The parts of the loop's test that bound the number of rounds. `naturals`: symbols that are never negative, being
    unsigned. `meets_end`: nothing else ends the loop, so a counter compared with `!=` is assumed to reach its end
    before it wraps around. `strides`: by what the loop's variables move on, where something else may end it."""
    if some(lanes & ~condition.undecided & ~condition.false):
        return []  # some lane passes for a reason of its own: this does not stop it
    if condition.parts:
        if not condition.all_of:
            return []
        return [test for part in condition.parts for test in loop_tests(part, movers, lanes, naturals, False, strides)]
    atom = condition.atom
    if atom is None or atom.poly is None:
        return []
    moving = {s for s in atom.poly.symbols() if s is movers.counter or s in movers.powers or s in movers.decays}
    if len(moving) != 1:
        return []
    mover = moving.pop()
    if mover in movers.decays:
        return _decay_tests(atom, condition.positive, mover, *movers.decays[mover])
    found = split_by(atom.poly, mover)
    if found is None:
        return []
    start, step = found
    if atom.relation is Relation.ZERO:
        if condition.positive or mover is not movers.counter:
            return []
        counts_down = any(pl.equal(atom.poly, n) or pl.equal(atom.poly, pl.negate(n)) for n in naturals)
        return _until_equal(start, step, lanes, counts_down, meets_end)
    if not condition.positive:
        start, step = pl.subtract(pl.constant(-1), start), pl.negate(step)
    low = pl.total_bounds(step)[0]
    if low < 0 or (low == 0 and not _moves_unless_zero(step, strides)):
        return []
    if mover in movers.powers:
        return [GrowthTest(start, step, movers.powers[mover], low == 0)]
    return [LinearTest(start, step, low == 0)]


def _moves_unless_zero(step: Poly, strides: Sequence[Poly] | None) -> bool:
    """Whether the step is a product of non-negative symbols: not zero in a loop that nothing else ends.  Where something does, a variable of
    the loop moves on by it: in `i * j > 2` the outer `i` may be zero for the inner `j`, which then does not decide."""
    moves = len(step.terms) == 1 and all(isinstance(c, int) and c > 0 for c in step.terms.values())
    return moves and (strides is None or any(step.terms.keys() == stride.terms.keys() for stride in strides))


def _until_equal(start: Poly, step: Poly, lanes: BoolVector, natural: bool, meets_end: bool) -> list[LoopTest]:
    """A + k*B != 0 for a constant B, as A + k*B < 0, where zero is met: as the sign of A and what divides it show, or for B = -1 and something
    unsigned (`natural`), or because nothing else ends the loop (`meets_end`)."""
    amount = step.constant if step.is_constant else None
    if not isinstance(amount, int):
        return []
    if natural and abs(amount) == 1:
        return [LinearTest(start, step)] if amount == 1 else [LinearTest(pl.negate(start), pl.negate(step))]
    if amount < 0:
        start, step, amount = pl.negate(start), pl.negate(step), -amount
    rest = known_residue(start, amount) if amount > 1 else None
    if rest is not None and np.any(rest):
        return []
    if pl.total_bounds(start)[1] <= 0 and (amount == 1 or rest is not None):
        return [LinearTest(start, step)]
    sized = all(abs(int(end)) < _HUGE for c in start.terms.values() for end in (np.min(c), np.max(c)))
    ahead = meets_end and sized and not some(lanes & (np.asarray(pl.bounds(start)[0]) > 0))
    return [LinearTest(start, step, meets=True)] if ahead else []


def _decay_tests(atom: Atom, positive: bool, mover: Symbol, value: Poly, divisor: int) -> list[LoopTest]:
    """`s > t`, `s >= t`, `s != 0` for a symbol s that shrinks to 0."""
    assert atom.poly is not None
    found = split_by(atom.poly, mover)
    if found is None or not found[0].is_constant or not found[1].is_constant:
        return []
    start, factor = found[0].constant, found[1].constant
    if not isinstance(start, int) or not isinstance(factor, int):
        return []
    if atom.relation is Relation.ZERO:
        return [DecayTest(value, divisor, 1)] if not positive and start == 0 else []
    if not positive:
        start, factor = -1 - start, -factor
    if factor >= 0:
        return []
    least = start // -factor + 1  # start + factor*s < 0
    return [DecayTest(value, divisor, least)] if least >= 1 else []
