"""Overload resolution: which of several functions of one name a call means.

A candidate is *viable* if it takes that many arguments, its template arguments can be deduced and every argument
converts to its parameter.  Each argument is ranked as in [over.ics.rank]: exact match, promotion, standard
conversion, user-defined conversion.  A candidate wins if no rank is worse and one is better; ties go to the
non-template, then to the more specialised pattern, then to the `__device__` one with a body.  The rules are those of
C++ for what kernels do; where they leave two, `choose` says so instead of guessing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from analysis_core.ir import bind_parameters, class_conversions, conversions, deduction, inline, methods
from analysis_core.ir.context import Lowering
from analysis_core.ir.scope import Binding, Scope, TypeBinding
from analysis_core.ir.types import ArrayType, OpaqueType, PointerType, ScalarKind, ScalarType, StructType, Type
from analysis_core.ir.values import Closure, FunctionName, Handle, Operand, type_of
from analysis_core.syntax import tree as syn

Bindings = Mapping[str, Binding]

EXACT, PROMOTION, CONVERSION, USER, NONE = range(5)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A viable function: its template bindings and one rank per argument."""

    declaration: syn.FunctionDecl
    bindings: Mapping[str, Binding]
    ranks: tuple[int, ...]

    @property
    def worst(self) -> int:
        return max(self.ranks, default=EXACT)


@dataclass(frozen=True, slots=True)
class Choice:
    """The result of overload resolution: `best`, or None with `ambiguous` telling apart two reasons."""

    best: Candidate | None
    ambiguous: bool = False


def choose(
    ctx: Lowering,
    declarations: Sequence[syn.FunctionDecl],
    template_args: Sequence[syn.TemplateArg] | None,
    operands: Sequence[Operand | None],
    outer: Mapping[str, Binding] | None = None,
) -> Choice:
    """The best viable function.  `outer`: what the enclosing class template binds."""
    candidates = []
    for declaration in definitions_first(declarations):
        candidate = _viable(ctx, declaration, template_args, operands, outer or {})
        if candidate is not None:
            candidates.append(candidate)
    if not candidates:
        return Choice(None)
    best = candidates[0]
    for other in candidates[1:]:
        if _better(other, best):
            best = other
    rivals = [c for c in candidates if c is not best and not _better(best, c) and not _same_function(best, c)]
    return Choice(None, ambiguous=True) if rivals else Choice(best)


def takes(declaration: syn.FunctionDecl, count: int) -> bool:
    """Whether the function can be called with `count` arguments."""
    parameters = [p for p in declaration.parameters if not p.pack]
    least = sum(p.default is None for p in parameters)
    return least <= count and (count <= len(parameters) or len(parameters) < len(declaration.parameters))


def definitions_first(declarations: Sequence[syn.FunctionDecl]) -> list[syn.FunctionDecl]:
    """Definitions before prototypes, device functions before host ones, else in source order; a definition has the
    default arguments of its prototypes.

    Explicit specialisations are found through their arguments like any overload."""
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
            return replace(definition, parameters=parameters)
    return definition


def _host_only(declaration: syn.FunctionDecl) -> bool:
    return "__device__" not in declaration.qualifiers and "__global__" not in declaration.qualifiers


def _viable(
    ctx: Lowering,
    declaration: syn.FunctionDecl,
    template_args: Sequence[syn.TemplateArg] | None,
    operands: Sequence[Operand | None],
    outer: Mapping[str, Binding],
) -> Candidate | None:
    if not takes(declaration, len(operands)):
        return None
    bindings = template_bindings(ctx, declaration, template_args, operands, outer)
    if bindings is None:
        return None
    scope = inline.function_scope(declaration, bindings)
    ranks = []
    for parameter, operand in zip(declaration.parameters, operands):
        if parameter.pack:
            break
        rank = EXACT if operand is None else _rank(ctx, parameter.type, operand, scope)
        if rank == NONE:
            return None
        ranks.append(rank)
    return Candidate(declaration, bindings, tuple(ranks))


def template_bindings(
    ctx: Lowering,
    declaration: syn.FunctionDecl,
    template_args: Sequence[syn.TemplateArg] | None,
    operands: Sequence[Operand | None],
    outer: Mapping[str, Binding],
) -> dict[str, Binding] | None:
    """What the template parameters of a function mean in one call; {} for a plain function, None if undetermined."""
    if declaration.specialisation:
        return _specialised(ctx, declaration, template_args, outer)
    if not declaration.template:
        return dict(outer) if template_args is None else None
    scope = inline.function_scope(declaration, outer)
    explicit = deduction.explicit_bindings(ctx, declaration.template, template_args or (), scope.namespace)
    return deduction.deduce(ctx, declaration.template, explicit, declaration.parameters, operands, scope)


def _specialised(
    ctx: Lowering,
    declaration: syn.FunctionDecl,
    template_args: Sequence[syn.TemplateArg] | None,
    outer: Mapping[str, Binding],
) -> dict[str, Binding] | None:
    """An explicit specialisation fits the arguments that it names; without any in the call, its parameters decide."""
    if template_args is None:
        return dict(outer)
    scope = inline.function_scope(declaration, {})
    for wanted, given in zip(declaration.specialisation or (), template_args):
        if not same_argument(ctx, wanted, scope, given, ctx.scope):
            return None
    return dict(outer)


