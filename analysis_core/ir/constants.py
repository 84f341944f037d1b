"""Constant folding with C's integer semantics: widths, signedness, promotion by the `Cast`s that lowering made.

`fold` is the one evaluator: array extents, case labels, template arguments and enumerators are lowered like any
expression and then folded.  It answers None where the value is not a constant, and where C leaves it undefined
(division by zero, shifts out of range): an unknown with a cause is made by the caller.

Checked against g++ by `tests/ir/test_constants.py`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence

from analysis_core.ir.nodes import (
    AddressOf,
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
    UnknownExpr,
    VarId,
)
from analysis_core.ir.types import BOOL, PointerType, ScalarKind, ScalarType, Type
from analysis_core.ir.walk import fold as fold_tree


def wrap(value: int, size: int, signed: bool) -> int:
    """`value` modulo 2^(8*size), in the range of the type."""
    bits = 8 * size
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def reduce(value: int | float, type: Type) -> int | float | None:
    """`value` converted to `type` as C converts it; None where that is undefined or the type is no scalar."""
    if isinstance(type, PointerType):
        return wrap(int(value), 8, False) if isinstance(value, int) else None
    if not isinstance(type, ScalarType):
        return None
    match type.kind:
        case ScalarKind.BOOL:
            return int(value != 0)
        case ScalarKind.INT:
            if isinstance(value, float):
                if not math.isfinite(value):
                    return None
                value = int(value)
            return wrap(value, type.size, type.signed)
        case ScalarKind.FLOAT:
            return _to_float(value, type)
        case ScalarKind.VOID:
            return None


def _to_float(value: int | float, type: ScalarType) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    if type.size == 4 and math.isfinite(number):
        try:
            (number,) = struct.unpack("<f", struct.pack("<f", number))
        except OverflowError:
            return math.copysign(math.inf, number)
    return number


def constant(value: int | float, type: Type) -> Const | None:
    """A `Const` of the converted value."""
    reduced = reduce(value, type)
    return None if reduced is None else Const(reduced, type)


def fold(expr: Expr) -> Const | None:
    """The value of a constant expression, or None."""
    if isinstance(expr, Const):
        return expr
    return fold_tree(expr, combined)


Places = Mapping[tuple[BuiltinKind, int], int]
"""Numbers of a thread and extents of its launch, by kind and axis."""


def fold_at(expr: Expr, known: Mapping[VarId, Const], places: Places | None = None) -> Const | None:
    """The value of an expression, given the values of some variables and the place of one thread; None if that does
    not decide it."""

    def combine(node: Expr, args: Sequence[Const | None]) -> Const | None:
        match node:
            case Local(var=var):
                return known.get(var)
            case Builtin(kind=kind, axis=axis, type=type):
                number = None if places is None else places.get((kind, axis))
                return None if number is None else constant(number, type)
            case _:
                return combined(node, args)

    return fold_tree(expr, combine)


def whole(value: Const | None) -> int | None:
    """The integer that a constant is converted to; None if there is none, as for an infinite number (`1e400`)."""
    if value is None or (isinstance(value.value, float) and not math.isfinite(value.value)):
        return None
    return int(value.value)


def fold_int(expr: Expr) -> int | None:
    """The value of an integer constant expression, or None."""
    folded = fold(expr)
    return folded.value if folded is not None and isinstance(folded.value, int) else None


def combined(node: Expr, args: Sequence[Const | None]) -> Const | None:
    match node:
        case Const():
            return node
        case Local() | Builtin() | AddressOf() | PtrAdd() | UnknownExpr():
            return None
        case Unary():
            return _unary(node, args[0])
        case Binary():
            return _binary(node, args[0], args[1])
        case Cast():
            return None if args[0] is None else constant(args[0].value, node.type)
        case Select():
            if args[0] is None:
                return None
            return args[1] if args[0].value else args[2]
        case Intrinsic():
            return _intrinsic(node, args)


def _unary(node: Unary, operand: Const | None) -> Const | None:
    if operand is None:
        return None
    value = operand.value
    match node.op:
        case "-":
            return constant(-value, node.type)
        case "~" if isinstance(value, int):
            return constant(~value, node.type)
        case "!":
            return Const(int(not value), node.type)
        case _:
            return None


def _binary(node: Binary, left: Const | None, right: Const | None) -> Const | None:
    # One known side decides && and ||: the other one is pure.
    if node.op in ("&&", "||"):
        decisive = node.op == "||"
        for side in (left, right):
            if side is not None and bool(side.value) == decisive:
                return Const(int(decisive), BOOL)
        return None if left is None or right is None else Const(int(not decisive), BOOL)
    if left is None or right is None or isinstance(left.type, PointerType) or isinstance(right.type, PointerType):
        return None
    value = calculate(node.op, left.value, right.value, left.type)
    return None if value is None else constant(value, node.type)


def calculate(op: str, left: int | float, right: int | float, type: Type) -> int | float | None:
    """`left op right` on numbers already converted to the operand type `type`; the result is not yet reduced."""
    match op:
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return _divide(left, right)
        case _ if isinstance(left, int) and isinstance(right, int):
            return _integer_only(op, left, right, type)
        case _:
            return None


def _divide(left: int | float, right: int | float) -> int | float | None:
    if right == 0:
        return None
    if isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return left / right


def _integer_only(op: str, left: int, right: int, type: Type) -> int | None:
    match op:
        case "%":
            quotient = _divide(left, right)
            return None if quotient is None else left - right * int(quotient)
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<" | ">>":
            if not isinstance(type, ScalarType) or not 0 <= right < 8 * type.size:
                return None
            # What is moved out at the top is lost ([expr.shift]).
            return left >> right if op == ">>" else wrap(left << right, type.size, type.signed)
        case _:
            return None


def _intrinsic(node: Intrinsic, args: Sequence[Const | None]) -> Const | None:
    values = [arg.value for arg in args if arg is not None]
    if len(values) != len(args) or not values:
        return None
    match node.name:
        case "min":
            return constant(min(values), node.type)
        case "max":
            return constant(max(values), node.type)
        case "abs" if len(values) == 1:
            return constant(abs(values[0]), node.type)
        case _:
            return None
