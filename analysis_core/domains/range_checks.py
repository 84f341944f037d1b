"""Unsigned differences as range checks: `n - i < 8` asks that i lies within the last 8 below n.

The value of `n - i` is d mod 2^w, with d the difference of whole numbers.  Where -2^w < d < 2^w, it is d for d >= 0 and d + 2^w below,
which is at least 2^w + min d.  So for a limit c <= 2^w + min d

    (d mod 2^w) < c    if and only if    0 <= d and d < c,

two comparisons of whole numbers, which loops and accesses below them can make use of.  Below a number, what d is beyond that is a
remainder (residue_checks.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.residue_checks import remainder_below
from analysis_core.domains.thread_value import Integer, is_signed, width
from analysis_core.ir.types import LONG, Type

if TYPE_CHECKING:
    from analysis_core.domains.arithmetic import Arithmetic


def range_check(arithmetic: Arithmetic, op: str, a: Integer, b: Integer, type_: Type) -> Condition | None:
    """`a < b` or `a <= b` of unsigned values of which one is known only modulo 2^w. None where that decides no more
    than the ordinary comparison."""
    if is_signed(type_) or a.exact == b.exact:
        return None
    if a.exact:  # c <= x is the opposite of x < c
        opposite = range_check(arithmetic, "<=" if op == "<" else "<", b, a, type_)
        return None if opposite is None else cond.negate(opposite)
    if a.bits != width(type_):
        return None
    limit = b.poly if op == "<" else pl.add(b.poly, pl.constant(1))
    ends, limits = _whole_ends(a.poly), _whole_ends(limit)
    if ends is None or limits is None:
        return None
    size = 1 << width(type_)
    if not (-size < ends[0] and ends[1] < size and limits[0] >= 0 and limits[1] <= size + min(ends[0], 0)):
        return remainder_below(arithmetic, a.poly, size, limit) if limit.is_constant else None
    negative = _is_negative(arithmetic, a.poly)
    return cond.conjunction(cond.negate(negative), _is_negative(arithmetic, pl.subtract(a.poly, limit)))


def _is_negative(arithmetic: Arithmetic, poly: Poly) -> Condition:
    """Of a whole number, of no type: no range of a type may be taken for it."""
    return arithmetic.compare("<", Integer(poly), Integer(pl.ZERO), LONG)


def _whole_ends(poly: Poly) -> tuple[int, int] | None:
    """The least and the greatest value, to the last bit where floats round; None if there is none, or of products of symbols."""
    low = high = 0
    for monomial, coefficient in poly.terms.items():
        least, greatest = (
            (coefficient,) * 2 if isinstance(coefficient, int) else (int(coefficient.min()), int(coefficient.max()))
        )
        if len(monomial) > 1:
            return None
        if monomial:
            first, last = monomial[0].low, monomial[0].high
            if first is None or last is None:
                return None
            products = (least * first, least * last, greatest * first, greatest * last)
            least, greatest = min(products), max(products)
        low, high = low + least, high + greatest
    return low, high
