"""Overload resolution: which of several functions of one name a call means.

A candidate is *viable* if it takes that many arguments, its template arguments can be deduced, what they are put into is well-formed
(`substitutions`) and every argument converts to its parameter (`ranking`).  A candidate wins if no conversion is worse and one is
better; ties go to the non-template, then to the more specialised template, then to the `__device__` one with a body.  Then the
explicit specialisation of the chosen template is taken, if there is one for its arguments.  Where the rules leave two, or what is
not visible might decide, `choose` says so instead of guessing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis_core.ir.types import OpaqueType, Qualified, ScalarType, StructType, Type
from analysis_core.lower.context import Fit, Lowering
from analysis_core.lower.names import (
    deduction,
    expression_types,
    partial_ordering,
    patterns,
    ranking,
    resolve,
    substitutions,
)
from analysis_core.lower.names.identity import binding_key, qualified_key, same_binding
from analysis_core.lower.names.ranks import CONVERSION, ELLIPSIS, EXACT, NONE, PROMOTION, USER, Conversion, better
from analysis_core.lower.names.scope import Binding, PackBinding, Scope
from analysis_core.lower.objects import methods
from analysis_core.lower.statements import inline
from analysis_core.lower.values import Closure, FunctionName, Handle, Operand, Value
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass

__all__ = ["CONVERSION", "ELLIPSIS", "EXACT", "NONE", "PROMOTION", "USER", "Bindings", "Candidate", "Choice", "choose"]

Bindings = Mapping[str, Binding]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A viable function: its template bindings and one conversion per argument, that of the object first where it has one."""

    declaration: syn.FunctionDecl
    bindings: Mapping[str, Binding]
    conversions: tuple[Conversion, ...]
    fit: Fit = Fit.YES

    @property
    def worst(self) -> int:
        return max((c.rank for c in self.conversions), default=EXACT)


@dataclass(frozen=True, slots=True)
class Choice:
    """The result of overload resolution: `best`, or None with `ambiguous` telling apart two reasons."""

    best: Candidate | None
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A call to resolve: the template arguments in angle brackets, the arguments with the expressions that denote them
    (if known), the arguments of the enclosing class template, and the object's type with its value category."""

    template_args: Sequence[syn.TemplateArg | Binding] | None
    operands: Sequence[Operand | None]
    nodes: Sequence[syn.Node] | None
    outer: Mapping[str, Binding]
    this: Qualified | None
    friends: Mapping[int, Mapping[str, Binding]] | None = None

    def outer_of(self, declaration: syn.FunctionDecl) -> Mapping[str, Binding]:
        """The template arguments of the class that declares the function, or that has it for a friend."""
        return self.outer if self.friends is None else self.friends.get(id(declaration), self.outer)


def choose(
    ctx: Lowering,
    declarations: Sequence[syn.FunctionDecl],
    template_args: Sequence[syn.TemplateArg | Binding] | None,
    operands: Sequence[Operand | None],
    outer: Mapping[str, Binding] | None = None,
    nodes: Sequence[syn.Node] | None = None,
    this: Qualified | None = None,
    friends: Mapping[int, Mapping[str, Binding]] | None = None,
) -> Choice:
    """The best viable function.  `outer`: what the enclosing class template binds; `friends`: what those of friends do."""
    asked = Asked(template_args, operands, nodes, outer or {}, this, friends)
    ordered = definitions_first(declarations)
    special = [d for d in ordered if _is_explicit(d)]
    primary = [d for d in ordered if not _is_explicit(d)]
    found = _candidates(ctx, primary or special, asked)
    if not found:
        return Choice(None)
    best = found[0]
    for other in found[1:]:
        if _better(ctx, other, best, len(operands)):
            best = other
    rivals = [
        c for c in found if c is not best and not _better(ctx, best, c, len(operands)) and not _same(ctx, best, c)
    ]
    open_ones = [c for c in found if c.fit is Fit.OPEN]
    if (
        rivals
        or (best.fit is Fit.OPEN and len(found) > 1)
        or any(_better(ctx, c, best, len(operands)) for c in open_ones)
    ):
        return Choice(None, ambiguous=True)
    return Choice(_specialised(ctx, best, primary, special))


def _candidates(ctx: Lowering, declarations: Sequence[syn.FunctionDecl], asked: Asked) -> list[Candidate]:
    """The viable functions; if there is none, those that only lack a qualifier: the program compiles, so that one was lost here."""
    takers = [d for d in declarations if takes(d, len(asked.operands))]
    for strict in (True, False):
        found = []
        for declaration in takers:
            candidate = _viable(ctx, declaration, asked, strict, alone=len(takers) == 1)
            if candidate is not None:
                found.append(candidate)
        if found or ctx.substitution is not None:
            return found
    return []


