"""Destructors: the objects of a block are destroyed where it is left, the last one first.

Every `Scope` lists its objects whose class has a destructor that does something.  Their destructors are inlined at the end of the
block, and before each `return`, `break` and `continue` that leaves it.  Temporary objects, parameters by value and arrays
of such objects are not followed: the statement that makes one is followed by an unknown one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from analysis_core.ir.nodes import Break, Continue, Return, UnknownStmt
from analysis_core.ir.types import ArrayType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import RecordInstance, Scope
from analysis_core.lower.objects import base_parts, methods
from analysis_core.lower.statements import inline, lower_lvalues
from analysis_core.lower.values import Memory, Operand, StructPlace, type_of
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn


def runs_code(ctx: Lowering, type: Type) -> bool:
    """Whether destroying an object of the type runs a destructor of the user's that does something."""
    return _destroyed(ctx, type, {}) > 0


def _destroyed(ctx: Lowering, type: Type, known: dict[str, int]) -> int:
    """How many destructors of the user's run. `known`: for these classes."""
    while isinstance(type, ArrayType):
        type = type.element
    type = resolve.complete(ctx, type)
    instance = ctx.instances.get(type.name) if isinstance(type, StructType) else None
    if instance is None or not isinstance(type, StructType):
        return 0
    if type.name not in known:
        known[type.name] = 0  # a class that is a part of itself is none
        parts = [*(f.type for f in type.own_fields), *(t for _, t in _bases(ctx, instance))]
        known[type.name] = (_own(ctx, instance) is not None) + sum(_destroyed(ctx, part, known) for part in parts)
    return known[type.name]


def _own(ctx: Lowering, instance: RecordInstance) -> methods.Method | None:
    found = methods.own_methods(ctx, instance, f"~{instance.definition.name}")
    if not found or (found[0].declaration.body is not None and not found[0].declaration.body.body):
        return None
    return found[0]


def _bases(ctx: Lowering, instance: RecordInstance) -> Iterator[tuple[syn.NamedType, StructType]]:
    for node in instance.definition.bases:
        with ctx.in_scope(instance.scope):
            type = resolve.complete(ctx, resolve.resolve_type(ctx, node))
        if isinstance(type, StructType):
            yield node, type


# --- who owns what ----------------------------------------------------------------------------------------------


def made(ctx: Lowering, type: Type) -> None:
    """Notes an object that a constructor has made and that no variable owns yet."""
    ctx.temporaries += runs_code(ctx, type)


def assembled(ctx: Lowering, type: Type, before: int) -> None:
    """Notes an object that was initialised member by member and that no variable owns yet. It owns what its members
    were made from."""
    if ctx.temporaries - before <= _destroyed(ctx, type, {}):
        ctx.temporaries = before
    made(ctx, type)


def own(ctx: Lowering, name: str, before: int) -> None:
    """Gives the variable that was just declared the objects that its initialiser made (those since `ctx.temporaries`
    was `before`)."""
    place = ctx.scope.bindings.get(name)
    if not isinstance(place, StructPlace | Memory) or not runs_code(ctx, place.type):
        return
    if ctx.temporaries - before <= _destroyed(ctx, place.type, {}) and not isinstance(place.type, ArrayType):
        ctx.temporaries = before
        ctx.scope.objects.append((name, place))
    else:
        ctx.temporaries += 1


def release(ctx: Lowering, name: str) -> None:
    """Takes a variable out of its scope's objects: it is the result of the function, and the caller owns it."""
    scope: Scope | None = ctx.scope
    while scope is not None and scope is not ctx.frame.scope.parent:
        if any(name == owned for owned, _ in scope.objects):
            scope.objects = [(owned, place) for owned, place in scope.objects if owned != name]
            ctx.temporaries += 1
        scope = scope.parent


def settle(ctx: Lowering, before: int, node: syn.Node) -> None:
    """Destroys the temporary objects of a full expression, at its end."""
    if ctx.temporaries > before:
        _unknown(ctx, "a temporary object is destroyed", node)
    ctx.temporaries = before


def _unknown(ctx: Lowering, reason: str, node: syn.Node) -> None:
    cause = ctx.cause(CauseKind.UNSUPPORTED, reason, node.span)
    ctx.emit(UnknownStmt(cause, ctx.scope.visible_variables(), memory=True, leaves=False, span=node.span))


# --- where blocks are left --------------------------------------------------------------------------------------


@contextmanager
def block_scope(ctx: Lowering, node: syn.Node, target: str = "") -> Iterator[Scope]:
    """`Lowering.nested_scope`, at whose end its objects are destroyed.  `target`: "loop" or "switch" for what `break` leaves."""
    with ctx.nested_scope() as scope:
        scope.target = target
        yield scope
        last = ctx.blocks[-1][-1] if ctx.blocks[-1] else None
        if not isinstance(last, Return | Break | Continue):
            _destroy_all(ctx, scope, node)


def leave_function(ctx: Lowering, node: syn.Node) -> None:
    """Destroys what a `return` leaves behind."""
    scope: Scope | None = ctx.scope
    while scope is not None:
        _destroy_all(ctx, scope, node)
        scope = None if scope is ctx.frame.scope else scope.parent


def leave_loop(ctx: Lowering, node: syn.Node, targets: tuple[str, ...]) -> None:
    """Destroys what a `break` or `continue` leaves behind."""
    scope: Scope | None = ctx.scope
    while scope is not None and scope.target not in targets:
        _destroy_all(ctx, scope, node)
        scope = None if scope is ctx.frame.scope else scope.parent


def _destroy_all(ctx: Lowering, scope: Scope, node: syn.Node) -> None:
    for _, place in reversed(scope.objects):
        _destroy(ctx, place, type_of(place), node)


def _destroy(ctx: Lowering, place: Operand, type: Type, node: syn.Node) -> None:
    """The class's own destructor, then those of its members and bases, each the last one first."""
    type = resolve.complete(ctx, type)
    if not runs_code(ctx, type):
        return
    instance = ctx.instances.get(type.name) if isinstance(type, StructType) else None
    if instance is None or not isinstance(type, StructType):
        _unknown(ctx, "objects in an array are destroyed", node)
        return
    mine = _own(ctx, instance)
    if mine is not None:
        nothing = syn.NamedType(span=mine.declaration.span, name="void")
        declaration = replace(mine.declaration, result=nothing)
        inline.inline(ctx, declaration, (), mine.bindings, node, methods.this_of(ctx, place, node))
    bases = [base for _, base in _bases(ctx, instance)]
    for field in reversed(type.own_fields):
        _destroy(ctx, lower_lvalues.member(ctx, place, field.name, node), field.type, node)
    for base in reversed(bases):
        part = methods.base_place(ctx, place, base)
        if part is not None:
            _destroy(ctx, base_parts.under_construction(part, base), base, node)
        elif runs_code(ctx, base):
            _unknown(ctx, "a base without members is destroyed", node)
