"""Trip counts: how often a summarised loop runs, as an expression over the kernel's symbols.

The loop's test at round k (from 0), read over the closed forms of its variables (closed_forms.py), is one of

    A + k*B < 0         T = ceil(max(0, -A) / B)                         counters
    A + b^k*B < 0       T = floor_log(b, floor((-A - 1) / B)) + 1        geometric growth, floor_log(b, a) = -1 for a < 1
    floor(V/d^k) >= t   T = floor_log(d, floor(V / t)) + 1               geometric decay

with B > 0, t >= 1, and A, B, V free of anything that changes in the loop; a lane makes T rounds, the warp the most of
its lanes'.  `A + k*B != 0` is the first form where B divides A and the sign is right.  A
conjunction makes at most the rounds of each of its parts.  Where no expression over parameters and the grid is at least
T, the trip count is a named symbol of its own.

Where A is C + j*D for the counter j of the loop around, with a number D, T is another number in each of its N rounds (`for (m = 0; m <= j;
m++)`), but max(0, -C - j*D) is convex in j, and so is the most of several lanes': no round's T lies above the straight line between
the first round's and the last one's, and all of them together make at most N * (first + last) / 2.  That is so for any N that is
no less than the number of rounds, for what the formula adds is not negative; but if T falls, each entry has to be counted with N.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, inf

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import below_zero
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.quotient_facts import is_never_negative
from analysis_core.domains.shape import WARP, BoolVector
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.extremes import alternatives, upper_expression
from analysis_core.interp.core.known import Known
from analysis_core.text.records import dataclass

_FEW_ROUNDS = 64
"""A geometric loop over a value of any type runs less often than this: a number worth showing."""


@dataclass(frozen=True, slots=True)
class LinearTest:
    """The test A + k*B < 0 (or != 0): `start` A, `step` B.

    Invariant: B > 0 on all lanes in question; if `may_stand`, B >= 0, and the loop only ends if it is not 0.  `meets`: != 0, and
    that it comes to be 0 is assumed."""

    start: Poly
    step: Poly
    may_stand: bool = False
    meets: bool = False


@dataclass(frozen=True, slots=True)
class GrowthTest:
    """The test A + b^k*B < 0 over the round k: `start` A, `factor` B > 0, `base` b >= 2. `may_stand` as in
    `LinearTest`."""

    start: Poly
    factor: Poly
    base: int
    may_stand: bool = False


@dataclass(frozen=True, slots=True)
class DecayTest:
    """The test floor(V/d^k) >= t over the round k: `value` V >= 0, `divisor` d >= 2, `least` t >= 1."""

    value: Poly
    divisor: int
    least: int


LoopTest = LinearTest | GrowthTest | DecayTest


@dataclass(frozen=True, slots=True)
class Series:
    """Trip counts of a loop over the rounds of the loop around it: those of the first and of the last round, with the
    others on a straight line between them, or below it. `most`: no round has more, if that is less than the line says.
    """

    first: Expression
    last: Expression
    most: Expression | None = None


def polynomials(test: LoopTest) -> tuple[Poly, ...]:
    """The polynomials that decide how long the test holds."""
    match test:
        case LinearTest(start, step):
            return start, step
        case GrowthTest(start, factor):
            return start, factor
        case DecayTest(value):
            return (value,)


def split_by(poly: Poly, mover: Symbol) -> tuple[Poly, Poly] | None:
    """poly = A + mover*B, if the symbol occurs at most to the first power."""
    start: dict[Monomial, pl.Coefficient] = {}
    step: dict[Monomial, pl.Coefficient] = {}
    for monomial, coefficient in poly.terms.items():
        power = sum(1 for s in monomial if s is mover)
        if power > 1:
            return None
        if power:
            step[tuple(s for s in monomial if s is not mover)] = coefficient
        else:
            start[monomial] = coefficient
    return (Poly(start), Poly(step)) if step else None


def rounds_bound(test: LoopTest) -> float:
    """A number that no lane's trip count exceeds (infinite if the symbols are unbounded)."""
    match test:
        case LinearTest():
            low, _ = pl.total_bounds(test.start)
            step = max(1.0, pl.total_bounds(test.step)[0])
            return max(0.0, float(np.ceil(-low / step)))
        case GrowthTest():
            low, _ = pl.total_bounds(test.start)
            factor = max(1.0, pl.total_bounds(test.factor)[0])
            return _most_powers(test.base, (-low - 1) / factor)
        case DecayTest():
            return _most_powers(test.divisor, pl.total_bounds(test.value)[1] / test.least)


