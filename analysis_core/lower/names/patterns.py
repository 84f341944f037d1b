"""Matching of types with patterns that name template parameters: deduction of arguments, partial specialisations.

A pattern is a type as written (`const T *`, `T (&)[N]`, `R(A...)`, `Pair<T, U>`, `C<T>`); a type that matches binds the names in
it, each to one thing only.  What only names a parameter behind `::` (`typename T::value_type`) deduces nothing, as in C++: it is
put aside in `later` and compared when everything else is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from analysis_core.ir import constants
from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.types import (
    ArrayType,
    FunctionType,
    MemberPointerType,
    OpaqueType,
    PointerType,
    Qualified,
    ScalarType,
    StructType,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import nested_types, resolve, template_arguments
from analysis_core.lower.names.identity import is_open, same, same_binding
from analysis_core.lower.names.scope import Binding, PackBinding, RecordInstance, Scope, TemplateBinding
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Value
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass

_BASES = 16


@dataclass(slots=True)
class Matching:
    """One attempt.  `free`: the parameters that may be bound; `found` what is bound; `scope`: where other names of the patterns
    mean something.  `call`: arguments of a call, whose pointers may gain qualifiers and whose classes may be derived ones.
    `unsure`: a type that is not known met a pattern that asks about it."""

    free: Mapping[str, syn.TemplateParameter]
    scope: Scope
    found: dict[str, Binding] = field(default_factory=dict)
    later: list[tuple[syn.TypeNode, Qualified]] = field(default_factory=list)
    call: bool = False
    unsure: bool = False


def free_parameters(template: Sequence[syn.TemplateParameter] | None) -> dict[str, syn.TemplateParameter]:
    return {p.name: p for p in template or () if p.name is not None}


def mentions(pattern: syn.Node, free: Mapping[str, syn.TemplateParameter]) -> bool:
    """Whether a pattern names a parameter."""
    return any(
        isinstance(node, syn.Name | syn.NamedType) and node.name.partition("::")[0] in free for node in inside(pattern)
    )


def bind(m: Matching, name: str, binding: Binding) -> bool:
    """Binds a parameter; False if it is bound to something else."""
    known = m.found.get(name)
    if known is None:
        m.found[name] = binding
        return True
    return same_binding(known, binding) or (isinstance(known, Value) and _same_value(known, binding))


def _same_value(known: Value, binding: Binding) -> bool:
    """Values are the same whatever their types: `T (&)[N]` gives a size_t for an int."""
    if not isinstance(binding, Value) or not isinstance(known.expr, Const) or not isinstance(binding.expr, Const):
        return False
    return known.expr.value == binding.expr.value


def match(ctx: Lowering, m: Matching, pattern: syn.TypeNode, actual: Qualified) -> bool:
    """Whether the type matches; binds what the pattern names."""
    words = pattern.qualifiers
    if isinstance(pattern, syn.ReferenceTo):
        wanted = "&&" if pattern.rvalue else "&"
        return actual.reference == wanted and match(ctx, m, pattern.target, actual.value)
    if not mentions(pattern, m.free):
        with ctx.in_scope(m.scope):
            wanted_type = resolve.qualified(ctx, pattern)
        m.unsure |= is_open(actual.type)
        return same(wanted_type, actual) or (m.call and _gains(wanted_type, actual))
    if isinstance(pattern, syn.NamedType) and pattern.name in m.free:
        return _match_parameter(ctx, m, pattern, actual)
    if actual.reference:
        return False
    match pattern:
        case syn.ArrayOf():
            return _match_array(ctx, m, pattern, actual)
        case syn.FunctionOf() if isinstance(actual.type, FunctionType):
            return _match_function(ctx, m, pattern, actual.type)
        case syn.PointerTo(target=target) if isinstance(actual.type, PointerType):
            pointer = actual.type
            if not m.call and ("const" in words, "volatile" in words) != (actual.const, actual.volatile):
                return False
            inner = Qualified(pointer.target, pointer.const, pointer.volatile)
            if m.call:
                inner = inner.qualified("const" in target.qualifiers, "volatile" in target.qualifiers)
            return match(ctx, m, target, inner)
        case syn.MemberPointerTo() if isinstance(actual.type, MemberPointerType):
            type = actual.type
            if type.member is None or type.owner is None:
                return False
            owner = Qualified(type.owner)
            return match(ctx, m, pattern.owner, owner) and match(ctx, m, pattern.target, type.member)
        case syn.NamedType():
            return _match_named(ctx, m, pattern, actual)
        case _:
            m.unsure |= is_open(actual.type)
            return False


def _gains(wanted: Qualified, actual: Qualified) -> bool:
    """Whether an argument's type differs only in qualifiers that a conversion adds."""
    return same(wanted.unqualified, actual.unqualified) and wanted.const >= actual.const


