"""Loops that unsigned counters end by wrapping around, on purpose: `for (unsigned i = n - 1; i < n; --i)`, `i != -1u`.

Such a counter goes from n - 1 down to 0, and from there to the greatest number of its type.  That the test holds is a statement about
integers which needs no assumption, for n = 0 either:

- *i < e*, where i is S - k modulo 2^w and e > S: as long as S - k >= 0.  Where S - k is less than that, by no more than the distance
  of S and e, it is no less than e once it has wrapped around.
- *i != e*: until the difference, read as an integer that lies on the near side of zero, is zero.
"""

from __future__ import annotations

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Comparison, Relation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.relations import lower_bounds
from analysis_core.domains.shape import BoolVector
from analysis_core.domains.symbol import Symbol
from analysis_core.domains.thread_value import Integer, is_signed, width
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.extremes import upper_expression
from analysis_core.interp.core.known import Known

_WIDTHS = (32, 64)


def turned_end(atom: Atom, compared: Comparison, counter: Symbol, known: Known, lanes: BoolVector) -> Atom | None:
    """A test that holds in the same rounds and in which nothing wraps around; None if there is none."""
    bits, left, right = width(compared.type), compared.left, compared.right
    if (
        is_signed(compared.type)
        or bits not in _WIDTHS
        or any(s.bits is not None and s.bits < bits for s in (left, right))
    ):
        return None
    found = _until_equal(left, right, bits, counter) if compared.op == "==" else None
    if compared.op == "<" and not left.exact and right.exact:
        found = _down_to_zero(left, right, bits, counter, known, lanes)
    if found is None:
        return None
    relation, poly = found
    return Atom(atom.key, relation, poly, pl.level(poly), atom.data, atom.cause)


def _down_to_zero(
    left: Integer, right: Integer, bits: int, counter: Symbol, known: Known, lanes: BoolVector
) -> tuple[Relation, Poly] | None:
    """`i < e` as `-1 - (S - k) < 0`."""
    start, step = _parted(left.poly, bits, counter)
    if step != -1 or counter in right.poly.symbols():
        return None
    gap = pl.subtract(right.poly, start)
    near = pl.total_bounds(start)[0] >= -1 or _fits(gap, bits)
    if not near or not _fits(start, bits) or not _is_positive(gap, known, lanes):
        return None
    return Relation.NEGATIVE, pl.subtract(pl.add(pl.constant(-1), pl.of_symbol(counter)), start)


def _fits(poly: Poly, bits: int) -> bool:
    """Whether it is no more than 2^bits: by its interval, whose ends are lost from 2^62 on, or as one value and a small number."""
    names = [(m, c) for m, c in poly.terms.items() if m]
    one = len(names) == 1 and len(names[0][0]) == 1 and isinstance(c := names[0][1], int) and c == 1
    return pl.total_bounds(poly)[1] <= 1 << bits or (bits == 64 and one)


def _is_positive(poly: Poly, known: Known, lanes: BoolVector) -> bool:
    """For all sizes, and in all rounds of the loops around."""
    if float(np.min(lower_bounds(poly, known.relations))) >= 1:
        return True
    most = upper_expression(pl.negate(poly), known, lanes)
    number = None if most is None else ex.constant(most)
    return number is not None and number < 0


def _until_equal(left: Integer, right: Integer, bits: int, counter: Symbol) -> tuple[Relation, Poly] | None:
    """`i == e` as `D + k == 0` for a D that is not positive, or as `D - k == 0` for one that is not negative."""
    start, step = _parted(pl.subtract(left.poly, right.poly), bits, counter)
    low, high = pl.total_bounds(start)
    above, below = low >= 0 and _fits(start, bits), high <= 0 and _fits(pl.negate(start), bits)
    ahead = (step == -1 and above) or (step == 1 and below)
    return (Relation.ZERO, pl.add(start, pl.scale(pl.of_symbol(counter), step))) if ahead else None


def _parted(poly: Poly, bits: int, counter: Symbol) -> tuple[Poly, int]:
    """What does not change from round to round, near zero modulo 2^bits, and what each round adds; 0: that is not known."""
    moving = {m: c for m, c in poly.terms.items() if counter in m}
    step = moving.get((counter,))
    rest = Poly({m: c for m, c in poly.terms.items() if m not in moving})
    own, half, full = rest.constant, 1 << (bits - 1), 1 << bits
    rest = pl.centred(rest, bits)
    if bits >= 64 and isinstance(own, int):
        rest = pl.add(rest, pl.constant((own + half) % full - half - own))
    return rest, step if isinstance(step, int) and len(moving) == 1 else 0
