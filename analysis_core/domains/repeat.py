"""Operations that made symbols, done again with operands of which more is known (`Derivation`).

    lane % width        a symbol for any width; at a width of 2 a number for each lane

Whoever knows more of a division than that (a case, requests/case_run.py) does it by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.condition import Condition
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.thread_value import Integer, Value, integer_range, width
from analysis_core.ir.types import LONG, Type


def repeated(
    arithmetic: Arithmetic, d: Derivation, operands: Sequence[Integer], condition: Condition | None
) -> Value | None:
    """The result of an operation on other operands, under another condition; None for operations that are not repeated
    case by case."""
    type_ = d.type if d.type is not None else LONG
    match d.op, operands, condition:
        case "choice", [], Condition():
            return arithmetic.truth(condition)
        case "blend", [a, b], Condition():
            return arithmetic.blend(condition, a, b, type_)
        case (("floor/" | "floor%"), [a, b], None) if isinstance(b.poly.constant, int):
            return arithmetic.floor(d.op[-1], a, b.poly.constant, type_)
        case (("/" | "%"), [a, b], None):
            return arithmetic.divide(d.op, a, b, type_)
        case (("min" | "max"), [a, b], None):
            return arithmetic.extreme(d.op, a, b, type_)
        case (("<<" | ">>"), [a, b], None):
            return arithmetic.shift(d.op, a, b, type_)
        case (("&" | "|" | "^"), [a, b], None):
            return arithmetic.bitwise(d.op, a, b, type_)
        case "narrow", [a], None:
            return _narrowed(arithmetic, a, type_)
        case _:
            return None


def _narrowed(arithmetic: Arithmetic, a: Integer, type_: Type) -> Value:
    """The representative of a class modulo 2^w in the range of the type."""
    low, _ = integer_range(type_)
    shifted = Integer(pl.subtract(a.poly, pl.constant(low)))
    rest = arithmetic.floor("%", shifted, 1 << width(type_), LONG)
    assert isinstance(rest, Integer)
    return Integer(pl.add(rest.poly, pl.constant(low)))
