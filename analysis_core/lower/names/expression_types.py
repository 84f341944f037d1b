"""The type of an expression in full: qualifiers, and whether it denotes an object that goes on (`&`), ends (`&&`), or is a value.

Overload resolution, deduction and `decltype` ask for it.  Operands know it (`values.py`), but for what is bound to a name as a value:
a constant, a temporary that a reference keeps.
"""

from __future__ import annotations

from analysis_core.ir.nodes import UnknownExpr
from analysis_core.ir.types import PointerType, Qualified, StructType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import identity, resolve
from analysis_core.lower.names.scope import PackBinding, TemplateBinding
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import (
    ArrayValue,
    Category,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    type_of,
)
from analysis_core.syntax.read import tree as syn

_REFERENCE = {Category.LVALUE: "&", Category.XVALUE: "&&", Category.PRVALUE: ""}


def given_type(ctx: Lowering, operand: Operand, node: syn.Node | None = None) -> Qualified:
    """The type of an operand; `node` is the expression that denotes it."""
    match operand:
        case Register() | StructPlace():
            return Qualified(operand.type, operand.const, False, _REFERENCE[operand.category])
        case Memory():
            return Qualified(operand.type, operand.const, operand.volatile, _REFERENCE[operand.category])
        case Value() | StructValue() | ArrayValue() if _is_named(ctx, node):
            return Qualified(operand.type, const=True, reference="&")
        case RegisterPointer(place=place, type=type):
            return Qualified(PointerType(place.type, type.volatile, type.restrict, type.const))
        case _:
            return Qualified(type_of(operand))


def _is_named(ctx: Lowering, node: syn.Node | None) -> bool:
    """Whether a value is what the name of a constant, or of a reference to a temporary, denotes."""
    while isinstance(node, syn.Member) and not node.arrow:
        node = node.base
    if not isinstance(node, syn.Name) or ctx.unit.find_enumerator(node.name, ctx.scope.root().namespace) is not None:
        return False  # an enumerator is no object
    if "::" in node.name:
        return node.template_args is None
    bound = ctx.scope.find(node.name)
    if bound is None:
        return True
    return not isinstance(bound, Qualified | PackBinding | TemplateBinding) and not _is_parameter(ctx, node.name)


def _is_parameter(ctx: Lowering, name: str) -> bool:
    """Whether the name is a value parameter of the template that is being lowered."""
    return name in ctx.scope.root().bindings and isinstance(ctx.scope.root().bindings[name], Value)


def declared_type(ctx: Lowering, expr: syn.Expr, parenthesised: bool = False) -> Qualified:
    """`decltype(e)`: the declared type of a variable or member that is named, else that of the expression."""
    with ctx.scratch():
        if not parenthesised and isinstance(expr, syn.Name):
            found = _of_name(ctx, expr)
            if found is not None:
                return found
        if not parenthesised and isinstance(expr, syn.Member):
            member = _of_member(ctx, expr)
            if member is not None:
                return member
        return of_expression(ctx, expr)


def of_expression(ctx: Lowering, expr: syn.Expr) -> Qualified:
    """The type of an expression that is not evaluated."""
    with ctx.scratch():
        match expr:
            case syn.IncDec(prefix=True, operand=target) | syn.Assign(target=target):
                found = of_expression(ctx, target)
                if not isinstance(found.type, StructType):
                    return found
            case syn.Binary(op=","):
                *before, last = _comma_parts(expr)
                for part in before:  # they have no say in the type, but must have one
                    of_expression(ctx, part)
                return of_expression(ctx, last)
            case syn.Conditional(then=then, otherwise=otherwise):
                left, right_type = of_expression(ctx, then), of_expression(ctx, otherwise)
                if left == right_type:
                    return left
            case _:
                pass
        operand = lower_expressions.operand(ctx, expr)
        if isinstance(operand, Value) and isinstance(operand.expr, UnknownExpr) and ctx.substitution is not None:
            ctx.substitution.unsure |= not ctx.substitution.failed and identity.is_open(operand.type)
        return given_type(ctx, operand, expr)


def _comma_parts(expr: syn.Expr) -> list[syn.Expr]:
    parts: list[syn.Expr] = []
    while isinstance(expr, syn.Binary) and expr.op == ",":
        parts.append(expr.right)
        expr = expr.left
    return [expr, *parts[::-1]]


def _of_name(ctx: Lowering, expr: syn.Name) -> Qualified | None:
    operand = lower_expressions.operand(ctx, expr)
    if not isinstance(operand, Register | StructPlace | Memory | Value | StructValue | RegisterPointer):
        return None
    found = given_type(ctx, operand, expr)
    reference = ctx.scope.reference(expr.name) if "::" not in expr.name else ""
    return Qualified(found.type, found.const, found.volatile, reference)


def _of_member(ctx: Lowering, expr: syn.Member) -> Qualified | None:
    """The type that a member is declared with, whatever the object is."""
    base = type_of(lower_expressions.operand(ctx, expr.base))
    if expr.arrow and isinstance(base, PointerType):
        base = base.target
    type = resolve.complete(ctx, base)
    instance = ctx.instances.get(type.name) if isinstance(type, StructType) else None
    declared = None if instance is None else next((f for f in instance.definition.fields if f.name == expr.name), None)
    if instance is None or declared is None:
        return None
    with ctx.in_scope(instance.scope):
        return resolve.qualified(ctx, declared.type)