def _match_parameter(ctx: Lowering, m: Matching, pattern: syn.NamedType, actual: Qualified) -> bool:
    """`T`, `const T`, and `C<T>` with a C that is deduced too."""
    words = pattern.qualifiers
    parameter = m.free[pattern.name]
    if parameter.template:
        return _match_template(ctx, m, pattern, actual)
    const, volatile = "const" in words, "volatile" in words
    if parameter.type is not None or ((const or volatile) and actual.reference):
        return False
    if const > actual.const or volatile > actual.volatile:
        m.unsure |= is_open(actual.type)
        return False
    left = Qualified(actual.type, actual.const and not const, actual.volatile and not volatile, actual.reference)
    return bind(m, pattern.name, left)


def _match_template(ctx: Lowering, m: Matching, pattern: syn.NamedType, actual: Qualified) -> bool:
    for instance in _instances(ctx, m, actual):
        attempt = replace(m, found=dict(m.found), later=list(m.later))
        template = TemplateBinding(instance.scope.namespace)
        if bind(attempt, pattern.name, template) and match_arguments(
            ctx, attempt, pattern.template_args or (), instance.arguments
        ):
            _take(m, attempt)
            return True
    return False


def _take(m: Matching, attempt: Matching) -> None:
    """What an attempt that matched has found, in place: the lists of arguments inside share the tables of those around them."""
    m.found |= attempt.found
    m.later[:] = attempt.later
    m.unsure |= attempt.unsure


def _instances(ctx: Lowering, m: Matching, actual: Qualified) -> Iterator[RecordInstance]:
    """The class template instance that a type is, and in a call the bases that it may be taken for."""
    pending = [(actual.type, 0)]
    while pending:
        type, depth = pending.pop(0)
        instance = ctx.instances.get(type.name) if isinstance(type, StructType | OpaqueType) else None
        if instance is None:
            m.unsure |= is_open(type)
            continue
        if instance.definition.template is not None or instance.definition.specialisation is not None:
            yield instance
        if m.call and depth < _BASES:
            for base in instance.definition.bases:
                with ctx.in_scope(instance.scope):
                    pending.append((resolve.resolve_type(ctx, base), depth + 1))


def _match_named(ctx: Lowering, m: Matching, pattern: syn.NamedType, actual: Qualified) -> bool:
    """`Pair<T, N>`, an alias template, or something that deduces nothing."""
    head = pattern.name.partition("::")[0]
    template = None if head in m.free or pattern.template_args is None else _class_template(ctx, m, pattern)
    if template is None:
        aliased = _alias(ctx, m, pattern)
        if aliased is not None:
            return match(ctx, m, aliased, actual)
        m.later.append((pattern, actual))
        return True
    words = pattern.qualifiers
    if not m.call and ("const" in words, "volatile" in words) != (actual.const, actual.volatile):
        return False
    for instance in _instances(ctx, m, actual):
        if instance.scope.namespace == template:
            attempt = replace(m, found=dict(m.found), later=list(m.later))
            if _match_class(ctx, attempt, pattern.template_args or (), instance.arguments, template):
                _take(m, attempt)
                return True
    return False


def _match_class(
    ctx: Lowering, m: Matching, written: Sequence[syn.TemplateArg], given: Sequence[Binding], template: str
) -> bool:
    """The arguments of a class with those of a pattern, which may leave out what are defaults."""
    left_out = len(written) < len(given) and not any(is_expansion(m, each) for each in written)
    if not match_arguments(ctx, m, written, given[: len(written)] if left_out else given):
        return False
    primary = (r for r in ctx.unit.records.get(template, ()) if r.specialisation is None)
    return not left_out or any(are_defaults(ctx, one, given, len(written)) for one in primary)


def are_defaults(ctx: Lowering, primary: syn.RecordDef | syn.VarDecl, given: Sequence[Binding], count: int) -> bool:
    """Whether the arguments behind the first `count` are what the primary template has for defaults."""
    bound = template_arguments.bind_template(ctx, primary.template, given[:count], primary.scope)
    rest = [bound[p.name or f"(parameter {i})"] for i, p in enumerate(primary.template or ())][count:]
    rest = [b for b in rest if not isinstance(b, PackBinding) or b.elements]
    return len(rest) == len(given) - count and all(map(same_binding, rest, given[count:]))