def differs_by_rounds(test: LoopTest, lanes: BoolVector) -> bool:
    """Whether some warps make at least a round less than others, by where their threads begin or end (`u <= threadIdx.x`), or by the number of
    the block and no size.  Threads that begin side by side and go a block further in each round (`i += blockDim.x`) all have as many, but
    for the last one."""
    step = test.step.constant if isinstance(test, LinearTest) and test.step.is_constant else None
    if not isinstance(test, LinearTest) or not isinstance(step, int):
        return False
    return _differs_by_warps(test.start, step, lanes) or _differs_by_blocks(test.start, step)


def _differs_by_warps(start: Poly, step: int, lanes: BoolVector) -> bool:
    own = start.constant
    if isinstance(own, int) or not all(isinstance(c, int) and pl.is_shared(m) for m, c in start.terms.items() if m):
        return False
    by_warp = zip(own.reshape(-1, WARP), lanes.reshape(-1, WARP), strict=True)
    least = [int(row[alive].min()) for row, alive in by_warp if alive.any()]
    return bool(least) and max(least) - min(least) >= step


def _differs_by_blocks(start: Poly, step: int) -> bool:
    if not all(_is_of_block(s) or s.is_choice for s in start.symbols()):
        return False
    own = [c for m, c in start.terms.items() if any(map(_is_of_block, m))]
    return any(int(np.abs(c).max()) >= step for c in own)


