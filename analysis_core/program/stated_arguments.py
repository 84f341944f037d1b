"""Template arguments of kernels that nothing in view says: what stands for them is stated as an assumption.

static_assert(N == 80 || N == 96);              `N` is taken to be 80, which `static_assert(N == 80 || N == 96)` allows
first<256><<<n, 256>>>(p);                      `BLOCK` of another kernel is taken to be 256, as in a launch of `first`

Parameters are asked in order, and for each of them candidates in this order, of which the first is taken that no `static_assert` refuses:

1. for a kernel that is launched nowhere, arguments of others' parameters of the same name and kind, in the order of their launches
2. what a `static_assert` compares the parameter with by `==`, and types that it names
3. 32, 64, 128, 256, 1, 2, 4, 8, 16, 512, 1024, and then multiples of 12; float, __half, __nv_bfloat16, double, int, and unsigned char
4. other numbers in a `static_assert`, ascending; 0

A parameter that no `static_assert` decides and no other kernel has stays open, and so do all of them where no combination that was tried fits.
A type that only holds values is float unless a `static_assert` refuses that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from analysis_core.ir import constants
from analysis_core.ir.literals import literal
from analysis_core.ir.nodes import Const
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import LAUNCHED_WITH, OpaqueType, Qualified, ScalarKind, ScalarType
from analysis_core.lower.context import Frame, Instance, Lowering
from analysis_core.lower.names import resolve, stated_types
from analysis_core.lower.names.instance_names import argument_text
from analysis_core.lower.names.scope import Binding, Scope, TypeBinding, Unit
from analysis_core.lower.statements import lower_expressions, parameters
from analysis_core.lower.values import Value
from analysis_core.program.launches import FoundLaunch
from analysis_core.support.facts import Assumption
from analysis_core.support.fuel import LOWERING, Fuel, OutOfFuel
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass

_NUMBERS = (32, 64, 128, 256, 1, 2, 4, 8, 16, 512, 1024, 96, 192, 384, 12, 24, 48)
_TYPES = ("float", "__half", "__nv_bfloat16", "double", "int", "unsigned char")
_TRIALS = 256
"""Combinations that are held against the assertions."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """One argument; `like`: the kernel that is launched with it, "" where it comes from elsewhere."""

    binding: Binding
    like: str = ""


@dataclass(slots=True)
class _Search:
    """`asserted`: conditions with the template parameters that each rests on; `left`: trials."""

    ctx: Lowering
    kernel: syn.FunctionDecl
    given: Mapping[str, Binding]
    asserted: Sequence[tuple[syn.Expr, frozenset[str]]]
    left: int = _TRIALS


def stated_arguments(
    unit: Unit, kernel: syn.FunctionDecl, instance: Instance, found: Sequence[FoundLaunch]
) -> Instance:
    """The instance with what is taken for parameters that it leaves open, each with its assumption; the same if nothing speaks of them."""
    template = kernel.template or ()
    asked = [p for p in template if _is_open(p, instance.bindings)]
    known = {p.name or "": [] if instance.launches else _launched_with(kernel, p, found) for p in asked}
    if not asked or not (kernel.asserted or kernel.requires or any(known.values())):
        return instance
    ctx = Lowering(unit, Frame("", kernel, Scope()), Scope())
    ctx.fuel = Fuel.of_reading(LOWERING, unit.settings)
    for launch in found:
        ctx.instances.update(launch.instances)
    search = _Search(ctx, kernel, instance.bindings, _asserted(kernel))
    try:
        with ctx.scratch():
            wanted = [(p, tuple(_candidates(search, p, known[p.name or ""]))) for p in asked]
            chosen = _chosen(search, [(p, some) for p, some in wanted if some], {})
            return _with(search, instance, template, chosen or {})
    except (OutOfFuel, RecursionError):
        return instance


def _is_open(parameter: syn.TemplateParameter, bound: Mapping[str, Binding]) -> bool:
    """Whether nothing says what a parameter is."""
    said = parameter.name is None or parameter.name in bound or parameter.default is not None
    return not (said or parameter.pack or parameter.template)


def _launched_with(
    kernel: syn.FunctionDecl, parameter: syn.TemplateParameter, found: Sequence[FoundLaunch]
) -> list[_Candidate]:
    """What other kernels are launched with for a parameter of this name and kind."""
    candidates: dict[str, _Candidate] = {}
    for launch in found:
        bound = (launch.partly if launch.bindings is None else launch.bindings).get(parameter.name or "")
        if bound is None or launch.kernel is kernel or (launch.site is not None and launch.site.dead):
            continue
        if any(p.name == parameter.name and _is_alike(p, parameter) for p in launch.kernel.template or ()):
            candidates.setdefault(argument_text(bound), _Candidate(bound, launch.kernel.name))
    return list(candidates.values())


def _is_alike(one: syn.TemplateParameter, other: syn.TemplateParameter) -> bool:
    """Whether two parameters take the same kind of argument."""
    if one.pack or one.template or one.type is None or other.type is None:
        return not (one.pack or one.template) and one.type is None and other.type is None
    return spelling(one.type) == spelling(other.type)


# --- what is asserted ---------------------------------------------------------------------------------------------


def _asserted(kernel: syn.FunctionDecl) -> list[tuple[syn.Expr, frozenset[str]]]:
    """What a kernel asserts, with the template parameters that each condition rests on, through constants of the body too."""
    names = {p.name for p in kernel.template or () if p.name is not None}
    rests: dict[str, frozenset[str]] = {name: frozenset((name,)) for name in names}
    for declared in _constants(kernel):
        within = declared.init if isinstance(declared, syn.VarDecl) else declared.type
        if within is not None:
            rests[declared.name] = _named(within, rests)
    return [(condition, _named(condition, rests)) for condition in (*kernel.requires, *kernel.asserted)]


def _named(node: syn.Node, rests: Mapping[str, frozenset[str]]) -> frozenset[str]:
    named = [n.name.partition("::")[0] for n in inside(node) if isinstance(n, syn.Name | syn.NamedType)]
    return frozenset().union(*(rests.get(name, frozenset()) for name in named))


def _constants(kernel: syn.FunctionDecl) -> Iterator[syn.VarDecl | syn.TypeAlias]:
    """The constants and aliases that stand in the body itself."""
    for statement in () if kernel.body is None else kernel.body.body:
        for declared in statement.declarations if isinstance(statement, syn.DeclStmt) else ():
            if isinstance(declared, syn.TypeAlias) and declared.template is None:
                yield declared
            elif isinstance(declared, syn.VarDecl) and declared.init is not None:
                if "constexpr" in declared.storage or "const" in declared.type.qualifiers:
                    yield declared


def _answers(search: _Search, bindings: Mapping[str, Binding]) -> list[bool | None]:
    """Whether each condition holds under these arguments; None where that is not known."""
    ctx, kernel = search.ctx, search.kernel
    scope = Scope(None, ctx.unit.body_scope(kernel), {**search.given, **bindings})
    with ctx.scratch(), ctx.in_scope(scope):
        parameters.bind_opaque_template(ctx, kernel)
        for declared in _constants(kernel):
            _bind(ctx, scope, declared)
        found = [lower_expressions.constant(ctx, condition) for condition, _ in search.asserted]
    return [None if one is None else bool(one.value) for one in found]


def _bind(ctx: Lowering, scope: Scope, declared: syn.VarDecl | syn.TypeAlias) -> None:
    if isinstance(declared, syn.TypeAlias):
        scope.bind(declared.name, resolve.qualified(ctx, declared.type))
        return
    value = None if declared.init is None else lower_expressions.constant(ctx, declared.init)
    type = resolve.resolve_type(ctx, declared.type)
    if value is not None:
        value = (constants.constant(value.value, type) if isinstance(type, ScalarType) else None) or value
        scope.bind(declared.name, Value(value, value.type))


# --- candidates ---------------------------------------------------------------------------------------------------


def _candidates(search: _Search, parameter: syn.TemplateParameter, known: list[_Candidate]) -> Iterator[_Candidate]:
    """What a parameter may stand for, the best first; none where it stays as it is."""
    ctx, name = search.ctx, parameter.name or ""
    asserted = [condition for condition, rests in search.asserted if name in rests]
    if parameter.type is None:
        usual = stated_types.argument(ctx, search.kernel, parameter)
        if usual is not None:
            yield from (_Candidate(Qualified(usual)),) if asserted else ()
        yield from known if usual is None or asserted else ()
        yield from _types(ctx, name, asserted)
        return
    yield from known
    type = resolve.resolve_type(ctx, parameter.type)
    if not asserted or not isinstance(type, ScalarType) or type.kind in (ScalarKind.VOID, ScalarKind.FLOAT):
        return
    equal, others = _equal_to(ctx, name, asserted), _numbers(asserted)
    for number in dict.fromkeys((*equal, *_NUMBERS, *others, 0)):
        value = constants.constant(number, type)
        if value is not None and value.value == number:
            yield _Candidate(Value(value, value.type))


def _types(ctx: Lowering, name: str, asserted: Sequence[syn.Expr]) -> Iterator[_Candidate]:
    """The types that conditions name, and common ones."""
    named = [n for one in asserted for n in inside(one) if isinstance(n, syn.NamedType) and n.name != name]
    usual = [syn.NamedType(span=one.span, name=word) for one in asserted[:1] for word in _TYPES]
    for node in (*named, *usual):
        type = resolve.resolve_type(ctx, node)
        if not isinstance(type, OpaqueType):
            yield _Candidate(TypeBinding(type))


def _equal_to(ctx: Lowering, name: str, asserted: Sequence[syn.Expr]) -> list[int]:
    """The constants that conditions compare a parameter with by `==`, the least first."""
    found: list[Const | None] = []
    for node in (n for one in asserted for n in inside(one)):
        if isinstance(node, syn.Binary) and node.op == "==":
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(side, syn.Name) and side.name == name:
                    found.append(lower_expressions.constant(ctx, other))
    return sorted(one.value for one in found if one is not None and isinstance(one.value, int))


def _numbers(asserted: Sequence[syn.Expr]) -> list[int]:
    """The positive numbers in conditions, ascending."""
    literals = (n for one in asserted for n in inside(one) if isinstance(n, syn.Literal))
    values = (literal(one) for one in literals)
    return sorted(one.value for one in values if one is not None and isinstance(one.value, int) and one.value > 0)


# --- the choice ---------------------------------------------------------------------------------------------------


def _chosen(
    search: _Search,
    wanted: Sequence[tuple[syn.TemplateParameter, Sequence[_Candidate]]],
    before: Mapping[str, _Candidate],
) -> Mapping[str, _Candidate] | None:
    """The first combination of candidates that no condition refuses, None if none of those tried is one."""
    if not wanted:
        return before
    (parameter, candidates), behind = wanted[0], wanted[1:]
    for candidate in candidates:
        if search.left <= 0:
            return None
        search.left -= 1
        tried = {**before, parameter.name or "": candidate}
        if False not in _answers(search, {name: one.binding for name, one in tried.items()}):
            found = _chosen(search, behind, tried)
            if found is not None:
                return found
    return None


def _with(
    search: _Search,
    instance: Instance,
    template: Sequence[syn.TemplateParameter],
    chosen: Mapping[str, _Candidate],
) -> Instance:
    """The instance with those of the chosen arguments that something speaks for."""
    answers = _answers(search, {name: one.binding for name, one in chosen.items()})
    bindings, notes = dict(instance.bindings), list(instance.assumptions)
    for parameter in template:
        name = parameter.name or ""
        if (candidate := chosen.get(name)) is None:
            continue
        text = f"`{name}` is taken to be {argument_text(candidate.binding)}"
        decided = zip(search.asserted, answers, strict=True)
        allows = next((one for (one, rests), answer in decided if answer and name in rests), None)
        if candidate.like:
            notes.append(Assumption(f"{text}, as in a launch of `{candidate.like}`", parameter.span))
        elif allows is not None:
            condition = search.ctx.hidden.shown(spelling(allows))
            said = f"requires {condition}" if allows in search.kernel.requires else f"static_assert({condition})"
            why = f" ({LAUNCHED_WITH})" if name in instance.undeclared else ""
            notes.append(Assumption(f"{text}, which `{said}` allows{why}", parameter.span))
        else:
            continue
        bindings[name] = candidate.binding
    if len(notes) == len(instance.assumptions):
        return instance
    known = {**instance.instances, **search.ctx.instances}
    guessed = any(p.type is not None and p.name in bindings and p.name not in instance.bindings for p in template)
    return replace(instance, bindings=bindings, assumptions=tuple(notes), instances=known, guessed=guessed)