def _class_template(ctx: Lowering, m: Matching, pattern: syn.NamedType) -> str | None:
    namespace = m.scope.root().namespace
    if (nested := nested_types.template_around(ctx, namespace, pattern.name)) is not None:
        return nested
    for candidate in ctx.unit.qualified(pattern.name, namespace):
        if candidate in ctx.unit.records:
            return candidate
        if candidate in ctx.unit.aliases:
            return None
    return None


def _alias(ctx: Lowering, m: Matching, pattern: syn.NamedType) -> syn.TypeNode | None:
    """What an alias template stands for, with the pattern's arguments in place of its parameters."""
    found = ctx.unit.find_alias(pattern.name, m.scope.root().namespace)
    alias = None if found is None else found[1]
    if alias is None or alias.template is None or any(p.pack for p in alias.template):
        return None
    args = pattern.template_args or ()
    names = {p.name: arg for p, arg in zip(alias.template, args) if p.name is not None}
    if len(args) != len(alias.template):
        return None
    result = put_in(alias.type, names)
    if result is None or not mentions(result, m.free):
        return None
    return replace(result, qualifiers=result.qualifiers | pattern.qualifiers) if pattern.qualifiers else result


def put_in(node: syn.TypeNode, names: Mapping[str, syn.TemplateArg]) -> syn.TypeNode | None:
    """A type as written with arguments in place of names; None if it is not that simple."""
    match node:
        case syn.NamedType(name=name, template_args=None) if name in names:
            arg = names[name]
            return replace(arg, qualifiers=arg.qualifiers | node.qualifiers) if isinstance(arg, syn.TypeNode) else None
        case syn.NamedType(template_args=args) if args is not None and not node.parts:
            inner: list[syn.TemplateArg] = []
            for each in args:
                if isinstance(each, syn.Name) and each.name in names:
                    inner.append(names[each.name])
                    continue
                put = put_in(each, names) if isinstance(each, syn.TypeNode) else each
                if put is None:
                    return None
                inner.append(put)
            return replace(node, template_args=tuple(inner))
        case syn.NamedType():
            return None if node.name.partition("::")[0] in names else node
        case syn.PointerTo() | syn.ReferenceTo():
            target = put_in(node.target, names)
            return None if target is None else replace(node, target=target)
        case _:
            return None


def _match_array(ctx: Lowering, m: Matching, pattern: syn.ArrayOf, actual: Qualified) -> bool:
    if not isinstance(actual.type, ArrayType):
        m.unsure |= is_open(actual.type)
        return False
    extent = actual.type.extent
    if (pattern.extent is None) != (extent is None):
        return False
    if pattern.extent is not None and isinstance(extent, Const):
        binding = Value(Const(extent.value, SIZE_T), SIZE_T)
        if not _match_value(ctx, m, pattern.extent, binding):
            return False
    return match(ctx, m, pattern.element, Qualified(actual.type.element, actual.const, actual.volatile))


def _match_value(ctx: Lowering, m: Matching, pattern: syn.TemplateArg, actual: Binding) -> bool:
    """A constant: the name of a parameter, or an expression, which deduces nothing where it names one."""
    name = parameter_name(pattern)
    if name is not None and name in m.free:
        takes_value = m.free[name].type is not None
        return takes_value and bind(m, name, _typed(ctx, m, m.free[name], actual))
    if mentions(pattern, m.free):
        return True
    if isinstance(pattern, syn.NamedType):
        pattern = syn.Name(
            span=pattern.span, name=pattern.name, template_args=pattern.template_args, parts=pattern.parts
        )
    if not isinstance(pattern, syn.Expr):
        return False
    with ctx.in_scope(m.scope):
        value = lower_expressions.constant(ctx, pattern)
    if not isinstance(actual, Value) or not isinstance(actual.expr, Const) or value is None:
        m.unsure = True
        return False
    return value.value == actual.expr.value


def _typed(ctx: Lowering, m: Matching, parameter: syn.TemplateParameter, actual: Binding) -> Binding:
    """A constant as one of the parameter's type."""
    if not isinstance(actual, Value) or not isinstance(actual.expr, Const) or parameter.type is None:
        return actual
    if isinstance(parameter.type, syn.NamedType) and parameter.type.name == "auto":
        return actual
    with ctx.in_scope(Scope(None, m.scope.root().namespace, {**m.scope.root().bindings, **m.found})):
        type = resolve.resolve_type(ctx, parameter.type)
    converted = constants.constant(actual.expr.value, type) if isinstance(type, ScalarType) else None
    return actual if converted is None else Value(converted, converted.type)


