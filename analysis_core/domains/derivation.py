"""How a symbol was derived: the operation that made it, so that it can be repeated where more is known.

A remainder `(tid + i) % 8`, a quotient by a symbolic n, or the smaller of `tid + 1` and `n - 1` has no polynomial over
the symbols at hand, so it becomes a symbol of its own.  But it is a known function: once the residue of i is fixed, or
the place where n - 1 cuts the lanes, it has a polynomial again.  A `Derivation` keeps that function; the costs of an
access are then found case by case (requests/case_split.py).
"""

from __future__ import annotations

from analysis_core.domains.condition import Condition
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import BoolVector
from analysis_core.domains.thread_value import Integer
from analysis_core.ir.types import Type
from analysis_core.text.records import dataclass

QUOTIENTS = frozenset({"/", "floor/", ">>"})
"""Operations that divide their first operand by the second, or by a power of two."""


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """The value of `op` on the operands, in the C type (None: in the integers).

    op: one of C's `/ % << >> & | ^`; "floor/" and "floor%", which round down; "min", "max"; "blend", the first operand
    where the condition is true, else the second; "choice", the condition itself as 0 or 1.

    `settled`: the lanes that wait for the symbol, and what the operation gives on the others, if there are any."""

    op: str
    operands: tuple[Integer, ...]
    type: Type | None
    condition: Condition | None = None
    settled: tuple[BoolVector, Poly] | None = None
