"""Lambdas: a closure is its definition with the scope it was made in; calls of it are inlined like functions.

Captures by copy are copied here, so that later assignments to the original do not show; what is never assigned
again does not need the copy, but telling costs more than making it.
"""

from __future__ import annotations

from analysis_core.ir import lower_lvalues
from analysis_core.ir.context import Lowering
from analysis_core.ir.nodes import Assign
from analysis_core.ir.scope import Scope
from analysis_core.ir.values import Closure, Operand, Register, StructPlace, Value
from analysis_core.ir.walk_syntax import inside
from analysis_core.syntax import tree as syn


def closure(ctx: Lowering, node: syn.Lambda) -> Operand:
    """The closure that a lambda expression makes."""
    scope = Scope(ctx.scope)
    by_copy = {name for name in node.captures if name.isidentifier()}
    if "=" in node.captures:
        by_reference = {name[1:] for name in node.captures if name.startswith("&")}
        used = {n.name for n in inside(node.body) if isinstance(n, syn.Name)}
        by_copy |= used - by_reference
    for name in sorted(by_copy):
        binding = ctx.scope.find(name)
        if isinstance(binding, Register | StructPlace):
            scope.bind(name, _copied(ctx, binding, name, node))
    return Closure(node, scope)


def _copied(ctx: Lowering, place: Operand, name: str, node: syn.Lambda) -> Operand:
    match place:
        case Register(type=type, constant=None):
            value = lower_lvalues.load(ctx, place, node)
            if not isinstance(value, Value):
                return place
            var = ctx.variable(name, type, node.span)
            ctx.emit(Assign(var, value.expr, node.span))
            return Register(var, type)
        case StructPlace(type=type, fields=fields):
            return StructPlace(type, tuple(_copied(ctx, field, name, node) for field in fields), node.span)
        case _:
            return place
