"""Implicit and explicit conversions between scalars and pointers; every one becomes a `Cast`, or a folded constant.

The rules are C++'s: integral promotions [conv.prom], the usual arithmetic conversions [expr.arith.conv], boolean
conversion [conv.bool] (`Cast` to BOOL is `!= 0`), decay of arrays [conv.array].
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir import constants
from analysis_core.ir.layout import is_guessed
from analysis_core.ir.nodes import AddressOf, Cast, Const, Expr, PtrAdd, UnknownExpr
from analysis_core.ir.scalars import SIZE_T, same_representation, scalar_named
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import (
    BOOL,
    INT,
    LONG,
    UINT,
    ULONG,
    VOID,
    ArrayType,
    OpaqueType,
    PointerType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.objects import base_parts
from analysis_core.lower.statements import lower_calls, lower_lvalues
from analysis_core.lower.values import (
    ArrayValue,
    Closure,
    FunctionName,
    Handle,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    type_of,
)
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn

_ZERO = Const(0, SIZE_T)
_ONE = Const(1, SIZE_T)


def promote(type: Type) -> Type:
    """The integral promotions: what is narrower than int becomes int, an enum the integer type that holds its values."""
    if isinstance(type, ScalarType) and type.kind in (ScalarKind.INT, ScalarKind.BOOL):
        if type.kind is ScalarKind.BOOL or type.size < INT.size:
            return INT
        if scalar_named(type.name) is None:
            return next((t for t in (INT, UINT, LONG, ULONG) if (t.size, t.signed) == (type.size, type.signed)), type)
    return type


def promoted(value: Value) -> Value:
    """A small bit-field's value as the int that it is in arithmetic; anything else as it is."""
    return Value(cast(value.expr, INT), INT) if value.fits_int else value


def arithmetic(left: Type, right: Type) -> Type:
    """The type in which `left op right` is computed.  Opaque types win: what they become is not known."""
    for side in (left, right):
        if isinstance(side, OpaqueType):
            return side
    if not isinstance(left, ScalarType) or not isinstance(right, ScalarType):
        return left
    if ScalarKind.FLOAT in (left.kind, right.kind):
        if left.kind is not ScalarKind.FLOAT:
            return right
        if right.kind is not ScalarKind.FLOAT:
            return left
        return left if left.size >= right.size else right
    left, right = _integer(promote(left)), _integer(promote(right))
    if left.size != right.size:
        return left if left.size > right.size else right
    return right if left.signed else left


def _integer(type: Type) -> ScalarType:
    return type if isinstance(type, ScalarType) else INT


def same_type(left: Type, right: Type) -> bool:
    """Whether values of `left` need no conversion to become `right`."""
    if isinstance(left, ScalarType) and isinstance(right, ScalarType):
        return same_representation(left, right)
    if isinstance(left, StructType) and isinstance(right, StructType):
        return left.name == right.name and left.size == right.size
    if isinstance(left, PointerType) and isinstance(right, PointerType):
        return left.volatile == right.volatile and same_target(left.target, right.target)
    if isinstance(left, OpaqueType) and isinstance(right, OpaqueType):
        return left.name == right.name
    return False


def same_target(left: Type, right: Type) -> bool:
    """The same for what pointers point to: qualifiers aside, arrays by their elements."""
    while isinstance(left, ArrayType) and isinstance(right, ArrayType):
        left, right = left.element, right.element
    if isinstance(left, StructType | OpaqueType) and isinstance(right, StructType | OpaqueType):
        return left.name == right.name
    return same_type(left, right)


def is_arithmetic(type: Type) -> bool:
    return isinstance(type, ScalarType) and type.kind is not ScalarKind.VOID


def is_integer(type: Type) -> bool:
    """Whether the type is integral, bool included."""
    return isinstance(type, ScalarType) and type.kind in (ScalarKind.INT, ScalarKind.BOOL)


def cast(expr: Expr, type: Type) -> Expr:
    """`expr` converted to `type`: nothing where the representation is the same, a constant where it is one."""
    if same_type(expr.type, type):
        return _renamed(expr, type)
    if isinstance(expr, Const):
        folded = constants.constant(expr.value, type)
        if folded is not None:
            return folded
    if isinstance(expr, UnknownExpr):
        return UnknownExpr(expr.cause, type)
    if isinstance(type, PointerType) and isinstance(expr.type, PointerType):
        return retype(expr, type)
    return Cast(expr, type)


def _renamed(expr: Expr, type: Type) -> Expr:
    """A constant takes the spelling of its new type; anything else keeps its own."""
    return Const(expr.value, type) if isinstance(expr, Const) and expr.type is not type else expr


