"""Numbers of many lanes at once, each of which may be unknown: expressions of the IR at given sizes, for findings only.

Whole numbers are 64 bits wide here.  What does not fit, or may not as C computes it, is unknown; narrower types are reduced as casts do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis_core.domains.shape import BoolVector
from analysis_core.ir.nodes import (
    Binary,
    Builtin,
    BuiltinKind,
    Cast,
    Const,
    Expr,
    Intrinsic,
    Local,
    PtrAdd,
    Select,
    Unary,
    VarId,
)
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType, Type
from analysis_core.ir.walk import fold
from analysis_core.text.records import dataclass

Vector = npt.NDArray[Any]
"""Of whole numbers or floating point."""

_LARGEST = float(1 << 62)

_OPERATORS: Mapping[str, Callable[[Vector, Vector], Vector]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
_BITS: Mapping[str, Callable[[Vector, Vector], Vector]] = {
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
}
_ROUNDED: Mapping[str, Callable[[Vector], Vector]] = {"ceil": np.ceil, "floor": np.floor, "abs": np.abs}
_ENDS: Mapping[str, Callable[[Vector, Vector], Vector]] = {"min": np.minimum, "max": np.maximum}


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """One number for each lane. `known`: the lanes for which it is the value."""

    values: Vector
    known: BoolVector


Places = Mapping[tuple[BuiltinKind, int], Vector]
Variables = Mapping[VarId, Numbers]


def numbers_of(expr: Expr, variables: Variables, places: Places, lanes: int) -> Numbers | None:
    """The value of an expression on each of these lanes; None where it is known for no lane."""

    def combine(node: Expr, args: Sequence[Numbers | None]) -> Numbers | None:
        match node:
            case Const(value=value):
                return Numbers(np.full(lanes, value), np.ones(lanes, dtype=bool)) if abs(value) < _LARGEST else None
            case Local(var=var):
                return variables.get(var)
            case Builtin(kind=kind, axis=axis):
                place = places.get((kind, axis))
                return None if place is None else Numbers(place, np.ones(lanes, dtype=bool))
            case Binary(op="&&" | "||" as op):
                return _logical(op, args[0], args[1])
            case Select():
                return _selected(args[0], args[1], args[2])
            case Cast():
                return None if args[0] is None else reduced(args[0], node.type)
            case _:
                known = [arg for arg in args if arg is not None]
                found = _computed(node, known) if len(known) == len(args) else None
                return None if found is None else reduced(found, node.type)

    with np.errstate(all="ignore"):
        return fold(expr, combine)


def reduced(numbers: Numbers, type: Type) -> Numbers | None:
    """The numbers as this type holds them."""
    values, known = numbers.values, numbers.known
    if isinstance(type, PointerType):
        return numbers if values.dtype.kind == "i" else None
    if not isinstance(type, ScalarType):
        return None
    if type.kind is ScalarKind.BOOL:
        return Numbers((values != 0).astype(np.int64), known)
    if type.kind is ScalarKind.FLOAT:
        return Numbers(values.astype(np.float64), known)
    if values.dtype.kind == "f":
        known = known & (np.abs(values) < _LARGEST)
        values = np.where(known, values, 0)
    values = values.astype(np.int64)
    if type.size == 8:
        return Numbers(values, known if type.signed else known & (values >= 0))
    low = values & ((1 << 8 * type.size) - 1)
    if type.signed:
        low = np.where(low >> (8 * type.size - 1) != 0, low - (1 << 8 * type.size), low)
    return Numbers(low, known)


def _logical(op: str, left: Numbers | None, right: Numbers | None) -> Numbers | None:
    """One known side decides."""
    sides = [side for side in (left, right) if side is not None]
    if not sides:
        return None
    decisive = op == "||"
    decided = np.logical_or.reduce([side.known & ((side.values != 0) == decisive) for side in sides])
    both = left.known & right.known if left is not None and right is not None else np.zeros_like(decided)
    return Numbers(np.where(decided, int(decisive), int(not decisive)), decided | both)


def _selected(condition: Numbers | None, then: Numbers | None, otherwise: Numbers | None) -> Numbers | None:
    if condition is None or (then is None and otherwise is None):
        return None
    first, second = then or otherwise, otherwise or then
    assert first is not None and second is not None
    chosen = condition.values != 0
    known = np.where(chosen, then is not None and first.known, otherwise is not None and second.known)
    return Numbers(np.where(chosen, first.values, second.values), condition.known & known)


def _computed(node: Expr, args: Sequence[Numbers]) -> Numbers | None:
    known = np.logical_and.reduce([arg.known for arg in args]) if args else np.zeros(0, dtype=bool)
    values = [arg.values for arg in args]
    match node:
        case Unary(op="!"):
            return Numbers((values[0] == 0).astype(np.int64), known)
        case Unary(op="-"):
            return Numbers(-values[0], known)
        case Unary(op="~") if values[0].dtype.kind == "i":
            return Numbers(~values[0], known)
        case Binary(op=op):
            return _binary(op, values[0], values[1], known)
        case PtrAdd(offset=offset):
            moved = _binary("*", values[1], values[2], known)
            return None if moved is None else _binary("+", values[0], moved.values + offset, moved.known)
        case Intrinsic(name=name) if name in _ENDS and len(values) == 2:
            return Numbers(_ENDS[name](values[0], values[1]), known)
        case Intrinsic(name=name) if name in _ROUNDED and len(values) == 1:
            return Numbers(_ROUNDED[name](values[0]), known)
        case _:
            return None


def _binary(op: str, left: Vector, right: Vector, known: BoolVector) -> Numbers | None:
    whole = left.dtype.kind == right.dtype.kind == "i"
    if op in _OPERATORS:
        fits = np.abs(_OPERATORS[op](left.astype(np.float64), right.astype(np.float64))) < _LARGEST
        found = _OPERATORS[op](left, right)
        return Numbers(found.astype(np.int64) if found.dtype.kind == "b" else found, known & fits)
    if op in ("/", "%"):
        known = known & (right != 0)
        divisor = np.where(right != 0, right, 1)
        if not whole:
            return Numbers(left / divisor, known) if op == "/" else None
        quotient = np.sign(left) * np.sign(divisor) * (np.abs(left) // np.abs(divisor))
        return Numbers(quotient if op == "/" else left - quotient * divisor, known)
    if not whole:
        return None
    if op in _BITS:
        return Numbers(_BITS[op](left, right), known)
    if op not in ("<<", ">>"):
        return None
    known = known & (right >= 0) & (right < 62)
    by = np.where(known, right, 0)
    if op == ">>":
        return Numbers(left >> by, known)
    return Numbers(left << by, known & (np.abs(left.astype(np.float64)) * 2.0**by < _LARGEST))
