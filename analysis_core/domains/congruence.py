"""What the congruences of symbols say of a polynomial: its residue, and whether it can be zero.

Every symbol is known modulo some number (`Symbol.modulus`), a product of symbols too (`polynomial.congruence`); a sum
is known modulo the greatest common divisor of what its terms are known by (Granger's arithmetical congruences, 1989).
"""

from __future__ import annotations

from math import gcd

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import BoolVector, some_nonzero
from analysis_core.domains.thread_value import Integer


def known_residue(rest: Poly, d: int) -> Coefficient | None:
    """rest mod d as a vector, if the congruences of the symbols determine it."""
    total: Coefficient = 0
    for monomial, c in rest.terms.items():
        modulus, residue = pl.congruence(monomial) if monomial else (0, 1)
        if c * modulus % d if isinstance(c, int) else some_nonzero(c * modulus % d):
            return None
        total = total + c * residue
    return total % d


def common_congruence(rest: Poly, d: int) -> tuple[int, int]:
    """What is known of rest modulo a divisor of d, e.g. that an even number stays even modulo 8."""
    step, residue = d, 0
    for monomial, c in rest.terms.items():
        if not isinstance(c, int):
            return 1, 0
        modulus, r = pl.congruence(monomial) if monomial else (0, 1)
        step = gcd(step, c * modulus)
        residue += c * r
    return step, residue % step


def never_zero(difference: Poly, size: int) -> BoolVector:
    """Lanes whose difference is no multiple of the greatest common divisor of its other coefficients."""
    if any(m and not isinstance(c, int) for m, c in difference.terms.items()):
        return _never_zero(difference, size)
    step, base = 0, difference.constant
    for monomial, c in difference.terms.items():
        if monomial and isinstance(c, int):
            modulus, residue = pl.congruence(monomial)
            step, base = gcd(step, c * modulus), base + c * residue
    if isinstance(base, int):
        return np.ones(size, dtype=bool) if step > 1 and base % step else np.zeros(size, dtype=bool)
    return np.asarray(base % step != 0) if step > 1 else np.zeros(size, dtype=bool)


def _never_zero(difference: Poly, size: int) -> BoolVector:
    """The same, lane by lane, where lanes have coefficients of their own."""
    step = np.zeros(size, dtype=np.int64)
    base = np.zeros(size, dtype=np.int64)
    for monomial, c in difference.terms.items():
        modulus, residue = pl.congruence(monomial) if monomial else (0, 1)
        step = np.gcd(step, np.abs(np.asarray(c)) * modulus)
        base = base + np.asarray(c) * residue
    never: BoolVector = (step > 1) & (base % np.maximum(step, 1) != 0)
    return never


def disjoint_bits(a: Integer, b: Integer) -> bool:
    """Whether one operand is a multiple of 2^k and the other in [0, 2^k): then | and ^ are +."""
    if not (a.exact and b.exact):
        return False
    for high, low in ((a, b), (b, a)):
        least, greatest = pl.total_bounds(low.poly)
        if least < 0 or greatest >= 2.0**32:
            continue
        step = 1 << int(greatest).bit_length()
        rest = pl.map_coefficients(high.poly, lambda c, step=step: c % step)  # type: ignore[misc]
        known = known_residue(rest, step)
        if known is not None and not np.any(known) and pl.total_bounds(high.poly)[0] >= 0:
            return True
    return False
