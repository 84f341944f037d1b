"""n - n % d is d * (n / d): what a loop goes up to that does d things in a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Integer
from analysis_core.ir.types import LONG

if TYPE_CHECKING:
    from analysis_core.domains.arithmetic import Arithmetic


def with_whole_multiples(arithmetic: Arithmetic, poly: Poly) -> Poly:
    """The polynomial with quotients in place of differences: `e - e % n` becomes `n * (e / n)` for values that a block
    shares."""
    for symbol in sorted(poly.symbols()):
        factor, derivation = poly.terms.get((symbol,)), arithmetic.derivations.get(symbol)
        if (
            derivation is None
            or derivation.op != "floor%"
            or derivation.settled is not None
            or symbol.level is not Level.BLOCK
        ):
            continue
        cut, by = (operand.poly for operand in derivation.operands)
        d = by.constant if by.is_constant else None
        if not isinstance(factor, int) or not isinstance(d, int):
            continue
        without = pl.add(pl.subtract(poly, pl.scale(pl.of_symbol(symbol), factor)), pl.scale(cut, factor))
        quotient = arithmetic.floor("/", Integer(cut), d, LONG)
        if len(without.terms) < len(poly.terms) - 1 and isinstance(quotient, Integer) and quotient.exact:
            poly = pl.subtract(without, pl.scale(quotient.poly, factor * d))
    return poly
