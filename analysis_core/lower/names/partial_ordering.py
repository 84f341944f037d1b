"""Which of two function templates is the more specialised one ([temp.func.order], [temp.deduct.partial])."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.types import Qualified
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import packs, patterns, resolve, specialisations
from analysis_core.lower.names.scope import Scope, join
from analysis_core.syntax.read import tree as syn


def more_special(ctx: Lowering, left: syn.FunctionDecl, right: syn.FunctionDecl, count: int) -> bool:
    """Whether `left` is the more specialised template for a call with `count` arguments."""
    mine, theirs = _covers(ctx, right, left, count), _covers(ctx, left, right, count)
    if mine != theirs:
        return mine
    if not mine:
        return False
    better, worse = _finer(left, right, count), _finer(right, left, count)
    if better != worse:
        return better
    if better:
        return False
    packed = [any(p.pack for p in d.parameters) for d in (left, right)]
    if packed[0] != packed[1]:
        return packed[1]
    return bool(left.requires) and not right.requires


def _covers(ctx: Lowering, general: syn.FunctionDecl, special: syn.FunctionDecl, count: int) -> bool:
    """Whether all that `special` takes can be deduced for `general`."""
    inside = join(special.scope, special.owner)
    unique = specialisations.unique_bindings(special.template or ())
    free = patterns.free_parameters(general.template)
    around = {name: of for name, of in ctx.scope.root().bindings.items() if name not in unique}
    m = patterns.Matching(free, Scope(None, inside, around))
    with ctx.scratch(), ctx.in_scope(Scope(None, inside, {**around, **unique})):
        given = _types(ctx, special, count)
        for position, parameter in enumerate(general.parameters[: max(count, 1)]):
            pattern = _stripped(parameter.type)
            if parameter.pack:
                rest = [_value(type) for type, _ in given[position:]]
                return patterns.match_pack(ctx, m, pattern, rest)
            if position >= len(given):
                break
            type, is_pack = given[position]
            if is_pack or not patterns.match(ctx, m, pattern, _value(type)):
                return False
    return True


def _types(ctx: Lowering, declaration: syn.FunctionDecl, count: int) -> list[tuple[Qualified, bool]]:
    """The parameters' types, of which one stands for a pack; packs are marked."""
    found: list[tuple[Qualified, bool]] = []
    for parameter in declaration.parameters[: max(count, 1)]:
        if parameter.pack:
            for scope in packs.elementwise(ctx, parameter.type):
                with ctx.in_scope(scope):
                    found.append((resolve.decayed(resolve.qualified(ctx, parameter.type)), True))
        else:
            found.append((resolve.decayed(resolve.qualified(ctx, parameter.type)), False))
    return found


def _value(type: Qualified) -> Qualified:
    return type.value.unqualified


def _stripped(pattern: syn.TypeNode) -> syn.TypeNode:
    """A parameter's type without reference and qualifiers of its own."""
    if isinstance(pattern, syn.ReferenceTo):
        pattern = pattern.target
    elif isinstance(pattern, syn.ArrayOf):
        pattern = syn.PointerTo(span=pattern.span, target=pattern.element)
    return replace(pattern, qualifiers=frozenset()) if pattern.qualifiers else pattern


def _finer(left: syn.FunctionDecl, right: syn.FunctionDecl, count: int) -> bool:
    """Of parameters that cover each other: `T &` before `T &&`, more qualifiers before fewer."""
    for mine, theirs in zip(left.parameters[:count], right.parameters[:count]):
        a, b = mine.type, theirs.type
        if not isinstance(a, syn.ReferenceTo) or not isinstance(b, syn.ReferenceTo):
            continue
        if not a.rvalue and b.rvalue:
            return True
        kept = frozenset({"const", "volatile"})
        if a.rvalue == b.rvalue and a.target.qualifiers & kept > b.target.qualifiers & kept:
            return True
    return False