def takes(declaration: syn.FunctionDecl, count: int) -> bool:
    """Whether the function can be called with `count` arguments."""
    parameters = [p for p in declaration.parameters if not p.pack]
    least = sum(p.default is None for p in parameters)
    more = len(parameters) < len(declaration.parameters) or "..." in declaration.qualifiers
    return least <= count and (count <= len(parameters) or more)


def definitions_first(declarations: Sequence[syn.FunctionDecl]) -> list[syn.FunctionDecl]:
    """Definitions before prototypes, device functions before host ones, else in source order; a definition has the
    default arguments of its prototypes."""
    prototypes = [d for d in declarations if d.body is None]
    merged = [d if d.body is None else with_defaults(d, prototypes) for d in declarations]
    return sorted(merged, key=lambda d: (d.body is None, _host_only(d)))


def with_defaults(definition: syn.FunctionDecl, prototypes: Sequence[syn.FunctionDecl]) -> syn.FunctionDecl:
    """The definition with the default arguments that an earlier declaration of it gives."""
    for prototype in prototypes:
        given = [p.default for p in prototype.parameters]
        same = [methods.shape(p.type) for p in prototype.parameters] == [
            methods.shape(p.type) for p in definition.parameters
        ]
        if same and any(default is not None for default in given):
            parameters = tuple(
                replace(mine, default=mine.default or default) for mine, default in zip(definition.parameters, given)
            )
            definition = replace(definition, parameters=parameters)
        if same and prototype.template and definition.template and prototype.specialisation is None:
            definition = _with_template_defaults(definition, prototype.template)
    return definition


def _with_template_defaults(
    definition: syn.FunctionDecl, template: Sequence[syn.TemplateParameter]
) -> syn.FunctionDecl:
    mine = definition.template or ()
    if len(mine) != len(template) or all(p.default is None for p in template):
        return definition
    merged = tuple(replace(m, default=m.default or t.default) for m, t in zip(mine, template))
    return replace(definition, template=merged)


def _host_only(declaration: syn.FunctionDecl) -> bool:
    return "__device__" not in declaration.qualifiers and "__global__" not in declaration.qualifiers


def _is_explicit(declaration: syn.FunctionDecl) -> bool:
    """Whether it is an explicit specialisation (`template <> ..`), which is not found by overload resolution."""
    return declaration.specialisation is not None or declaration.template == ()


def _viable(ctx: Lowering, declaration: syn.FunctionDecl, asked: Asked, strict: bool, alone: bool) -> Candidate | None:
    fit = Fit.YES
    if declaration.template and (not alone or ctx.substitution is not None):
        fit = _fits(ctx, declaration, asked)
        if fit is Fit.NO:
            return None
    outer = asked.outer_of(declaration)
    bindings = template_bindings(ctx, declaration, asked.template_args, asked.operands, outer, asked.nodes)
    if bindings is None:
        return None
    scope = inline.function_scope(declaration, bindings)
    found: list[Conversion] = []
    if asked.this is not None:
        implicit = _object(ctx, declaration, asked.this, strict)
        if implicit is None:
            return None
        found.append(implicit)
    for position, operand in enumerate(asked.operands):
        node = None if asked.nodes is None else asked.nodes[position]
        conversion = _conversion(ctx, declaration, position, operand, node, scope, strict)
        if conversion is None:
            return None
        found.append(conversion)
    return Candidate(declaration, bindings, tuple(found), fit)


def _fits(ctx: Lowering, declaration: syn.FunctionDecl, asked: Asked) -> Fit:
    """Whether deduced arguments make a well-formed function: parameters, result, value parameters' types, constraints."""
    found: list[dict[str, Binding] | None] = []

    def read() -> None:
        args, outer, nodes = asked.template_args, asked.outer_of(declaration), asked.nodes
        found.append(template_bindings(ctx, declaration, args, asked.operands, outer, nodes))
        if found[0] is not None:
            with ctx.in_scope(inline.function_scope(declaration, found[0])):
                _put_in(ctx, declaration, asked.operands)

    fit = substitutions.tried(ctx, ctx.scope, read)
    if not found or found[0] is None:
        return Fit.NO
    scope = inline.function_scope(declaration, found[0])
    if fit is Fit.NO or not declaration.requires:
        return fit
    return substitutions.both(fit, substitutions.constraints(ctx, scope, declaration.requires))


