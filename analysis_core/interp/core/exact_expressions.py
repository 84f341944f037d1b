"""The value of a polynomial as an expression over parameters and the size of the grid, where it is exactly that.

Other than an upper expression (extremes.py), it may stand in a guard that says when a loop ends, so that lower bounds rest on it:
`n / 16`, `(n + 15) >> 4`, `min(n, 64) - 1`, `n % 8`.  Quotients and remainders are C's, which round towards zero: their dividends must
not be negative.
"""

from __future__ import annotations

from collections.abc import Iterable

from analysis_core.domains import polynomial as pl
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import BoolVector, some
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.known import Known, extreme_of

_MOST_STEPS = 8
"""How many functions of functions are looked through."""

_MADE = frozenset({"min", "max", "/", "floor/", ">>", "%", "floor%"})
"""The functions that expressions have."""


def exact_expression(poly: Poly, known: Known, lanes: BoolVector, steps: int = _MOST_STEPS) -> Expression | None:
    """The polynomial as an expression that gives its exact value on each of `lanes`; None if there is none."""
    terms: list[Expression] = []
    for monomial, coefficient in poly.terms.items():
        number = _one(coefficient, lanes)
        factors = None if number is None else all_known(exact_symbol(s, known, lanes, steps) for s in monomial)
        if number is None or factors is None:
            return None
        terms.append(ex.scale(number, ex.multiply(*factors)))
    return ex.add(*terms)


def greatest_exactly(poly: Poly, known: Known, lanes: BoolVector) -> Expression | None:
    """The greatest value of the polynomial on `lanes`, as an exact expression. The lanes' values may differ by numbers
    only."""
    own = poly.constant
    rest = exact_expression(Poly({m: c for m, c in poly.terms.items() if m}), known, lanes)
    return None if rest is None else ex.add(rest, ex.integer(own if isinstance(own, int) else int(own[lanes].max())))


def exact_symbol(symbol: Symbol, known: Known, lanes: BoolVector, steps: int = _MOST_STEPS) -> Expression | None:
    """The expression for a symbol: its name if users know it, else the function that made it, with expressions for the
    operands."""
    if is_shown(symbol):
        return ex.symbol(symbol.name)
    derivation = known.derivations.get(symbol) if steps > 0 else None
    if derivation is None or (derivation.settled is not None and some(lanes & ~derivation.settled[0])):
        return None
    if not all(operand.exact for operand in derivation.operands):
        return None
    if extreme_of(derivation) not in _MADE:
        return None
    operands = all_known(exact_expression(operand.poly, known, lanes, steps - 1) for operand in derivation.operands)
    return None if operands is None else _made(derivation, operands)


def all_known(found: Iterable[Expression | None]) -> list[Expression] | None:
    """All of the expressions, or None as soon as one is missing; the rest is not computed then."""
    told = []
    for expression in found:
        if expression is None:
            return None
        told.append(expression)
    return told


def is_shown(symbol: Symbol) -> bool:
    """Whether users know the symbol: it stands for itself in expressions."""
    return symbol.kind is SymbolKind.PARAMETER or symbol.name.startswith("gridDim.")


def _one(coefficient: Coefficient, lanes: BoolVector) -> int | None:
    if isinstance(coefficient, int):
        return coefficient
    held = coefficient[lanes]
    return int(held[0]) if len(held) and not some(held != held[0]) else None


def _made(derivation: Derivation, operands: list[Expression]) -> Expression | None:
    match extreme_of(derivation):
        case "min":
            return ex.minimum(*operands)
        case "max":
            return ex.maximum(*operands)
        case _:
            return _divided(derivation, operands[0], operands[1])


def quotient(dividend: Expression, divisor: Expression) -> Expression:
    """dividend / divisor, rounded down, for a divisor of at least 1: `(n + d - 1) / d` is n / d rounded up."""
    raised = ex.add(ex.subtract(dividend, divisor), ex.ONE)
    if ex.constant(divisor) is None and ex.size(raised) < ex.size(dividend):
        return ex.ceil_div(raised, divisor)
    return ex.floor_div(dividend, divisor)


def _divided(derivation: Derivation, dividend: Expression, divisor: Expression) -> Expression | None:
    cut, by = derivation.operands
    amount = _constant(by)
    if pl.total_bounds(cut.poly)[0] < 0:
        return None
    if amount is None:
        plain = derivation.op in ("/", "floor/") and pl.total_bounds(by.poly)[0] >= 1
        return quotient(dividend, divisor) if plain else None
    if derivation.op == ">>":
        return ex.floor_div(dividend, ex.integer(1 << amount)) if 0 <= amount < 64 else None
    if amount < 1:
        return None
    function = ex.modulo if derivation.op.endswith("%") else ex.floor_div
    return function(dividend, ex.integer(amount))


def _constant(value: Integer) -> int | None:
    number = value.poly.constant if value.poly.is_constant else None
    return number if isinstance(number, int) else None
