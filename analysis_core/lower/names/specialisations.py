"""Which specialisation of a class or variable template the arguments select: of those that match the most specialised one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.types import OpaqueType, Qualified
from analysis_core.lower.context import Fit, Lowering
from analysis_core.lower.names import packs, patterns, resolve, substitutions, template_arguments
from analysis_core.lower.names.identity import is_open, same
from analysis_core.lower.names.scope import Binding, PackBinding, Scope, TemplateBinding
from analysis_core.lower.values import Value
from analysis_core.syntax.read import tree as syn

_D = TypeVar("_D", syn.RecordDef, syn.VarDecl)
_Definition = syn.RecordDef | syn.VarDecl

_UNIQUE = "a type that stands for any"
"""`OpaqueType.why` of what takes the place of a parameter when two patterns are compared."""


def select(
    ctx: Lowering, definitions: Sequence[_D], given: Sequence[Binding], home: Scope
) -> tuple[_D, Mapping[str, Binding] | None] | None:
    """The definition for these arguments with what its own parameters mean (None: the primary's are those of the arguments);
    None if it is not decided.  `home`: the scope of the template."""
    matching: list[tuple[_D, Mapping[str, Binding]]] = []
    is_unsure = False
    primary = next((d for d in definitions if d.specialisation is None), definitions[0])
    for definition in definitions:
        if definition.specialisation is None:
            continue
        fit, bindings = matched(ctx, definition, primary, given, home)
        is_unsure |= fit is Fit.OPEN
        if fit is Fit.YES:
            matching.append((definition, bindings))
    if is_unsure:
        return (primary, None) if not matching and _taken_for_any(ctx, given) else None
    if not matching:
        return primary, None
    return _most_special(ctx, matching, home)


def _taken_for_any(ctx: Lowering, given: Sequence[Binding]) -> bool:
    """A type that is not known is taken for one that nothing is specialised for, which is said."""
    opened = [b.type for b in given if isinstance(b, Qualified) and is_open(b.type)]
    for type in opened:
        name = type.name if isinstance(type, OpaqueType) else "a type that is not known"
        ctx.assume(f"`{name}` is a type that templates are not specialised for")
    return bool(opened)


def _most_special(
    ctx: Lowering, matching: Sequence[tuple[_D, Mapping[str, Binding]]], home: Scope
) -> tuple[_D, Mapping[str, Binding]] | None:
    best = matching[0]
    for other in matching[1:]:
        if more_special(ctx, other[0], best[0], home):
            best = other
    rivals = [m for m in matching if m is not best and not more_special(ctx, best[0], m[0], home)]
    # Of two that are spelled alike the last one counts: it is the definition behind a declaration.
    return None if any(r[0].specialisation != best[0].specialisation for r in rivals) else best


def matched(
    ctx: Lowering, definition: _Definition, primary: _Definition, given: Sequence[Binding], home: Scope
) -> tuple[Fit, Mapping[str, Binding]]:
    """Whether the arguments match a specialisation's, and what its parameters mean then."""
    namespace = definition.scope
    m = patterns.Matching(
        patterns.free_parameters(definition.template), Scope(None, namespace, dict(home.bindings)), {}
    )
    written = definition.specialisation or ()
    left_out = len(written) < len(primary.template or ()) and not any(patterns.is_expansion(m, a) for a in written)
    fits = patterns.match_arguments(ctx, m, written, given[: len(written)] if left_out else given)
    if not fits or (left_out and not patterns.are_defaults(ctx, primary, given, len(written))):
        return (Fit.OPEN if m.unsure else Fit.NO), {}
    for parameter in definition.template or ():
        if parameter.pack and parameter.name is not None:
            m.found.setdefault(parameter.name, PackBinding(()))
    scope = Scope(None, namespace, {**home.bindings, **m.found})
    answer = (
        substitutions.constraints(ctx, scope, definition.requires) if isinstance(definition, syn.RecordDef) else Fit.YES
    )
    for pattern, actual in m.later:
        answer = substitutions.both(answer, _agrees(ctx, scope, pattern, actual))
    return answer, m.found


def _agrees(ctx: Lowering, scope: Scope, pattern: syn.TypeNode, actual: Qualified) -> Fit:
    """Whether a pattern that deduces nothing means that type once its names are known."""
    found: list[Qualified] = []
    fit = substitutions.tried(ctx, scope, lambda: found.append(resolve.qualified(ctx, pattern)))
    if fit is not Fit.YES:
        return fit
    if same(found[0], actual):
        return Fit.YES
    return Fit.OPEN if is_open(found[0].type) or is_open(actual.type) else Fit.NO


# --- which of two is more special -------------------------------------------------------------------------------


def more_special(
    ctx: Lowering, left: syn.RecordDef | syn.VarDecl, right: syn.RecordDef | syn.VarDecl, home: Scope
) -> bool:
    """Whether everything that `left` matches `right` matches too, and not the other way round ([temp.class.order])."""
    return _covers(ctx, right, left, home) and not _covers(ctx, left, right, home)


def _covers(
    ctx: Lowering, general: syn.RecordDef | syn.VarDecl, special: syn.RecordDef | syn.VarDecl, home: Scope
) -> bool:
    bindings = {**home.bindings, **unique_bindings(special.template or ())}
    given: list[Binding] = []
    with ctx.scratch(), ctx.in_scope(Scope(None, special.scope, bindings)):
        for arg in special.specialisation or ():
            given.extend(unique_argument(ctx, arg))
        m = patterns.Matching(
            patterns.free_parameters(general.template), Scope(None, general.scope, dict(home.bindings))
        )
        return patterns.match_arguments(ctx, m, general.specialisation or (), given)


def unique_bindings(template: Sequence[syn.TemplateParameter]) -> dict[str, Binding]:
    """A type, constant or template of its own for each parameter, which nothing else is equal to."""
    found: dict[str, Binding] = {}
    for position, parameter in enumerate(template):
        if parameter.name is not None:
            unique = unique_binding(parameter, position)
            found[parameter.name] = PackBinding((unique,)) if parameter.pack else unique
    return found


def unique_binding(parameter: syn.TemplateParameter, position: int) -> Qualified | TemplateBinding | Value:
    if parameter.template:
        return TemplateBinding(f"(any {position})")
    if parameter.type is None:
        return Qualified(OpaqueType(f"(any {position})", f"library: {_UNIQUE}"))
    return Value(Const(-(2**40) - position, SIZE_T), SIZE_T)


def unique_argument(ctx: Lowering, arg: syn.TemplateArg) -> list[Binding]:
    """What an argument of a specialisation is in the present scope, of which one element stands for each pack."""
    pack = isinstance(arg, syn.Expansion) or (isinstance(arg, syn.TypeNode) and arg.pack)
    inner: syn.TemplateArg = replace(arg, pack=False) if isinstance(arg, syn.TypeNode) else arg
    found: list[Binding] = []
    for each in packs.expanded_arguments(ctx, [arg] if pack else [inner]):
        found.append(template_arguments.meaning(ctx, each) if isinstance(each, syn.Node) else each)
    return found