def _put_in(ctx: Lowering, declaration: syn.FunctionDecl, operands: Sequence[Operand | None]) -> None:
    for parameter in declaration.template or ():
        if parameter.type is not None:
            resolve.resolve_type(ctx, parameter.type)
    for function_parameter in declaration.parameters:
        if not function_parameter.pack:
            resolve.resolve_type(ctx, function_parameter.type)
    if not _is_deduced(declaration.result):
        with substitutions.parameters_bound(ctx, declaration.parameters, operands):
            resolve.resolve_type(ctx, declaration.result)


def _is_deduced(result: syn.TypeNode) -> bool:
    """Whether the result is `auto` in some form, or that of a constructor."""
    while isinstance(result, syn.PointerTo | syn.ReferenceTo):
        result = result.target
    return isinstance(result, syn.NamedType) and result.name in ("auto", "?", "", "decltype") and result.operand is None


def template_bindings(
    ctx: Lowering,
    declaration: syn.FunctionDecl,
    template_args: Sequence[syn.TemplateArg | Binding] | None,
    operands: Sequence[Operand | None],
    outer: Mapping[str, Binding],
    nodes: Sequence[syn.Node] | None = None,
) -> dict[str, Binding] | None:
    """What the template parameters of a function mean in one call; {} for a plain function, None if undetermined."""
    if _is_explicit(declaration):
        return dict(outer)
    if not declaration.template:
        return dict(outer) if template_args is None else None
    scope = inline.function_scope(declaration, outer)
    explicit = deduction.explicit_bindings(ctx, declaration.template, template_args or (), scope.namespace)
    if any(p.type is None and isinstance(explicit.get(p.name or ""), Value) for p in declaration.template):
        return None  # a number is no type
    return deduction.deduce(ctx, declaration.template, explicit, declaration.parameters, operands, scope, nodes)


# --- conversions ------------------------------------------------------------------------------------------------


def _conversion(
    ctx: Lowering,
    declaration: syn.FunctionDecl,
    position: int,
    operand: Operand | None,
    node: syn.Node | None,
    scope: Scope,
    strict: bool,
) -> Conversion | None:
    parameters = declaration.parameters
    if position >= len(parameters) and not (parameters and parameters[-1].pack):
        return Conversion(ELLIPSIS)
    parameter = parameters[min(position, len(parameters) - 1)]
    if operand is None or parameter.pack:
        return Conversion(EXACT)
    if isinstance(parameter.type, syn.NamedType) and parameter.type.name == "auto":
        return Conversion(EXACT)
    with ctx.in_scope(scope):
        wanted = resolve.decayed(resolve.qualified(ctx, parameter.type))
    if isinstance(operand, Handle | Closure | FunctionName):
        rank = _rank_compile_time(operand, wanted.type)
        return None if rank == NONE else Conversion(rank)
    if isinstance(wanted.type, OpaqueType) and wanted.type.name == "auto":
        return Conversion(EXACT)
    given = expression_types.given_type(ctx, operand, node)
    if not wanted.reference:
        wanted = wanted.unqualified
    return ranking.convert(ctx, given, wanted, ranking.is_null(operand), strict)


def _rank_compile_time(operand: Handle | Closure | FunctionName, wanted: Type) -> int:
    """Groups fit a parameter of their own type or of a template's; functions and closures fit what is no scalar."""
    if isinstance(wanted, OpaqueType):
        if isinstance(operand, Handle) and wanted != operand.type:
            return CONVERSION
        return EXACT
    return NONE if isinstance(wanted, ScalarType | StructType) else CONVERSION


def _object(ctx: Lowering, declaration: syn.FunctionDecl, this: Qualified, strict: bool) -> Conversion | None:
    """The conversion of the object to what a member function is called on; a static one takes any."""
    words = declaration.qualifiers
    if "static" in words:
        return Conversion(EXACT, "&", implicit=True)
    const, volatile = "const" in words, "volatile" in words
    if strict and (this.const > const or this.volatile > volatile):
        return None
    rvalue = this.reference != "&"
    if strict and (("&&" in words and not rvalue) or ("&" in words and rvalue and not const)):
        return None
    plain = not words & {"&", "&&"}
    return Conversion(
        EXACT, "&&" if "&&" in words else "&", ((const, volatile),), const > this.const, rvalue=rvalue, implicit=plain
    )


def rank_types(ctx: Lowering, given: Type, wanted: Type) -> int:
    """The rank of the conversion from one type to another."""
    found = ranking.convert(ctx, Qualified(given), Qualified(wanted), strict=False)
    return NONE if found is None else found.rank


# --- which is better --------------------------------------------------------------------------------------------


