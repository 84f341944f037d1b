"""Assignment, compound assignment, `++` and `--`.

A compound assignment to memory is one load and one store at one place with the address computed once; both accesses
carry `compound` and the span of the lvalue.  The right side is evaluated first, as C++17 says.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.nodes import Assign, Const, Local
from analysis_core.ir.types import INT, ArrayType, StructType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.objects import class_conversions, conversions, copies
from analysis_core.lower.statements import (
    lower_calls,
    lower_conditional,
    lower_declarations,
    lower_expressions,
    lower_lvalues,
    lower_operators,
)
from analysis_core.lower.values import Handle, Memory, Operand, Register, StructPlace, StructValue, Value, type_of
from analysis_core.syntax.read import tree as syn


def assign(ctx: Lowering, expr: syn.Assign) -> Operand:
    """`target op value`; the result is the target's place, or for memory the value that was written."""
    if expr.op == "=" and isinstance(expr.value, syn.InitList):
        target = lower_expressions.operand(ctx, expr.target)
        lower_declarations.initialise(ctx, target, expr.value, expr.target)
        return target
    return _assigned(ctx, expr, copies.object_of(ctx, expr.value))


def _assigned(ctx: Lowering, expr: syn.Assign, value: Operand) -> Operand:
    """The assignment of a value that is computed already."""
    if isinstance(expr.target, syn.Conditional):
        return _assigned_to_either(ctx, expr, expr.target, value)
    mark = ctx.mark()
    target = lower_expressions.operand(ctx, expr.target)
    value = lower_expressions.kept(ctx, value, mark)
    if isinstance(resolve.complete(ctx, type_of(target)), StructType):
        found = lower_calls.lower_operator(ctx, expr.op, (target, value), expr)
        if found is not None:
            return found
        if expr.op == "=" and copies.assigned_by_code(ctx, type_of(target)):
            copies.assign_members(ctx, target, value, expr)
            return target
        if expr.op != "=":
            target = class_conversions.referred_number(ctx, target, expr.target) or target
    if expr.op != "=":
        target = lower_lvalues.with_unit(ctx, target, expr.target)
        old = lower_lvalues.load(ctx, target, expr.target, compound=True)
        value = lower_operators.binary(ctx, expr.op.removesuffix("="), old, value, expr)
    elif isinstance(target, Handle):
        return target
    return _written(ctx, target, value, expr, compound=expr.op != "=")


def _assigned_to_either(ctx: Lowering, expr: syn.Assign, target: syn.Conditional, value: Operand) -> Operand:
    """`(c ? a : b) = v`: each lane assigns to its own one of the two."""
    mark = ctx.mark()
    test = lower_expressions.condition(ctx, target.condition)
    value = lower_expressions.kept(ctx, value, mark)
    with ctx.block() as then:
        _assigned(ctx, replace(expr, target=target.then), value)
    with ctx.block() as otherwise:
        _assigned(ctx, replace(expr, target=target.otherwise), value)
    ctx.emit(lower_conditional.select_branch(target, test, then, otherwise))
    return value


def _written(ctx: Lowering, target: Operand, value: Operand, expr: syn.Assign, compound: bool) -> Operand:
    written = lower_lvalues.store(ctx, target, value, expr.target, whole=expr.span, compound=compound)
    if isinstance(target, Register | StructPlace):
        return target
    if isinstance(target, Memory) and isinstance(written, StructValue):
        return target
    return written


def step(ctx: Lowering, expr: syn.IncDec, used: bool) -> Operand:
    """`++x`, `x--`; `used`: whether the value is needed, so that the old one must be kept for the postfix form."""
    place = lower_expressions.operand(ctx, expr.operand)
    if isinstance(resolve.complete(ctx, type_of(place)), StructType | ArrayType):
        zero = Value(Const(0, INT), INT)
        found = lower_calls.lower_operator(ctx, expr.op, (place,) if expr.prefix else (place, zero), expr)
        if found is not None:
            return found
        place = class_conversions.referred_number(ctx, place, expr.operand) or place
    place = lower_lvalues.with_unit(ctx, place, expr.operand)
    old = lower_expressions.as_value(ctx, lower_lvalues.load(ctx, place, expr.operand, compound=True), expr.operand)
    kept = old
    if used and not expr.prefix and isinstance(place, Register):
        before = ctx.temporary(f"({_shown(ctx, place)}{expr.op})", old.type, expr.span)
        ctx.emit(Assign(before, old.expr, expr.span))
        kept = Value(Local(before, old.type), old.type)
    one = Value(Const(1, INT), INT)
    new = lower_operators.binary(ctx, expr.op[0], old, one, expr)
    written = lower_lvalues.store(ctx, place, new, expr.operand, whole=expr.span, compound=True)
    if not expr.prefix:
        return kept
    return place if isinstance(place, Register) else conversions.convert(ctx, written, type_of(place), expr)


def _shown(ctx: Lowering, place: Register) -> str:
    """The variable's name as it is shown."""
    return ctx.variables[place.var].name
