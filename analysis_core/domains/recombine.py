"""(a / b) * b + a % b is a again: an index that was taken apart into row and column, and put together once more.

It holds in C whatever the signs are, and for any b that is not 0; so nothing need be known of b, a size loaded from memory say.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.domains import polynomial as pl
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.symbol import Level, Symbol

_QUOTIENT_OF = {"%": "/", "floor%": "floor/"}


def recombined(poly: Poly, derivations: Mapping[Symbol, Derivation]) -> Poly:
    """The polynomial with dividends put together again: `(e / n) * n + e % n` becomes `e`."""
    while (found := _once(poly, derivations)) is not None:
        poly = found
    return poly


def _once(poly: Poly, derivations: Mapping[Symbol, Derivation]) -> Poly | None:
    """One dividend put together; None if there is none.  Each time a remainder is gone, so this ends."""
    own = sorted(s for s in poly.symbols() if s.level is Level.LANE and s in derivations)
    for rest in own:
        remainder = derivations[rest]
        wanted = _QUOTIENT_OF.get(remainder.op)
        for quotient in own if wanted is not None else ():
            other = derivations[quotient]
            if other.op == wanted and _same_operands(remainder, other):
                dividend, divisor = (operand.poly for operand in remainder.operands)
                factor = _factor(poly, rest)
                whole = pl.add(pl.multiply(pl.of_symbol(quotient), divisor), pl.of_symbol(rest))
                left = pl.subtract(poly, pl.multiply(whole, factor))
                if left.symbols().isdisjoint((quotient, rest)):
                    return pl.add(left, pl.multiply(dividend, factor))
    return None


def _factor(poly: Poly, symbol: Symbol) -> Poly:
    """What the symbol is multiplied by, where it stands alone or to the first power."""
    found: dict[Monomial, pl.Coefficient] = {}
    for monomial, coefficient in poly.terms.items():
        if monomial.count(symbol) == 1:
            found[tuple(s for s in monomial if s is not symbol)] = coefficient
    return Poly(found)


def _same_operands(a: Derivation, b: Derivation) -> bool:
    pairs = list(zip(a.operands, b.operands, strict=True))
    return all(x.exact and y.exact and pl.equal(x.poly, y.poly) for x, y in pairs)
