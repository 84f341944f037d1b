"""Stated terms as cost expressions: `ceil(n / 16)` of a grid, the bound of a loop.

Only for terms that `assumptions.py` has accepted, so that dividends are not negative and divisors are constants.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import SymbolKind
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.syntax.read.annotation_tree import Binary, Call, Name, Number, Term, Unary

Value = Callable[[str], Expression | None]


def expression_of(term: Term, value: Value) -> Expression | None:
    """The term with `value` for its names; None where it holds something that expressions have no words for."""
    match term:
        case Number():
            return ex.integer(term.value)
        case Name():
            return value(term.name)
        case Unary():
            operand = expression_of(term.operand, value)
            if operand is None or term.op not in ("-", "+"):
                return None
            return ex.scale(-1, operand) if term.op == "-" else operand
        case Binary():
            left, right = expression_of(term.left, value), expression_of(term.right, value)
            return None if left is None or right is None else _binary(term.op, left, right)
        case Call():
            return _call(term, value)


def _call(term: Call, value: Value) -> Expression | None:
    parts: tuple[Term, ...] = term.args
    if term.function == "ceil":
        inner = term.args[0]
        if not (isinstance(inner, Binary) and inner.op == "/"):
            return expression_of(inner, value)
        parts = (inner.left, inner.right)
    args = [expression_of(part, value) for part in parts]
    first, second = args
    if first is None or second is None:
        return None
    match term.function:
        case "min":
            return ex.minimum(first, second)
        case "max":
            return ex.maximum(first, second)
        case _:
            return None if ex.constant(second) == 0 else ex.ceil_div(first, second)


def _binary(op: str, a: Expression, b: Expression) -> Expression | None:
    match op:
        case "+":
            return ex.add(a, b)
        case "-":
            return ex.subtract(a, b)
        case "*":
            return ex.multiply(a, b)
        case "/" | "%":
            if (ex.constant(b) or 0) <= 0:
                return None
            return ex.floor_div(a, b) if op == "/" else ex.modulo(a, b)
        case "<<" | ">>":
            distance = ex.constant(b)
            if distance is None or not 0 <= distance < 62:
                return None
            factor = ex.integer(1 << distance)
            return ex.multiply(a, factor) if op == "<<" else ex.floor_div(a, factor)
        case _:
            return None


def expression_of_poly(poly: Poly) -> Expression | None:
    """A polynomial over parameters and the grid's extents, exactly."""
    terms: list[Expression] = []
    for monomial, c in poly.terms.items():
        shown = all(s.kind is SymbolKind.PARAMETER or s.name.startswith("gridDim.") for s in monomial)
        if not isinstance(c, int) or not shown:
            return None
        terms.append(ex.scale(c, ex.multiply(*(ex.symbol(s.name) for s in monomial))))
    return ex.add(*terms) if terms else ex.ZERO
