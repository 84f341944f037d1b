"""Remainders as range checks: `unsigned char d = tid - n; if (d < 16)` asks that tid lies within 16 from n on, on a circle of 256.

Let d = P mod M, and let the lanes of a warp differ in the constant of P only, by s at most.  Then for the least of them, P0, and
V = (P0 + s) mod M - s, which all lanes of the warp share, P - P0 + V lies from -s to M - 1, and is d where it is not negative, d - M below.
So for a limit c <= M - s

    d < c    if and only if    0 <= P - P0 + V and P - P0 + V < c,

two comparisons of whole numbers that differ between lanes in their constants only: the lanes that pass lie side by side.  A limit beyond
that is turned round: d < c is the opposite of (P - c) mod M < M - c.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Integer, integer_range
from analysis_core.ir.types import LONG

if TYPE_CHECKING:
    from analysis_core.domains.arithmetic import Arithmetic

_GREATEST = 1 << 62
"""Moduli whose remainders and their differences are counted in 64 bits."""

LEAST = 129
"""Moduli up to 128 are looked at residue by residue (requests/decisions.py), which tells more."""


def residue_check(arithmetic: Arithmetic, difference: Poly, relation: Relation) -> Condition | None:
    """`difference < 0` (or == 0) where a remainder in which lanes differ is compared with a number that they share.
    None where this decides nothing more."""
    found = _remainder(arithmetic, difference)
    if found is None:
        return None
    cut, modulus, factor, rest = found
    limit = pl.negate(rest) if factor > 0 else rest
    if relation is Relation.ZERO:
        return (
            _is_least(arithmetic, pl.subtract(cut, limit), modulus, Relation.ZERO, pl.ZERO)
            if _fits(limit, 0, modulus - 1)
            else None
        )
    if factor < 0:  # d > c is the opposite of d < c + 1
        limit = pl.add(limit, pl.constant(1))
    below = _is_below(arithmetic, cut, modulus, limit)
    return below if below is None or factor > 0 else cond.negate(below)


def remainder_below(arithmetic: Arithmetic, cut: Poly, modulus: int, limit: Poly) -> Condition | None:
    """`P mod M < limit` where lanes differ only in the constant of P. None for other polynomials, or where this
    decides nothing more."""
    return _is_below(arithmetic, cut, modulus, limit) if _is_shared_but_for_constant(cut) else None


def _remainder(arithmetic: Arithmetic, difference: Poly) -> tuple[Poly, int, int, Poly] | None:
    """P, M, f and the rest of a difference f * (P mod M) + rest that all lanes share but for P."""
    own = [s for s in difference.symbols() if s.level is Level.LANE]
    factor = difference.terms.get((own[0],)) if len(own) == 1 else None
    if not isinstance(factor, int) or abs(factor) != 1:
        return None
    derivation = arithmetic.derivations.get(own[0])
    found = None if derivation is None or derivation.settled is not None else _cut(derivation)
    if found is None:
        return None
    cut, modulus, low = found
    rest = Poly({m: c for m, c in difference.terms.items() if m != (own[0],)})
    if modulus < LEAST or pl.level(rest) is Level.LANE or not _is_shared_but_for_constant(cut):
        return None
    return cut, modulus, factor, pl.add(rest, pl.constant(factor * low))


def _cut(derivation: Derivation) -> tuple[Poly, int, int] | None:
    """P, M and l of a value (P mod M) + l: a remainder, or what is left of a number in a narrow type."""
    match derivation.op, derivation.operands:
        case "floor%", (value, by) if by.poly.is_constant and isinstance(by.poly.constant, int):
            return value.poly, by.poly.constant, 0
        case "narrow", (value,) if derivation.type is not None:
            low, high = integer_range(derivation.type)
            return pl.subtract(value.poly, pl.constant(low)), high - low + 1, low
        case _:
            return None


def _is_shared_but_for_constant(poly: Poly) -> bool:
    return pl.level(Poly({m: c for m, c in poly.terms.items() if m})) is not Level.LANE


def _is_below(arithmetic: Arithmetic, cut: Poly, modulus: int, limit: Poly) -> Condition | None:
    """P mod M < limit."""
    if _fits(limit, 0, modulus - _span(cut)):
        return _is_least(arithmetic, cut, modulus, Relation.NEGATIVE, limit)
    if _fits(limit, _span(cut), modulus):
        opposite = _is_least(
            arithmetic, pl.subtract(cut, limit), modulus, Relation.NEGATIVE, pl.subtract(pl.constant(modulus), limit)
        )
        return None if opposite is None else cond.negate(opposite)
    return None


def _is_least(arithmetic: Arithmetic, cut: Poly, modulus: int, relation: Relation, limit: Poly) -> Condition | None:
    """P mod M < limit, or == limit, for a limit of M - s at most.  None for an M that sums of 64 bits do not hold."""
    if modulus > _GREATEST:
        return None
    own = pl.coefficient_vector(cut.constant, arithmetic.shape.padded)
    least = own.reshape(-1, WARP).min(axis=1).repeat(WARP)
    span = _span(cut)
    shared = pl.add(pl.subtract(cut, pl.constant(own)), pl.constant(least + span))
    anchor = arithmetic.floor("%", Integer(shared), modulus, LONG)
    if not isinstance(anchor, Integer) or not anchor.exact:
        return None
    place = Integer(pl.add(anchor.poly, pl.constant(own - least - span)))
    if relation is Relation.ZERO:
        return arithmetic.compare("==", place, Integer(limit), LONG)
    negative = arithmetic.compare("<", place, Integer(pl.ZERO), LONG)
    return cond.conjunction(cond.negate(negative), arithmetic.compare("<", place, Integer(limit), LONG))


def _span(cut: Poly) -> int:
    """By how much the lanes of a warp differ at most."""
    own = cut.constant
    return 0 if isinstance(own, int) else int(np.ptp(own.reshape(-1, WARP), axis=1).max())


def _fits(limit: Poly, low: int, high: int) -> bool:
    least, greatest = pl.total_bounds(limit)
    return low <= least and greatest <= high
