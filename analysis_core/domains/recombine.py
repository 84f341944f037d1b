"""Divisions of indexes that are taken apart by sizes, and put together again; of numbers that are known in every lane.

For an index i >= 0 and sizes w, h > 0

    i / (w * h)                      ==  i / w / h
    i % (w * h) / w                  ==  i / w % h
    i % (w * h) % w                  ==  i % w
    i - i / (w * h) * (w * h)        ==  i % (w * h)

so an index is taken apart in one way, whichever of these the text has.

(a / b) * b + a % b is a again: an index that was taken apart into row and column, and put together once more.  It holds in C whatever the
signs are, and for any b that is not 0; so nothing need be known of b, a size loaded from memory say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.domains.thread_value import Integer, Value, first_origin, is_signed, settle, width
from analysis_core.ir.types import Type
from analysis_core.text.records import dataclass

if TYPE_CHECKING:
    from analysis_core.domains.arithmetic import Arithmetic

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


# --- taken apart ------------------------------------------------------------------------------------------------


def divided_constants(op: str, a: Integer, b: Integer, type_: Type, size: int) -> Value:
    """/ or % where all lanes are known; a lane that divides by zero has no value, so any will do."""
    x = pl.coefficient_vector(a.poly.constant, size)
    y = pl.coefficient_vector(b.poly.constant, size)
    y = np.where(y == 0, 1, y)
    quotient = np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))
    result = quotient if op == "/" else x - quotient * y
    return settle(pl.constant(result), None, type_, first_origin(a, b))


def divides_turns(divisor: int, a: Integer, type_: Type) -> bool:
    """Whether an unsigned value that is known modulo 2^w leaves the same remainder wherever it wraps around."""
    whole = a.bits is not None and a.bits >= width(type_) and not is_signed(type_)
    return whole and divisor > 0 and divisor & (divisor - 1) == 0


# --- indexes that are taken apart -----------------------------------------------------------------------------


def apart(arithmetic: Arithmetic, op: str, a: Integer, b: Integer, type_: Type, nonnegative: bool) -> Value | None:
    """a / b or a % b by sizes, as a part of the index that a is a part of; None where it is none.  `nonnegative`: a >= 0."""
    by = factors(b)
    if not by or not a.exact:
        return None
    known = _as_remainder(arithmetic, a)
    if known is not None and not Counter(by) - Counter(known.by):
        left = tuple((Counter(known.by) - Counter(by)).elements())
        if op == "%":
            return arithmetic.divide("%", known.whole, b, known.type)
        quotient = arithmetic.divide("/", known.whole, b, known.type)
        if not left:
            return arithmetic.constant(0, type_)
        if isinstance(quotient, Integer) and quotient.exact:
            return arithmetic.divide("%", quotient, Integer(_product(left)), known.type)
        return None
    return _by_factors(arithmetic, a, by, type_) if op == "/" and nonnegative and len(by) > 1 else None


def factors(divisor: Integer) -> tuple[Symbol, ...]:
    """The sizes that a divisor is the product of, which all threads of a block share; () where it is anything else."""
    if not divisor.exact or len(divisor.poly.terms) != 1:
        return ()
    ((monomial, coefficient),) = divisor.poly.terms.items()
    one = isinstance(coefficient, int) and coefficient == 1
    shared = one and all(s.level is Level.BLOCK and s.low is not None and s.low >= 0 for s in monomial)
    return monomial if shared else ()


def _by_factors(arithmetic: Arithmetic, a: Integer, by: Sequence[Symbol], type_: Type) -> Value | None:
    """a >= 0 divided by one factor after the other, those first that such a value was divided by before."""
    left, value = list(by), a
    while left:
        factor = next((s for s in left if _known(arithmetic, value, s, type_)), left[0])
        left.remove(factor)
        found = arithmetic.divide("/", value, Integer(pl.of_symbol(factor)), type_)
        if not isinstance(found, Integer) or not found.exact:
            return None
        value = found
    return value


def _known(arithmetic: Arithmetic, a: Integer, factor: Symbol, type_: Type) -> bool:
    """Whether the value was divided by this size before."""
    key = arithmetic.quotient_key("/", a, Integer(pl.of_symbol(factor)), type_)
    arithmetic.asked.append(key)
    return key in arithmetic.remembered


@dataclass(frozen=True, slots=True)
class _Remainder:
    """`whole` >= 0 modulo the product of sizes, in this type."""

    whole: Integer
    by: Monomial
    type: Type


def _as_remainder(arithmetic: Arithmetic, a: Integer) -> _Remainder | None:
    """The value as what is left of another one: by `%`, or as `e - e / n * n`."""
    alone = _symbol(a)
    made = None if alone is None else arithmetic.derivations.get(alone)
    if made is not None and made.op == "%" and made.type is not None and made.settled is None:
        whole, by = made.operands
        sure = whole.exact and pl.total_bounds(whole.poly)[0] >= 0
        return _Remainder(whole, factors(by), made.type) if sure and factors(by) else None
    for monomial, coefficient in a.poly.terms.items():
        if not isinstance(coefficient, int) or coefficient != -1:
            continue
        for symbol in monomial:
            rest = list(monomial)
            rest.remove(symbol)
            for known in _dividends(arithmetic, symbol):
                product = pl.multiply(pl.of_symbol(symbol), _product(rest))
                if Counter(known.by) == Counter(rest) and pl.equal(pl.add(a.poly, product), known.whole.poly):
                    return known
    return None


def _dividends(arithmetic: Arithmetic, quotient: Symbol) -> Iterator[_Remainder]:
    """What the symbol is the quotient of, and by what: `i / w / h` is one of `i / w`, and one of `i`."""
    by: Monomial = ()
    while True:
        made = arithmetic.derivations.get(quotient)
        if made is None or made.op != "/" or made.type is None or made.settled is not None:
            return
        whole, divisor = made.operands
        if not factors(divisor) or not whole.exact or pl.total_bounds(whole.poly)[0] < 0:
            return
        by = (*by, *factors(divisor))
        yield _Remainder(whole, by, made.type)
        inner = _symbol(whole)
        if inner is None:
            return
        quotient = inner


def _symbol(a: Integer) -> Symbol | None:
    """The symbol that the value is, and nothing beside it."""
    ((monomial, coefficient),) = a.poly.terms.items() if len(a.poly.terms) == 1 else (((), 0),)
    alone = a.exact and len(monomial) == 1 and isinstance(coefficient, int) and coefficient == 1
    return monomial[0] if alone else None


def _product(by: Sequence[Symbol]) -> Poly:
    return Poly({tuple(sorted(by)): 1})
