"""What warps pay at most and at least, and what holds where two such pairs do."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import Reason
from analysis_core.expressions.compare import at_most
from analysis_core.expressions.expression import Expression
from analysis_core.expressions.expression_nodes import Integer, Maximum, Product, Sum
from analysis_core.text.records import dataclass

LARGE = 1024
"""The size at which bounds are compared where either would do."""


@dataclass(frozen=True, slots=True)
class Ends:
    """What warps of one class pay at most and at least; `upper` None: `because` says why."""

    upper: Expression | None
    lower: Expression
    method: str
    because: Reason | None


def both(a: Ends, b: Ends, sizes: Collection[str]) -> Ends:
    """The ends that hold if both do. Of two upper bounds, one over `sizes` alone, which users know, is preferred to
    one over trip counts; else the one that is less at large sizes. A minimum of both would tell nobody anything."""
    if at_most(a.lower, b.lower):
        lower = b.lower
    elif at_most(b.lower, a.lower):
        lower = a.lower
    else:
        lower = ex.maximum(a.lower, b.lower)
    if a.upper is None or b.upper is None:
        return replace(a if b.upper is None else b, lower=lower)
    known = [ex.symbols(upper) <= set(sizes) for upper in (a.upper, b.upper)]
    if known[0] != known[1]:
        return replace(a if known[0] else b, lower=lower)
    better = at_most(b.upper, a.upper) or (not at_most(a.upper, b.upper) and at_large(b.upper) < at_large(a.upper))
    return replace(b if better else a, lower=lower)


def at_large(expression: Expression) -> int:
    """The value of the expression where all sizes are large."""
    try:
        return ex.evaluate(expression, dict.fromkeys(ex.symbols(expression), LARGE))
    except ZeroDivisionError:
        return 0


def relaxed(upper: Expression, natural: Collection[Expression]) -> Expression:
    """`5*m + n` for `5*m + n + max(0, 1 - m) - 1`: in a bound that is not exact, what a size less than some number adds is
    added everywhere.  `natural`: expressions that are never negative."""
    terms = upper.terms if isinstance(upper, Sum) else (upper,)
    return ex.add(*(_relaxed_term(term, natural) for term in terms))


def _relaxed_term(term: Expression, natural: Collection[Expression]) -> Expression:
    match term:
        case Product((Integer(factor), Maximum() as small)) if factor > 0:
            most = _most(small, natural)
            return term if most is None else ex.integer(factor * most)
        case Maximum():
            most = _most(term, natural)
            return term if most is None else ex.integer(most)
        case _:
            return term


def _most(small: Maximum, natural: Collection[Expression]) -> int | None:
    """The greatest value of max(0, k - size)."""
    match small.items:
        case (Integer(0), other) | (other, Integer(0)):
            most = ex.constant(ex.add(other, *_sizes_in(other, natural)))
            return most if most is not None and most >= 0 else None
        case _:
            return None


def _sizes_in(expression: Expression, natural: Collection[Expression]) -> list[Expression]:
    """What is subtracted, as far as it is never negative."""
    terms = expression.terms if isinstance(expression, Sum) else ()
    found = []
    for term in terms:
        match term:
            case Product((Integer(factor), other)) if factor < 0 and other in natural:
                found.append(ex.scale(-factor, other))
            case _:
                continue
    return found
