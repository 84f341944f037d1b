"""Lambdas: a closure is its definition with the scope it was made in; calls of it are inlined like functions.

Captures by copy are copied here, so that later assignments to the original do not show; what is never assigned
again does not need the copy, but telling costs more than making it.
"""

from __future__ import annotations

from analysis_core.ir import copies, lower_declarations, lower_lvalues
from analysis_core.ir.context import Lowering
from analysis_core.ir.nodes import AddressOf, Assign
from analysis_core.ir.scope import Scope
from analysis_core.ir.types import Space
from analysis_core.ir.values import Closure, Memory, Operand, Register, StructPlace, Value
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
        if isinstance(binding, Register):
            scope.bind(name, _copied(ctx, binding, name, node))
        elif isinstance(binding, StructPlace) or (isinstance(binding, Memory) and _is_automatic(ctx, binding)):
            copy = copies.captured(ctx, binding, node)
            place = lower_declarations.declare_place(ctx, name, binding.type, node.span)
            lower_lvalues.store(ctx, place, copy, syn.Name(span=node.span, name=name))
            scope.bind(name, place)
    return Closure(node, scope)


def _is_automatic(ctx: Lowering, place: Memory) -> bool:
    """Whether the name is that of a variable of the thread, or of a reference; variables of static storage are not captured."""
    address = place.address
    return not isinstance(address, AddressOf) or ctx.objects[address.object].space is Space.LOCAL


def _copied(ctx: Lowering, place: Register, name: str, node: syn.Lambda) -> Operand:
    value = lower_lvalues.load(ctx, place, node)
    if place.constant is not None or not isinstance(value, Value):
        return place
    var = ctx.variable(name, place.type, node.span)
    ctx.emit(Assign(var, value.expr, node.span))
    return Register(var, place.type)