def _is_of_block(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.GRID and symbol.name.startswith("blockIdx")


def guarded_rounds(test: LoopTest, mask: Mask) -> float:
    """The most rounds that the conditions around a loop allow: in `if (rest < 8) for (k = 0; k < rest; k++)` 7.
    Infinite if they bound nothing."""
    if not isinstance(test, LinearTest):
        return inf
    step = max(1.0, pl.total_bounds(test.step)[0])
    least = inf
    for entry in mask.literals:
        negative = below_zero(entry.formula)
        if negative is None or (mask.may & ~entry.scope).any():
            continue
        apart = pl.add(negative, test.start)  # -start = negative - apart, and negative is -1 at most
        if apart.is_constant:
            most = -1 - pl.coefficient_vector(apart.constant, len(mask.may))[mask.may].min(initial=1 << 62)
            least = min(least, max(0.0, float(np.ceil(most / step))))
    return least


def _most_powers(base: int, greatest: float) -> float:
    """How many powers of the base, from 1 on, are at most `greatest` (rounded outwards)."""
    if greatest == inf:
        return inf
    return float(ex.floor_log_value(base, ceil(greatest * (1 + 1e-12))) + 1) if greatest >= 1 else 0.0


def trip_expression(test: LoopTest, known: Known, lanes: BoolVector) -> Expression | None:
    """The trip count of the lane with the most rounds, over parameters and grid symbols; None if some symbol has no bound
    to replace it by."""
    match test:
        case LinearTest():
            return _linear_trips(test, known, lanes)
        case GrowthTest():
            length = upper_expression(pl.subtract(pl.constant(-1), test.start), known, lanes)
            factor = _least_positive(test.factor, known, lanes)
            if length is not None and factor is not None:
                return _powers(test.base, ex.floor_div(length, factor))
        case DecayTest():
            length = upper_expression(test.value, known, lanes)
            if length is not None:
                return _powers(test.divisor, ex.floor_div(length, ex.integer(test.least)))
    bound = rounds_bound(test)
    return ex.integer(int(bound)) if bound <= _FEW_ROUNDS else None


def _powers(base: int, argument: Expression) -> Expression:
    return ex.add(ex.floor_log(base, argument), ex.integer(1))


def _linear_trips(test: LinearTest, known: Known, lanes: BoolVector) -> Expression | None:
    length = upper_expression(pl.negate(test.start), known, lanes)
    divisor = _least_positive(test.step, known, lanes)
    if length is None or divisor is None:
        return None
    return rounds_by(length, divisor, test.start, known)


def rounds_by(length: Expression, divisor: Expression, start: Poly, known: Known) -> Expression:
    """ceil(max(0, length) / divisor), where `start` is minus the length, or less. `(n - 3 + 3) / 4`, rounded down, are
    the rounds of `i + 3 < n` by four."""

    def is_natural(value: Expression, poly: Poly) -> bool:
        return is_plainly_nonnegative(value) or is_never_negative(poly, known.derivations, known.relations)

    left = pl.negate(start)
    if pl.total_bounds(start)[1] <= 0 or is_natural(length, left):
        return ex.ceil_div(length, divisor)
    step = ex.constant(divisor)
    raised = length if step is None else ex.add(length, ex.integer(step - 1))
    if step is None or ex.constant_term(raised) != 0 or not is_natural(raised, pl.add(left, pl.constant(step - 1))):
        return ex.ceil_div(ex.maximum(ex.ZERO, length), divisor)
    return ex.floor_div(raised, divisor)


def series_of(
    test: LoopTest, turn: Symbol, even: bool, most: Expression, known: Known, lanes: BoolVector
) -> Series | None:
    """The trip counts over the rounds of the loop around, whose counter is `turn`; None where they are no such series.  `even`: the
    loop around is counted with as many rounds for each of its entries: with fewer, those that are left would be the longer ones, where trip
    counts fall.  `most`: the trip count in any of them."""
    if not isinstance(test, LinearTest) or not pl.equal(test.step, pl.constant(1)):
        return None
    for poly in alternatives(pl.negate(test.start), known) or ():
        slope = poly.terms.get((turn,))
        if not isinstance(slope, int) or abs(slope) != 1:
            continue  # a window that moves on by its width is as wide in nearly all rounds
        one = LinearTest(pl.negate(poly), test.step)
        own = trip_expression(one, known, lanes)
        series = None if own is None else _straight(one, turn, even, own, known, lanes)
        if series is not None:  # min(k, cap): no more rounds than k, in all, nor than cap in each
            return replace(series, most=most)
    return _straight(test, turn, even, most, known, lanes)


def _straight(
    test: LinearTest, turn: Symbol, even: bool, most: Expression, known: Known, lanes: BoolVector
) -> Series | None:
    """The series of a test that the counter of the loop around moves by a number in each round."""
    last = known.uppers.get(turn)
    if last is None:
        return None
    found = split_by(test.start, turn)
    if found is None or not found[1].is_constant or not isinstance(found[1].constant, int):
        return None
    first = trip_expression(LinearTest(found[0], test.step), known, lanes)
    if first is None or found[1].constant <= 0:
        return None if first is None else Series(first, most)
    length = upper_expression(pl.negate(found[0]), known, lanes) if even else None
    if length is None:
        return None
    return Series(first, ex.maximum(ex.ZERO, ex.subtract(length, ex.scale(found[1].constant, last))))


def in_all(series: Series, entries: Expression) -> Expression:
    """The rounds of all entries together, of which each round of the loop around has equally many."""
    line = ex.floor_div(ex.multiply(entries, ex.add(series.first, series.last)), ex.integer(2))
    return line if series.most is None else ex.minimum(line, ex.multiply(entries, series.most))


def _least_positive(step: Poly, known: Known, lanes: BoolVector) -> Expression | None:
    """A positive expression that no lane's step is below.

    Where coefficients differ between lanes, the extremes of the terms may belong to different lanes and need not add up
    to something positive; then the least step is a number."""
    if any(m and not isinstance(c, int) for m, c in step.terms.items()):
        return ex.integer(max(1, int(pl.total_bounds(step)[0])))
    stride = upper_expression(pl.negate(step), known, lanes)
    least = None if stride is None else ex.subtract(ex.integer(0), stride)
    if least is None or least == ex.integer(0):
        return ex.integer(max(1, int(min(pl.total_bounds(step)[0], 1 << 62))))
    return least


def is_plainly_nonnegative(e: Expression) -> bool:
    """Sums and products of symbols without a minus: parameters, grid sizes and trip counts are never negative."""
    match e:
        case ex.Integer(value=value):
            return value >= 0
        case ex.Symbol():
            return True
        case ex.Sum(terms=parts) | ex.Product(factors=parts) | ex.Minimum(items=parts):
            return all(is_plainly_nonnegative(part) for part in parts)
        case ex.CeilDiv(a, ex.Integer(d)) | ex.FloorDiv(a, ex.Integer(d)) if d > 0:
            return is_plainly_nonnegative(a)
        case _:
            return False