def _match_function(ctx: Lowering, m: Matching, pattern: syn.FunctionOf, actual: FunctionType) -> bool:
    if actual.result is None or not match(ctx, m, pattern.result, actual.result):
        return False
    parameters = [p for p in pattern.parameters if not _is_void(p)]
    return _match_list(ctx, m, [p.type for p in parameters], [p.pack for p in parameters], actual.parameters)


def _is_void(parameter: syn.Parameter) -> bool:
    return isinstance(parameter.type, syn.NamedType) and parameter.type.name == "void"


def match_arguments(ctx: Lowering, m: Matching, patterns: Sequence[syn.TemplateArg], actual: Sequence[Binding]) -> bool:
    """A list of template arguments with a list of patterns, of which the last one may be `P...`."""
    return _match_list(ctx, m, patterns, [is_expansion(m, p) for p in patterns], actual)


def is_expansion(m: Matching, pattern: syn.TemplateArg) -> bool:
    """Whether `...` is written behind the pattern; of the bare name of a value pack the tree keeps the name."""
    if isinstance(pattern, syn.Expansion) or (isinstance(pattern, syn.TypeNode) and pattern.pack):
        return True
    name = parameter_name(pattern) if isinstance(pattern, syn.Expr) else None
    return name is not None and name in m.free and m.free[name].pack


def _match_list(
    ctx: Lowering, m: Matching, patterns: Sequence[syn.TemplateArg], packs: Sequence[bool], actual: Sequence[Binding]
) -> bool:
    for position, pattern in enumerate(patterns):
        if packs[position]:
            return position == len(patterns) - 1 and match_pack(ctx, m, pattern, actual[position:])
        if position >= len(actual) or not _match_argument(ctx, m, pattern, actual[position]):
            return False
    return len(actual) == len(patterns)


def _match_argument(ctx: Lowering, m: Matching, pattern: syn.TemplateArg, actual: Binding) -> bool:
    inner = replace(m, call=False) if m.call else m
    try:
        match actual:
            case Qualified():
                if isinstance(pattern, syn.Name):
                    pattern = syn.NamedType(
                        span=pattern.span, name=pattern.name, template_args=pattern.template_args, parts=pattern.parts
                    )
                return isinstance(pattern, syn.TypeNode) and match(ctx, inner, pattern, actual)
            case TemplateBinding():
                name = parameter_name(pattern)
                if name is not None and name in m.free:
                    return bind(inner, name, actual)
                with ctx.in_scope(m.scope):
                    return name is not None and template_arguments.template_argument(ctx, name) == actual
            case PackBinding():
                return False
            case _:
                return _match_value(ctx, inner, pattern, actual)
    finally:
        m.unsure |= inner.unsure


def match_pack(ctx: Lowering, m: Matching, pattern: syn.TemplateArg, actual: Sequence[Binding]) -> bool:
    """`P...` with what is left: the packs that P names get one element for each."""
    if isinstance(pattern, syn.Expansion):
        pattern = pattern.pattern
    names = [n for n in names_in(pattern) if n in m.free and m.free[n].pack]
    collected: dict[str, list[Binding]] = {name: [] for name in names}
    before = {name: m.found.pop(name, None) for name in names}
    for binding in actual:
        if not _match_argument(ctx, m, pattern, binding):
            return False
        for name in names:
            if name in m.found:
                collected[name].append(m.found.pop(name))
    for name, elements in collected.items():
        pack = PackBinding(tuple(e for e in elements if not isinstance(e, PackBinding)))
        known = before[name]
        if isinstance(known, PackBinding) and not _same_pack(known, pack):
            return False
        m.found[name] = known if known is not None else pack
    return True


def _same_pack(left: PackBinding, right: PackBinding) -> bool:
    return len(left.elements) == len(right.elements) and all(map(same_binding, left.elements, right.elements))


def names_in(pattern: syn.Node) -> list[str]:
    return list(dict.fromkeys(n.name for n in inside(pattern) if isinstance(n, syn.Name | syn.NamedType)))


def parameter_name(node: syn.Node | None) -> str | None:
    """The bare name that a template argument or an extent consists of, if it is one."""
    match node:
        case syn.NamedType(name=name, template_args=None) | syn.Name(name=name, template_args=None):
            return name
        case syn.Expansion(pattern=pattern):
            return parameter_name(pattern)
        case _:
            return None