def same_argument(
    ctx: Lowering, left: syn.TemplateArg, left_scope: Scope, right: syn.TemplateArg, right_scope: Scope
) -> bool:
    """Whether two template arguments, each in its own scope, are the same type or constant."""
    values = []
    for arg, scope in ((left, left_scope), (right, right_scope)):
        with ctx.in_scope(scope):
            values.append(deduction.argument_meaning(ctx, arg))
    first, second = values
    if isinstance(first, TypeBinding) and isinstance(second, TypeBinding):
        return conversions.same_type(first.type, second.type)
    return first is not None and first == second


# --- ranks ------------------------------------------------------------------------------------------------------


def _rank(ctx: Lowering, parameter: syn.TypeNode, operand: Operand, scope: Scope) -> int:
    if isinstance(operand, Handle | Closure | FunctionName):
        return _rank_compile_time(ctx, parameter, operand, scope)
    with ctx.in_scope(scope):
        wanted = bind_parameters.parameter_type(ctx, parameter)
    if wanted is None:
        return EXACT
    given = type_of(operand)
    if isinstance(parameter, syn.ReferenceTo):
        if isinstance(wanted, ArrayType):
            return EXACT if isinstance(given, ArrayType) else NONE
        rank = rank_types(ctx, given, wanted)
        mutable = not parameter.rvalue and "const" not in parameter.target.qualifiers
        # A reference to non-const binds to an lvalue of its own type only.
        return NONE if mutable and rank > EXACT and isinstance(given, ScalarType) and given != wanted else rank
    return rank_types(ctx, deduction.decayed(given), wanted)


def _rank_compile_time(ctx: Lowering, parameter: syn.TypeNode, operand: Operand, scope: Scope) -> int:
    """Groups fit a parameter of their own type or of a template's; functions and closures fit what is no scalar."""
    with ctx.in_scope(scope):
        wanted = bind_parameters.parameter_type(ctx, parameter)
    if wanted is None:
        return EXACT
    if isinstance(wanted, OpaqueType):
        if isinstance(operand, Handle) and wanted != operand.type:
            return CONVERSION
        return EXACT
    return NONE if isinstance(wanted, ScalarType | StructType) else CONVERSION


def rank_types(ctx: Lowering, given: Type, wanted: Type) -> int:
    """The rank of the conversion from one type to another."""
    if conversions.same_type(given, wanted) or given == wanted:
        return EXACT
    match given, wanted:
        case (OpaqueType(), _) | (_, OpaqueType()):
            return CONVERSION
        case ScalarType(), ScalarType():
            if ScalarKind.VOID in (given.kind, wanted.kind):
                return NONE
            if conversions.same_type(conversions.promote(given), wanted):
                return PROMOTION
            both_float = given.kind is wanted.kind is ScalarKind.FLOAT
            return PROMOTION if both_float and (given.size, wanted.size) == (4, 8) else CONVERSION
        case PointerType(), PointerType():
            return _rank_pointers(given, wanted)
        case PointerType(), ScalarType():
            return CONVERSION if wanted.kind is ScalarKind.BOOL else NONE
        case ScalarType(), PointerType():
            return CONVERSION if given.kind is ScalarKind.INT else NONE  # a literal 0
        case (StructType(), _) | (_, StructType()):
            return USER if class_conversions.converts(ctx, given, wanted) else NONE
        case _:
            return NONE


def _rank_pointers(given: PointerType, wanted: PointerType) -> int:
    """Adding qualifiers is (nearly) exact; `void *` takes all; a derived class goes to its base."""
    if conversions.same_target(given.target, wanted.target):
        return EXACT
    if isinstance(wanted.target, ScalarType) and wanted.target.kind is ScalarKind.VOID:
        return CONVERSION
    if isinstance(given.target, OpaqueType) or isinstance(wanted.target, OpaqueType):
        return CONVERSION
    if isinstance(given.target, StructType) and isinstance(wanted.target, StructType):
        return CONVERSION
    return NONE


def _better(left: Candidate, right: Candidate) -> bool:
    """Whether `left` is the better match."""
    pairs = list(zip(left.ranks, right.ranks))
    if any(a > b for a, b in pairs):
        return False
    if any(a < b for a, b in pairs):
        return True
    return _tie(left.declaration) > _tie(right.declaration)


def _tie(declaration: syn.FunctionDecl) -> tuple[bool, bool, bool, int, bool, bool]:
    """What decides between equal ranks, larger is better: specialisation, plain function, specialised pattern."""
    template = declaration.template or ()
    return (
        bool(declaration.specialisation),
        not template,
        not any(p.pack for p in declaration.parameters),
        deduction.pattern_detail(declaration.parameters, template),
        not _host_only(declaration),
        declaration.body is not None,
    )


def _same_function(left: Candidate, right: Candidate) -> bool:
    """Two declarations of one function (prototype and definition, the same for host and device), or two that
    differ in const only, which the analysis need not tell apart."""
    a, b = left.declaration, right.declaration
    if len(a.parameters) != len(b.parameters):
        return False
    if a.body is None or b.body is None or _host_only(a) or _host_only(b):
        return True
    return all(methods.shape(p.type) == methods.shape(q.type) for p, q in zip(a.parameters, b.parameters))
