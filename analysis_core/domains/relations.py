"""What is assumed of several symbols together: polynomials that are never negative, and some that are never zero.

Ranges of single symbols do not say that `i0 < n`, nor that a grid of ceil(n/16) blocks is no larger than n needs.  Such
facts are kept as they are, R >= 0, and consulted where the range of a polynomial P alone does not decide: for
positive a, b,

    a*P - b*R >= l    implies    P >= l / a

and b/a is chosen so that a monomial of P cancels.  A few such steps one after another are tried, which is a bounded
form of Fourier's and Motzkin's elimination: no promise to find every bound, but every bound found holds.

Tested by tests/properties/test_relations.py.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.shape import FloatVector
from analysis_core.text.records import dataclass

_STEPS = 3
_ATTEMPTS = 48
"""Combinations that one question may try: each is a few additions of short polynomials."""

_SMALL = 1 << 40
"""Coefficients up to here can be combined without leaving 64 bits."""

_EXACT = float(1 << 50)


@dataclass(frozen=True, slots=True)
class Relations:
    """Polynomials with plain coefficients over block-uniform symbols; `nonnegative` are >= 0, `nonzero` != 0."""

    nonnegative: tuple[Poly, ...] = ()
    nonzero: tuple[Poly, ...] = ()


NONE = Relations()


def lower_bounds(poly: Poly, relations: Relations) -> FloatVector | float:
    """Per thread, a lower bound of the integer value of `poly`, by the symbols' ranges and by the relations."""
    best, _ = pl.bounds(poly)
    seen = {poly.key()}
    pending: list[tuple[Poly, int, int]] = [(poly, 1, 0)]
    while pending and len(seen) <= _ATTEMPTS and np.min(best) < 0:
        present, factor, steps = pending.pop(0)
        for relation in relations.nonnegative:
            for combined, scale in _combinations(present, relation):
                key = combined.key()
                if key in seen or factor * scale > _SMALL:
                    continue
                seen.add(key)
                best = np.maximum(best, _divided(pl.bounds(combined)[0], factor * scale))
                if steps + 1 < _STEPS:
                    pending.append((combined, factor * scale, steps + 1))
    return best if not isinstance(best, np.generic) else float(best)


def bounds(poly: Poly, relations: Relations) -> tuple[FloatVector | float, FloatVector | float]:
    """`polynomial.bounds`, sharpened by the relations; upper bounds only so far that they tell the sign."""
    low, high = pl.bounds(poly)
    if not relations.nonnegative or not touches(poly, relations):
        return low, high
    if np.min(low) < 0:
        low = lower_bounds(poly, relations)
    if np.max(high) >= 0:
        # Whether P <= -1 is what a comparison asks, so that is where the search for a bound may end.
        below = lower_bounds(pl.add(pl.negate(poly), pl.constant(-1)), relations)
        high = np.minimum(high, -1.0 - np.asarray(below))
    return low, high


def touches(poly: Poly, relations: Relations) -> bool:
    """Whether a relation holds a monomial that occurs in the polynomial."""
    own = {m for m in poly.terms if m}
    return any(not own.isdisjoint(r.terms) for r in relations.nonnegative)


def _combinations(poly: Poly, relation: Poly) -> list[tuple[Poly, int]]:
    """For each monomial that can be cancelled: a*P - b*R with it cancelled, and a."""
    found: list[tuple[Poly, int]] = []
    for monomial, r in relation.terms.items():
        p = poly.terms.get(monomial)
        if not monomial or not isinstance(p, int) or not isinstance(r, int) or (p > 0) != (r > 0):
            continue
        common = gcd(p, r)
        a, b = abs(r) // common, abs(p) // common
        if _is_small(poly, a) and _is_small(relation, b):
            found.append((pl.subtract(pl.scale(poly, a), pl.scale(relation, b)), a))
    return found


def _is_small(poly: Poly, factor: int) -> bool:
    return all(_size(c) * factor <= _SMALL for c in poly.terms.values())


def _size(c: Coefficient) -> int:
    return abs(c) if isinstance(c, int) else max(abs(int(c.min())), abs(int(c.max())))


def _divided(low: FloatVector | float, factor: int) -> FloatVector:
    """The least integer that is at least low / factor, where floats are exact."""
    quotient = np.asarray(low, dtype=np.float64) / factor
    rounded = np.where(np.abs(quotient) < _EXACT, np.ceil(quotient), quotient)
    return np.asarray(rounded, dtype=np.float64)


def is_never_zero(poly: Poly, relations: Relations) -> bool:
    """Whether the polynomial, or its negation, is one of those that are never zero."""
    return any(pl.equal(poly, other) or pl.equal(pl.negate(poly), other) for other in relations.nonzero)


def rewrite(poly: Poly, values: dict[Monomial, Poly]) -> Poly:
    """The polynomial with symbols (monomials of one symbol) replaced by polynomials."""
    result = pl.ZERO
    for monomial, coefficient in poly.terms.items():
        term = pl.constant(1)
        for symbol in monomial:
            term = pl.multiply(term, values.get((symbol,), pl.of_symbol(symbol)))
        result = pl.add(result, pl.scale(term, coefficient))
    return result
