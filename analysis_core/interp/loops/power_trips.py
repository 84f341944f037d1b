"""Trip counts that follow the powers of the loop around: of `for (size = 2; size < n; size *= 2) for (s = size / 2; s > 0; s /= 2)`
the inner loop makes j + 1 rounds in round j of the outer one, which is a triangle like any other (trips.py).

With b^j for the counter j of the loop around, b = d^s, and numbers c, q, t, B >= 1:

    floor(floor(c*b^j / q) / d^k) >= t    iff  q*t * d^k <= c*b^j  iff  k < E + 1 + s*j    E the greatest with q*t * d^E <= c
    B*d^k <= c*b^j                        iff                       k < E + 1 + s*j    E the greatest with B * d^E <= c
    B*d^k < c*b^j                         iff                       k < E + s*j        E the least with B * d^E >= c

E may be negative: then the first rounds of the loop around have none.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.domains import polynomial as pl
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.trips import DecayTest, GrowthTest, LinearTest, LoopTest

_MOST_QUOTIENTS = 8
"""Quotients of quotients that are looked through."""


def along_powers(
    test: LoopTest, turn: Symbol, powers: Mapping[Symbol, int], derivations: Mapping[Symbol, Derivation]
) -> LinearTest | None:
    """The test that holds in the same rounds, over the counter `turn` of the loop around. None where that loop's
    `powers` (b, by the symbol for b^turn) do not decide it."""
    match test:
        case DecayTest(value, base, least):
            found, strict = _share_of_power(value, powers, derivations), False
            scale = least
        case GrowthTest(start, factor, base):
            rest, amount = start.constant, factor.constant
            if (
                not isinstance(rest, int)
                or rest not in (0, -1)
                or not isinstance(amount, int)
                or not factor.is_constant
            ):
                return None
            found, strict = _power(pl.subtract(pl.constant(rest), start), powers), rest == 0
            scale = amount
        case _:
            return None
    if found is None or scale < 1:
        return None
    power, times, divisor = found
    slope = _exponent(base, powers[power])
    if slope is None:
        return None
    first = _log_up(base, times, scale) if strict else _log_down(base, times, divisor * scale) + 1
    return LinearTest(Poly({**pl.constant(-first).terms, (turn,): -slope}), pl.constant(1))


def _power(poly: Poly, powers: Mapping[Symbol, int]) -> tuple[Symbol, int, int] | None:
    """(p, c, 1) of c*p with c >= 1."""
    for monomial, coefficient in poly.terms.items():
        alone = len(poly.terms) == 1 and len(monomial) == 1 and monomial[0] in powers
        return (monomial[0], coefficient, 1) if alone and isinstance(coefficient, int) and coefficient >= 1 else None
    return None


def _share_of_power(
    poly: Poly, powers: Mapping[Symbol, int], derivations: Mapping[Symbol, Derivation]
) -> tuple[Symbol, int, int] | None:
    """(p, c, q) of floor(c*p / q), which quotients of quotients come to."""
    divided = 1
    for _ in range(_MOST_QUOTIENTS):
        found = _power(poly, powers)
        if found is not None:
            return found[0], found[1], divided
        quotient = quotient_of(poly, derivations)
        if quotient is None:
            return None
        poly, divided = quotient[0], divided * quotient[1]
    return None


def quotient_of(poly: Poly, derivations: Mapping[Symbol, Derivation]) -> tuple[Poly, int] | None:
    """The dividend and the divisor, where the value is exactly one quotient by a number."""
    (monomial, coefficient), *others = list(poly.terms.items()) or [((), 0)]
    derivation = derivations.get(monomial[0]) if len(monomial) == 1 and not others else None
    if derivation is None or derivation.settled is not None or len(derivation.operands) != 2:
        return None
    dividend, by = derivation.operands
    if not isinstance(coefficient, int) or coefficient != 1 or not dividend.exact or not by.exact:
        return None
    amount = by.poly.constant if by.poly.is_constant else None
    if not isinstance(amount, int) or amount < 1:
        return None
    match derivation.op:
        case "/" | "floor/":
            return dividend.poly, amount
        case ">>" if amount < 63:
            return dividend.poly, 1 << amount
        case _:
            return None


def _exponent(base: int, power: int) -> int | None:
    """s with power = base^s, s >= 1."""
    exponent = 0
    while power > 1 and power % base == 0:
        power, exponent = power // base, exponent + 1
    return exponent if power == 1 and exponent else None


def _log_down(base: int, above: int, below: int) -> int:
    """The greatest E with below * base^E <= above."""
    exponent = 0
    while below * base <= above:
        below, exponent = below * base, exponent + 1
    while below > above:
        above, exponent = above * base, exponent - 1
    return exponent


def _log_up(base: int, above: int, below: int) -> int:
    """The least E with below * base^E >= above."""
    return -_log_down(base, below, above)
