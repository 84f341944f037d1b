"""What is known of the symbols of one interpretation when their values are told as expressions."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, below_zero
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.relations import NONE, Relations
from analysis_core.domains.symbol import Symbol
from analysis_core.expressions.expression import Expression
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of symbols where expressions are made. `uppers`: expressions that a symbol's value does not
    exceed; `derivations`: what derived symbols were made from; `relations`: what is assumed of several symbols
    together."""

    uppers: Mapping[Symbol, Expression | None]
    derivations: Mapping[Symbol, Derivation]
    relations: Relations = NONE


def extreme_of(derivation: Derivation) -> str:
    """The name of a function, with "min" and "max" for choices that amount to these: `a < b ? a : b`."""
    if derivation.op != "blend" or derivation.condition is None:
        return derivation.op
    then, otherwise = (operand.poly for operand in derivation.operands)
    return order_of(derivation.condition, then, otherwise) or derivation.op


def order_of(condition: Condition, then: Poly, otherwise: Poly) -> str:
    """ "min" ("max") if the condition holds just where `then` is the smaller (the greater) of the two, whichever of them is taken where they
    are equal; "" for any other condition.

    It holds where D < 0.  If then - otherwise is k*D + r with 0 <= r <= k, it is not positive there, and not negative anywhere else."""
    below = below_zero(condition)
    if below is None:
        return ""
    for op, apart in (("min", pl.subtract(then, otherwise)), ("max", pl.subtract(otherwise, then))):
        monomial = next((m for m in apart.terms if m), None)
        if monomial is None:
            return ""
        there, asked = apart.terms[monomial], below.terms.get(monomial)
        if not isinstance(there, int) or not isinstance(asked, int) or there % asked or there // asked < 1:
            continue
        rest = pl.subtract(apart, pl.scale(below, there // asked))
        if rest.is_constant and isinstance(rest.constant, int) and 0 <= rest.constant <= there // asked:
            return op
    return ""
