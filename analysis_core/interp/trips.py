"""Trip counts: how often a summarised loop runs, as an expression over the kernel's symbols.

Let the loop's test at round k (from 0) be  A + k*B < 0  for lane-dependent A and B > 0, where B does not contain k and
neither contains anything made inside of the loop.  Then a lane makes

    T = ceil(max(0, -A) / B)

rounds; the warp makes the most of its lanes' (DESIGN.md section 6).  `A + k*B != 0` gives T = -A/B where |B| = 1 and the
sign is right.  A conjunction makes at most the rounds of each of its parts.  Symbols that are not parameters are replaced by
their greatest (least) value; where that is not possible the trip count is a named symbol of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis_core.cost import expression as ex
from analysis_core.cost.expression import Expression
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.shape import BoolVector
from analysis_core.domains.symbol import Level, Symbol, SymbolKind

_SAYS_NOTHING = 1 << 20
"""An end of a range from which on it comes from a type or a limit of the hardware: no trip count to show to anybody."""


@dataclass(frozen=True, slots=True)
class LinearTest:
    """The test A + k*B < 0 (or != 0): `start` A, `step` B.  Invariant: B > 0 on all lanes in question."""

    start: Poly
    step: Poly


def linear_tests(condition: Condition, k: Symbol, lanes: BoolVector) -> list[LinearTest]:
    """The parts of the loop's test that bound the number of rounds."""
    if (lanes & ~condition.undecided & ~condition.false).any():
        return []  # some lane passes for a reason of its own: this does not stop it
    if condition.parts:
        if not condition.all_of:
            return []
        return [test for part in condition.parts for test in linear_tests(part, k, lanes)]
    atom = condition.atom
    if atom is None or atom.poly is None:
        return []
    found = _split(atom.poly, k)
    if found is None:
        return []
    start, step = found
    if atom.relation is Relation.ZERO:
        return [] if condition.positive else _until_equal(start, step)
    if not condition.positive:
        start, step = pl.subtract(pl.constant(-1), start), pl.negate(step)
    return [LinearTest(start, step)] if pl.total_bounds(step)[0] > 0 else []


def _split(poly: Poly, k: Symbol) -> tuple[Poly, Poly] | None:
    """poly = A + k*B, if k occurs at most to the first power."""
    start: dict[Monomial, pl.Coefficient] = {}
    step: dict[Monomial, pl.Coefficient] = {}
    for monomial, coefficient in poly.terms.items():
        power = sum(1 for s in monomial if s is k)
        if power > 1:
            return None
        if power:
            step[tuple(s for s in monomial if s is not k)] = coefficient
        else:
            start[monomial] = coefficient
    return (Poly(start), Poly(step)) if step else None


def _until_equal(start: Poly, step: Poly) -> list[LinearTest]:
    """A + k*B != 0 with |B| = 1: as A + k*B < 0, once the sign shows that zero is met."""
    if pl.equal(step, pl.constant(-1)):
        start, step = pl.negate(start), pl.negate(step)
    if not pl.equal(step, pl.constant(1)):
        return []
    return [LinearTest(start, step)] if pl.total_bounds(start)[1] <= 0 else []


def rounds_bound(test: LinearTest) -> float:
    """A number that no lane's trip count exceeds (infinite if the symbols are unbounded)."""
    low, _ = pl.total_bounds(test.start)
    step = max(1.0, pl.total_bounds(test.step)[0])
    return max(0.0, float(np.ceil(-low / step)))


def trip_expression(
    test: LinearTest, uppers: Mapping[Symbol, Expression | None], lanes: BoolVector
) -> Expression | None:
    """ceil(max(0, -A)/B) for the lane with the most rounds, over parameters and grid symbols; None if some symbol has
    no bound to replace it by."""
    length = upper_expression(pl.negate(test.start), uppers, lanes)
    divisor = _least_stride(test.step, uppers, lanes)
    if length is None or divisor is None:
        return None
    never_negative = pl.total_bounds(test.start)[1] <= 0 or _is_plainly_nonnegative(length)
    return ex.ceil_div(length if never_negative else ex.maximum(ex.integer(0), length), divisor)