def retype(expr: Expr, type: PointerType) -> Expr:
    """The same address seen as a pointer of another type."""
    if isinstance(expr, AddressOf | PtrAdd):
        return replace(expr, type=type)
    if isinstance(expr, Cast) and isinstance(expr.operand.type, PointerType):
        return retype(expr.operand, type)
    return expr if expr.type == type else Cast(expr, type)


def moved(address: Expr, offset: int, type: Type, volatile: bool = False) -> Expr:
    """`address` plus a constant number of bytes, as a pointer to `type`."""
    pointer = PointerType(type, volatile)
    if isinstance(address, PtrAdd) and _tells_record(address) and address.type != pointer:
        # That there is a record, how it is aligned, and that its layout is a guess, says the inner one alone.
        return PtrAdd(address, _ZERO, _ONE, pointer, offset)
    if offset == 0:
        return retype(address, pointer)
    if isinstance(address, PtrAdd):
        return replace(address, offset=address.offset + offset, type=pointer)
    return PtrAdd(address, _ZERO, _ONE, pointer, offset)


def _tells_record(address: PtrAdd) -> bool:
    """Whether it is a place among scalars that is seen as one of a record: `*(Quad *)&p[i]`; among anything else if nobody knows its layout."""
    record = address.type.target
    if not isinstance(record, StructType):
        return False
    among = address.pointer.type.target if isinstance(address.pointer.type, PointerType) else None
    while isinstance(among, ArrayType):
        among = among.element
    return isinstance(among, ScalarType) or (record.guessed and not (among is not None and is_guessed(among)))


def to_bool(expr: Expr) -> Expr:
    return cast(expr, BOOL)


def convert_value(ctx: Lowering, value: Value, type: Type) -> Value:
    """The implicit (or explicit) conversion of a scalar or pointer to a scalar, pointer or opaque type."""
    if isinstance(type, StructType | ArrayType):
        return value
    if isinstance(type, PointerType) and isinstance(value.type, PointerType):
        return _pointer(ctx, value, type)
    return Value(cast(value.expr, type), type)


def _pointer(ctx: Lowering, value: Value, type: PointerType) -> Value:
    """A pointer as one of another type: to a base of the object, where it is one."""
    given, target = pointer_class(ctx, value.type), pointer_class(ctx, type)
    if given is None or target is None:
        return Value(cast(value.expr, type), type)
    moved: Operand | None = value
    if given.name != target.name and base_parts.is_derived(given, target):
        moved = base_parts.to_base(ctx, value, target)
    if not isinstance(moved, Value):
        return Value(cast(value.expr, type), type)
    return Value(cast(moved.expr, type), type, whole=moved.whole)


def pointer_class(ctx: Lowering, type: Type) -> StructType | None:
    """The class that a pointer points to."""
    target = resolve.complete(ctx, type.target) if isinstance(type, PointerType) else None
    return target if isinstance(target, StructType) else None


def convert(ctx: Lowering, operand: Operand, type: Type, node: syn.Node) -> Operand:
    """The implicit conversion of any operand to `type`, loading it first; an unknown where there is none."""
    if isinstance(operand, RegisterPointer) and isinstance(type, PointerType):
        if same_target(operand.type.target, type.target):
            return replace(operand, type=replace(operand.type, const=type.const))
        base = pointer_class(ctx, type)
        part = base_parts.to_base(ctx, operand, base) if base is not None else None
        if part is not None:
            return part
    operand = lower_lvalues.load(ctx, operand, node)
    match operand:
        case Handle() | FunctionName() | Closure():
            return operand
        case RegisterPointer():
            return convert_value(ctx, lower_lvalues.spill(ctx, operand, node), type)
        case StructValue() | ArrayValue():
            if same_type(type_of(operand), type) or isinstance(type, ArrayType | OpaqueType):
                return operand
        case Value(type=given) if given == VOID != type:
            pass  # What a function returns whose declaration nobody has seen.
        case Value():
            if not isinstance(type, StructType | ArrayType):
                return convert_value(ctx, operand, type)
            if isinstance(type, StructType) and isinstance(operand.type, OpaqueType):
                return lower_lvalues.unknown_of(ctx, operand, type, node)
        case Register() | StructPlace() | Memory():
            pass  # `load` leaves no places.
    converted = lower_calls.convert_struct(ctx, operand, type, node)
    if converted is not None:
        return lower_lvalues.load(ctx, converted, node)
    reason = f"no conversion from `{spell(type_of(operand))}` to `{spell(type)}` is known here"
    cause = ctx.cause(CauseKind.UNSUPPORTED, reason, node.span)
    return lower_lvalues.unknown_operand(cause, type)
