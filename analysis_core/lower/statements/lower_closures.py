"""Lambdas: a closure is its definition with the scope it was made in; calls of it are inlined like functions.

Captures by copy are copied here, so that later assignments to the original do not show; what is never assigned
again does not need the copy, but telling costs more than making it.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.nodes import AddressOf, Assign
from analysis_core.ir.types import Space
from analysis_core.lower.context import Lowering
from analysis_core.lower.names.scope import Binding, Scope
from analysis_core.lower.objects import copies, methods
from analysis_core.lower.statements import lower_declarations, lower_expressions, lower_lvalues
from analysis_core.lower.values import Closure, Memory, Operand, Register, StructPlace, Value, type_of
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside


def closure(ctx: Lowering, node: syn.Lambda) -> Operand:
    """The closure that a lambda expression makes."""
    scope = Scope(ctx.scope)
    by_copy = {name for name in node.captures if name.isidentifier()}
    if "=" in node.captures:
        by_reference = {name[1:] for name in node.captures if name.startswith("&")}
        used = {n.name for n in inside(node.body) if isinstance(n, syn.Name)}
        by_copy |= used - by_reference
    made = [(name, _made(ctx, name, value, node)) for name, value in node.made]
    held = {name for name in sorted(by_copy) if _hold(ctx, scope, name, ctx.scope.find(name), node)}
    for name, operand in made:
        scope.bind(name.removeprefix("&"), operand)
    held |= {name for name, _ in made if not name.startswith("&")}
    return Closure(node, scope, _this(ctx, node), frozenset(held))


def copied(ctx: Lowering, original: Closure, node: syn.Node) -> Closure:
    """A copy of a closure. If the copy may change what it holds, or copying shows, it holds copies of its own."""
    if not original.definition.mutable and not _copies_show(ctx, original):
        return original
    scope = Scope(original.scope.parent, bindings=dict(original.scope.bindings))
    for name in sorted(original.held):
        _hold(ctx, scope, name, original.scope.bindings.get(name), node)
    this = original.this
    return replace(
        original, scope=scope, this=_copied_this(ctx, this, node) if "*this" in original.definition.captures else this
    )


def _copies_show(ctx: Lowering, original: Closure) -> bool:
    """Whether copying what the closure holds runs code of the user's."""
    held = (original.scope.bindings.get(name) for name in original.held)
    return any(isinstance(place, StructPlace | Memory) and copies.runs_code(ctx, place.type) for place in held)


def _hold(ctx: Lowering, scope: Scope, name: str, binding: Binding | None, node: syn.Node) -> bool:
    """Gives the closure an object of its own for a captured variable, if it needs one."""
    if isinstance(binding, Register):
        scope.bind(name, _copied(ctx, binding, name, node))
    elif isinstance(binding, StructPlace) or (isinstance(binding, Memory) and _is_automatic(ctx, binding)):
        copy = copies.captured(ctx, binding, node)
        place = lower_declarations.declare_place(ctx, name, binding.type, node.span)
        lower_lvalues.store(ctx, place, copy, syn.Name(span=node.span, name=name))
        scope.bind(name, place)
    else:
        return False
    return True


def _made(ctx: Lowering, name: str, value: syn.Expr, node: syn.Lambda) -> Operand:
    """`[x = e]` declares a variable, `[&x = e]` a reference."""
    if name.startswith("&"):
        return ctx.freeze(lower_expressions.operand(ctx, value), node.span)
    initial = copies.initial_value(ctx, value)
    if not isinstance(initial, Value) and not hasattr(initial, "fields"):
        return initial
    place = lower_declarations.declare_place(ctx, name, type_of(initial), value.span)
    lower_lvalues.store(ctx, place, initial, value)
    return place


def _this(ctx: Lowering, node: syn.Lambda) -> Operand | None:
    this = ctx.frame.this
    return _copied_this(ctx, this, node) if "*this" in node.captures else this


def _copied_this(ctx: Lowering, this: Operand | None, node: syn.Node) -> Operand | None:
    """A pointer to a copy of the object."""
    if this is None:
        return None
    original = lower_lvalues.dereference(ctx, this, node)
    copy = copies.new_object(ctx, original, None, syn.Name(span=node.span, name="*this"))
    place = lower_declarations.declare_place(ctx, "(*this)", type_of(copy), node.span)
    lower_lvalues.store(ctx, place, copy, node)
    return methods.this_of(ctx, place, node)


def _is_automatic(ctx: Lowering, place: Memory) -> bool:
    """Whether the name is that of a variable of the thread, or of a reference; variables of static storage are not captured."""
    address = place.address
    return not isinstance(address, AddressOf) or ctx.objects[address.object].space is Space.LOCAL


def _copied(ctx: Lowering, place: Register, name: str, node: syn.Node) -> Operand:
    value = lower_lvalues.load(ctx, place, node)
    if place.constant is not None or not isinstance(value, Value):
        return place
    var = ctx.variable(name, place.type, node.span)
    ctx.emit(Assign(var, value.expr, node.span))
    return Register(var, place.type)