def _better(ctx: Lowering, left: Candidate, right: Candidate, count: int) -> bool:
    """Whether `left` is the better match."""
    votes = [better(a, b) for a, b in zip(left.conversions, right.conversions)]
    if any(vote > 0 for vote in votes):
        return False
    if any(vote < 0 for vote in votes):
        return True
    mine, theirs = left.declaration, right.declaration
    if bool(mine.template) != bool(theirs.template):
        return not mine.template
    if mine.template and theirs.template:
        with ctx.in_scope(inline.function_scope(mine, left.bindings)):
            if partial_ordering.more_special(ctx, mine, theirs, count):
                return True
            if partial_ordering.more_special(ctx, theirs, mine, count):
                return False
    return False


def _same(ctx: Lowering, left: Candidate, right: Candidate) -> bool:
    """Two declarations of one function: a prototype and its definition, the same for host and device."""
    a, b = left.declaration, right.declaration
    if len(a.parameters) != len(b.parameters) or a.qualifiers & _OF_THIS != b.qualifiers & _OF_THIS:
        return False
    if _signature(ctx, left) == _signature(ctx, right):
        return True
    # A prototype spelled in other words: two functions between which a call does not choose do not compile.
    spelled = [[methods.shape(p.type) for p in d.parameters] for d in (a, b)]
    return (a.body is None or b.body is None) and spelled[0] == spelled[1]


_OF_THIS = frozenset({"const", "volatile", "&", "&&"})


def _signature(ctx: Lowering, candidate: Candidate) -> tuple[object, ...]:
    scope = inline.function_scope(candidate.declaration, candidate.bindings)
    found: list[object] = [bool(candidate.declaration.template)]
    with ctx.in_scope(scope):
        for parameter in candidate.declaration.parameters:
            if not parameter.pack:
                type = resolve.decayed(resolve.qualified(ctx, parameter.type))
                found.append(qualified_key(type if type.reference else type.unqualified))
    return tuple(found)


# --- explicit specialisations -----------------------------------------------------------------------------------


def _specialised(
    ctx: Lowering, best: Candidate, primary: Sequence[syn.FunctionDecl], special: Sequence[syn.FunctionDecl]
) -> Candidate:
    """The explicit specialisation of the chosen template for its arguments, or the template itself."""
    if not best.declaration.template:
        return best
    for declaration in special:
        arguments = _arguments_of(ctx, best.declaration, declaration, best.bindings)
        if arguments is None or _owner(ctx, declaration, primary, best) is not best.declaration:
            continue
        names = [p.name or f"(parameter {i})" for i, p in enumerate(best.declaration.template)]
        if all(_same_argument(arguments.get(name), best.bindings.get(name)) for name in names):
            outer = {name: bound for name, bound in best.bindings.items() if name not in names}
            return replace(best, declaration=declaration, bindings=outer)
    return best


def _same_argument(left: Binding | None, right: Binding | None) -> bool:
    if left is None or right is None:
        return left is right
    if isinstance(left, PackBinding) and isinstance(right, PackBinding):
        return binding_key(left) == binding_key(right)
    return same_binding(left, right)


def _arguments_of(
    ctx: Lowering, template: syn.FunctionDecl, special: syn.FunctionDecl, bindings: Mapping[str, Binding]
) -> dict[str, Binding] | None:
    """The arguments that a specialisation of the template is for; None if it is none of it."""
    if len(template.parameters) != len(special.parameters):
        return None
    scope = inline.function_scope(special, {})
    parameters = template.template or ()
    with ctx.scratch(), ctx.in_scope(scope):
        explicit = deduction.explicit_bindings(ctx, parameters, special.specialisation or (), scope.namespace)
        m = patterns.Matching(patterns.free_parameters(parameters), scope, dict(explicit))
        for mine, theirs in zip(template.parameters, special.parameters):
            if mine.pack or not patterns.match(ctx, m, mine.type, resolve.qualified(ctx, theirs.type)):
                return None
        if patterns.mentions(template.result, m.free):  # `template <> int2 zero()` of `template <class T> T zero()`
            if not patterns.match(ctx, m, template.result, resolve.qualified(ctx, special.result)):
                return None
        return deduction.with_defaults(ctx, parameters, m.found, scope)


def _owner(
    ctx: Lowering, special: syn.FunctionDecl, primary: Sequence[syn.FunctionDecl], best: Candidate
) -> syn.FunctionDecl | None:
    """The template that a specialisation belongs to: the most specialised one of those declared before it."""
    before = [
        d
        for d in primary
        if d.template
        and (d.span.file != special.span.file or d.span.start < special.span.start)
        and _arguments_of(ctx, d, special, best.bindings) is not None
    ]
    if best.declaration not in before:
        return None
    owner = best.declaration
    count = len(special.parameters)
    for other in before:
        if other is not owner and partial_ordering.more_special(ctx, other, owner, count):
            owner = other
    return owner