def _least_stride(step: Poly, uppers: Mapping[Symbol, Expression | None], lanes: BoolVector) -> Expression | None:
    """A positive expression that no lane's step is below.

    Where coefficients differ between lanes, the extremes of the terms may belong to different lanes and need not add up
    to something positive; then the least step is a number."""
    if any(m and not isinstance(c, int) for m, c in step.terms.items()):
        return ex.integer(max(1, int(pl.total_bounds(step)[0])))
    stride = upper_expression(pl.negate(step), uppers, lanes)
    return None if stride is None else ex.subtract(ex.integer(0), stride)


def _is_plainly_nonnegative(e: Expression) -> bool:
    """Sums and products of symbols without a minus: parameters, grid sizes and trip counts are never negative."""
    match e:
        case ex.Integer(value=value):
            return value >= 0
        case ex.Symbol():
            return True
        case ex.Sum(terms=parts) | ex.Product(factors=parts):
            return all(_is_plainly_nonnegative(part) for part in parts)
        case _:
            return False


def upper_expression(poly: Poly, uppers: Mapping[Symbol, Expression | None], lanes: BoolVector) -> Expression | None:
    """An expression that no lane of `lanes` exceeds."""
    terms: list[Expression] = []
    for monomial, coefficient in poly.terms.items():
        if isinstance(coefficient, int):
            top = bottom = coefficient
        else:
            top, bottom = int(coefficient[lanes].max()), int(coefficient[lanes].min())
        if not monomial:
            terms.append(ex.integer(top))
            continue
        low, _ = pl.monomial_range(monomial)
        if top != bottom and low < 0:
            return None
        product = _monomial_extreme(monomial, top >= 0, uppers)
        if product is None:
            return None
        terms.append(ex.scale(top, product))
    return ex.add(*terms) if terms else ex.integer(0)


def _monomial_extreme(
    monomial: Monomial, greatest: bool, uppers: Mapping[Symbol, Expression | None]
) -> Expression | None:
    """The monomial's greatest or least value; several symbols only where all are non-negative."""
    if len(monomial) > 1 and any(s.low is None or s.low < 0 for s in monomial):
        return None
    factors = []
    for symbol in monomial:
        factor = symbol_extreme(symbol, greatest, uppers)
        if factor is None:
            return None
        factors.append(factor)
    return ex.multiply(*factors)


def symbol_extreme(symbol: Symbol, greatest: bool, uppers: Mapping[Symbol, Expression | None]) -> Expression | None:
    """Parameters stand for themselves; other symbols are replaced by an end of their range, if that says anything."""
    if symbol.kind is SymbolKind.PARAMETER or symbol.name.startswith("gridDim."):
        return ex.symbol(symbol.name)
    if symbol in uppers and greatest:
        return uppers[symbol]
    end = symbol.high if greatest else symbol.low
    if end is None or abs(end) >= _SAYS_NOTHING:
        return None
    return ex.integer(end)


def distinct_exits(test: LinearTest, shape_rows: int, lanes: BoolVector) -> int | None:
    """The most rounds by which two lanes of one warp can leave apart; None if that is not known."""
    if pl.level(test.start) is not Level.LANE:
        return 0
    if any(m and not isinstance(c, int) for m, c in test.start.terms.items()):
        return None
    constant = pl.coefficient_vector(test.start.constant, len(lanes))
    step, _ = pl.total_bounds(test.step)
    most = 0
    for row, active in zip(constant.reshape(shape_rows, -1), lanes.reshape(shape_rows, -1), strict=True):
        if active.any():
            spread = int(row[active].max() - row[active].min())
            most = max(most, int(np.ceil(spread / max(step, 1.0))))
    return most
