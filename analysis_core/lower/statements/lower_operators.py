"""Unary and binary operators on loaded operands: promotions, the usual arithmetic conversions, pointers, structs."""

from __future__ import annotations

from analysis_core.ir import constants
from analysis_core.ir.nodes import Binary, Const, Expr, Unary, UnknownExpr
from analysis_core.ir.scalars import PTRDIFF_T
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import BOOL, LONG, VOID, OpaqueType, PointerType, ScalarKind, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import fast_division
from analysis_core.lower.names import resolve
from analysis_core.lower.names.absent_headers import absent_headers
from analysis_core.lower.objects import class_conversions, class_operators, conversions
from analysis_core.lower.statements import inline, lower_calls, lower_expressions, lower_lvalues
from analysis_core.lower.values import (
    Memory,
    Operand,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    type_of,
    unknown_value,
)
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
_STREAMS = frozenset({"<<", ">>"})
"""Operators that are declared to change what stands at their sides."""


def unary(ctx: Lowering, expr: syn.Unary, loaded: Operand) -> Operand:
    """`+ - ! ~` on a loaded operand."""
    if isinstance(loaded, StructValue):
        found = lower_calls.lower_operator(ctx, expr.op, (loaded,), expr)
        if found is not None:
            return found
    if expr.op == "!":
        test = lower_expressions.truth(ctx, loaded, expr.operand)
        if isinstance(test, UnknownExpr) and not isinstance(type_of(loaded), ScalarType | PointerType):
            return unknown_value(test.cause, OpaqueType("?", test.cause.reason))  # an operator that nobody sees
        return Value(negate(test), BOOL)
    value = conversions.promoted(lower_expressions.as_value(ctx, loaded, expr.operand))
    type = conversions.promote(value.type)
    inner = conversions.cast(value.expr, type)
    if expr.op == "+":
        return Value(inner, type)
    # `-1` is one constant for every later stage.
    result = Unary(expr.op, inner, type)
    folded = constants.fold(result) if isinstance(inner, Const) else None
    return Value(folded or result, type)


def negate(condition: Expr) -> Expr:
    """Logical negation of a bool."""
    return Unary("!", condition, BOOL)


def binary(ctx: Lowering, op: str, left: Operand, right: Operand, node: syn.Expr) -> Operand:
    """`left op right` on loaded operands; `&&`, `||` and `,` are lowered elsewhere."""
    if isinstance(left, StructValue | StructPlace | Memory) or isinstance(right, StructValue | StructPlace | Memory):
        found = lower_calls.lower_operator(ctx, op, (left, right), node)
        if found is None:
            found = _of_numbers(ctx, op, left, right, node)
        return found if found is not None else _unknown(ctx, op, left, right, node)
    unseen = class_operators.of_enumeration(ctx, op, (left, right), node)
    if unseen is not None:
        return unknown_value(unseen, OpaqueType("?", unseen.reason))
    first = lower_expressions.as_value(ctx, _decayed(ctx, left, node), node)
    second = lower_expressions.as_value(ctx, _decayed(ctx, right, node), node)
    if isinstance(first.type, PointerType) or isinstance(second.type, PointerType):
        return _pointers(ctx, op, first, second, node)
    if VOID in (first.type, second.type):
        return _unknown(ctx, op, left, right, node)
    return scalars(ctx, op, first, second)


def _of_numbers(ctx: Lowering, op: str, left: Operand, right: Operand, node: syn.Expr) -> Operand | None:
    """The built-in operator on what conversion operators make of objects; None if these are not known."""
    sides: list[Operand] = []
    for side in (left, right):
        number = class_conversions.number_of(ctx, side, node) if isinstance(type_of(side), StructType) else side
        if number is None:
            return None
        mark = ctx.mark()
        sides.append(lower_expressions.kept(ctx, lower_lvalues.load(ctx, number, node), mark))
    if any(isinstance(side, StructValue) for side in sides):
        return None
    return binary(ctx, op, sides[0], sides[1], node)


def _decayed(ctx: Lowering, operand: Operand, node: syn.Expr) -> Operand:
    return lower_lvalues.spill(ctx, operand, node) if isinstance(operand, RegisterPointer) else operand


