"""Which functions a name means that is not qualified by an object: those that are declared before the call ([basic.lookup.unqual]);
what is found by arguments need not be (associated.py)."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir.types import Qualified
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.identity import same
from analysis_core.lower.names.scope import Scope
from analysis_core.syntax.read import tree as syn


def functions(ctx: Lowering, name: str, caller: syn.FunctionDecl | None) -> tuple[syn.FunctionDecl, ...]:
    """The overloads of the innermost scope that declares the name before the body of `caller`.  Where its place is not known, or
    nothing is declared before it (so that something else is not seen here), those of the innermost scope."""
    first: tuple[syn.FunctionDecl, ...] = ()
    here = None if caller is None else ctx.unit.order.get(caller.name_span)
    for level in ctx.unit.function_levels(name, ctx.scope.root().namespace):
        found = tuple(d for d in level if not d.owner)
        if here is None:
            return found
        first = first or found
        seen = _declared_before(ctx, found, here)
        if seen:
            return seen
    return first


def _declared_before(
    ctx: Lowering, declarations: tuple[syn.FunctionDecl, ...], here: int
) -> tuple[syn.FunctionDecl, ...]:
    order = ctx.unit.order
    early = [d for d in declarations if order.get(d.name_span, 0) <= here]
    if not early or len(early) == len(declarations):
        return tuple(early)
    return tuple(d for d in declarations if d in early or any(_is_same(ctx, d, other) for other in early))


def _is_same(ctx: Lowering, late: syn.FunctionDecl, early: syn.FunctionDecl) -> bool:
    """Whether the later declaration may be one of the same function: its definition, or an explicit specialisation."""
    if late.specialisation is not None or late.template == ():
        return True
    if early.body is not None or len(late.parameters) != len(early.parameters):
        return False
    if late.template or early.template:
        return bool(late.template) == bool(early.template)
    with ctx.scratch(types_only=True), ctx.in_scope(Scope(None, late.scope)):
        return all(map(same, _parameters(ctx, late), _parameters(ctx, early)))


def _parameters(ctx: Lowering, declaration: syn.FunctionDecl) -> Sequence[Qualified]:
    return [resolve.decayed(resolve.qualified(ctx, p.type)).unqualified for p in declaration.parameters]