def scalars(ctx: Lowering, op: str, left: Value, right: Value) -> Value:
    """An operator on arithmetic (or opaque) operands, with the conversions C asks for."""
    left, right = conversions.promoted(left), conversions.promoted(right)
    if op in ("<<", ">>"):
        type = conversions.promote(left.type)
        amount = conversions.cast(right.expr, conversions.promote(right.type))
        quotient = fast_division.divided(ctx, left.expr, right.expr) if op == ">>" else None
        if quotient is not None:
            return Value(conversions.cast(quotient, type), type)
        return Value(Binary(op, conversions.cast(left.expr, type), amount, type), type)
    if op in COMPARISONS:
        for side in (left, right):
            if isinstance(side.type, OpaqueType) and isinstance(side.expr, UnknownExpr):
                return unknown_value(
                    side.expr.cause, side.type
                )  # an operator, or a template's arguments, that nobody sees
    type = conversions.arithmetic(left.type, right.type)
    first, second = conversions.cast(left.expr, type), conversions.cast(right.expr, type)
    return Value(Binary(op, first, second, BOOL if op in COMPARISONS else type), BOOL if op in COMPARISONS else type)


def _pointers(ctx: Lowering, op: str, left: Value, right: Value, node: syn.Expr) -> Operand:
    """Pointer arithmetic and comparison."""
    match left.type, right.type, op:
        case PointerType() as pointer, PointerType(), "-":
            resolve.assume_size(ctx, resolve.complete(ctx, pointer.target))
            return Value(Binary("-", left.expr, right.expr, PTRDIFF_T), PTRDIFF_T)
        case PointerType(), PointerType(), _ if op in COMPARISONS:
            return Value(Binary(op, left.expr, right.expr, BOOL), BOOL)
        case PointerType() as pointer, other, "+" | "-" if _is_index(other):
            return _moved(ctx, left, pointer, right.expr, op == "-")
        case other, PointerType() as pointer, "+" if _is_index(other):
            return _moved(ctx, right, pointer, left.expr, False)
        case PointerType() as pointer, _, _ if op in COMPARISONS:
            return Value(Binary(op, left.expr, conversions.cast(right.expr, pointer), BOOL), BOOL)
        case _, PointerType() as pointer, _ if op in COMPARISONS:
            return Value(Binary(op, conversions.cast(left.expr, pointer), right.expr, BOOL), BOOL)
        case _:
            return _unknown(ctx, op, left, right, node)


def _is_index(type: Type) -> bool:
    return isinstance(type, OpaqueType) or (isinstance(type, ScalarType) and type.kind is not ScalarKind.FLOAT)


def _moved(ctx: Lowering, base: Value, pointer: PointerType, index: Expr, backwards: bool) -> Value:
    if backwards:
        # Negating an unsigned index would wrap: it is widened first.
        unsigned = isinstance(index.type, ScalarType) and not index.type.signed
        index = _negated(conversions.cast(index, LONG if unsigned else conversions.promote(index.type)))
    target = resolve.complete(ctx, pointer.target)
    type = PointerType(target, pointer.volatile, pointer.restrict, pointer.const)
    return Value(lower_lvalues.add(ctx, base.expr, index, type), type)


def _unknown(ctx: Lowering, op: str, left: Operand, right: Operand, node: syn.Expr) -> Operand:
    """No such operator is visible; a struct operand gives the result its type, a comparison is a bool."""
    types = [type_of(side) for side in (left, right)]
    spelled = " and ".join(f"`{spell(type)}`" for type in types)
    absent = absent_headers(ctx.unit.tree)
    vectors = " and ".join(dict.fromkeys(f"`{type.name}`" for type in types if isinstance(type, StructType)))
    if absent and vectors and all(isinstance(type, StructType | ScalarType) for type in types):
        reason = f"operators for {vectors} are not declared in this file or its includes{absent}"
        cause = ctx.cause(CauseKind.MISSING, reason, None)
    else:
        cause = ctx.cause(CauseKind.MISSING, f"no operator {op} for {spelled} is visible", node.span)
    if op in _STREAMS and isinstance(node, syn.Binary):
        inline.forget_named(ctx, (node.left, node.right), cause)
    if op in COMPARISONS:
        return unknown_value(cause, OpaqueType("?", cause.reason))
    type = next((t for t in types if isinstance(t, StructType)), types[0])
    return lower_lvalues.unknown_operand(cause, type)


def _negated(expr: Expr) -> Expr:
    """`-expr` of an integer, folded where constant; used for pointer minus integer."""
    if isinstance(expr, Const) and isinstance(expr.value, int):
        folded = constants.constant(-expr.value, expr.type)
        if folded is not None:
            return folded
    return Unary("-", expr, expr.type)
