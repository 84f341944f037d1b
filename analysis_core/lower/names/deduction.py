"""Template argument deduction: what the parameters of a function template must be, given the types of a call's arguments.

A parameter's type as written is a pattern (`const T *`, `T (&)[N]`, `Pair<T, U>`); `patterns.match` binds the names of the
template.  Here is what is said of calls: arrays and functions decay unless a reference takes them, `T &&` is deduced as a
reference for what goes on, qualifiers may be added.  Later parameters fall back to their defaults; a pack takes what is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from analysis_core.ir.nodes import Const
from analysis_core.ir.types import ArrayType, PointerType, ScalarType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.library.cooperative_groups import Group
from analysis_core.lower.names import expression_types, packs, patterns, resolve, template_arguments
from analysis_core.lower.names.scope import Binding, PackBinding, Scope, TypeBinding
from analysis_core.lower.values import Closure, FunctionName, Handle, Operand, Value, type_of
from analysis_core.syntax.read import tree as syn


def deduce(
    ctx: Lowering,
    template: Sequence[syn.TemplateParameter],
    explicit: Mapping[str, Binding],
    parameters: Sequence[syn.Parameter],
    operands: Sequence[Operand | None],
    scope: Scope,
    nodes: Sequence[syn.Node] | None = None,
) -> dict[str, Binding] | None:
    """Bindings for all parameters of `template`, or None if the call does not determine them.

    `explicit` are the arguments given in angle brackets; `scope` is where defaults are evaluated."""
    names = patterns.free_parameters(template)
    free = {name: p for name, p in names.items() if name not in explicit or p.pack}
    home = Scope(None, scope.namespace, {**scope.bindings, **explicit})
    m = patterns.Matching(free, home, dict(explicit), call=True)
    for position, parameter in enumerate(parameters):
        if parameter.pack:
            if not _deduce_pack(ctx, m, parameter, operands[position:], (nodes or ())[position:]):
                return None
            break
        if position < len(operands) and patterns.mentions(parameter.type, free):
            node = None if nodes is None else nodes[position]
            if not deduce_one(ctx, m, parameter.type, operands[position], node):
                return None
    return with_defaults(ctx, template, {**scope.bindings, **m.found}, scope)


def _deduce_pack(
    ctx: Lowering,
    m: patterns.Matching,
    parameter: syn.Parameter,
    operands: Sequence[Operand | None],
    nodes: Sequence[syn.Node],
) -> bool:
    names = [n for n in patterns.names_in(parameter.type) if n in m.free and m.free[n].pack]
    given = {name: bound.elements for name in names if isinstance(bound := m.found.pop(name, None), PackBinding)}
    collected: dict[str, list[Operand | TypeBinding | object]] = {name: [] for name in names}
    for position, operand in enumerate(operands):
        node = nodes[position] if position < len(nodes) else None
        for name in names:
            if position < len(given.get(name, ())):
                m.found[name] = given[name][position]
        if not deduce_one(ctx, m, parameter.type, operand, node):
            return False
        for name in names:
            if name in m.found:
                collected[name].append(m.found.pop(name))
    for name in names:
        rest = given.get(name, ())[len(operands) :]
        m.found[name] = PackBinding((*collected[name], *rest))  # type: ignore[arg-type]
    return True


def with_defaults(
    ctx: Lowering, template: Sequence[syn.TemplateParameter], found: dict[str, Binding], scope: Scope
) -> dict[str, Binding] | None:
    """Fills what is not determined from the defaults; None if one has none."""
    for position, parameter in enumerate(template):
        name = parameter.name or f"(parameter {position})"
        if name in found:
            continue
        if parameter.pack:
            found[name] = PackBinding(())
            continue
        if parameter.default is None:
            return None if parameter.name is not None else found
        with ctx.in_scope(Scope(None, scope.namespace, dict(found))):
            bound = template_arguments.bind_template(
                ctx, (replace(parameter, name=name),), (parameter.default,), scope.namespace
            )
        found |= bound
    return found


def explicit_bindings(
    ctx: Lowering,
    template: Sequence[syn.TemplateParameter],
    args: Sequence[syn.TemplateArg | Binding],
    namespace: str,
) -> dict[str, Binding]:
    """The arguments given in angle brackets, as far as they go; functions may be among them."""
    bound: dict[str, Binding] = {}
    given = packs.expanded_arguments(ctx, args)
    for position, parameter in enumerate(template):
        name = parameter.name or f"(parameter {position})"
        if parameter.pack:
            if position < len(given):
                bound |= template_arguments.bind_template(
                    ctx, (replace(parameter, name=name),), given[position:], namespace
                )
            break
        if position >= len(given):
            break
        arg = given[position]
        named = isinstance(arg, syn.Node) and parameter.type is not None
        function = function_argument(ctx, arg) if named and isinstance(arg, syn.Node) else None
        if function is not None and not _is_number(ctx, parameter):
            bound[name] = function
        elif isinstance(arg, syn.Node):
            home = Scope(None, namespace, dict(bound))
            bound[name] = template_arguments.argument(ctx, replace(parameter, name=name), arg, home)
        else:
            bound[name] = arg
    return bound


def _is_number(ctx: Lowering, parameter: syn.TemplateParameter) -> bool:
    """Whether the parameter takes a number: a name that is not bound yet is then no function that happens to have it."""
    return parameter.type is not None and isinstance(resolve.resolve_type(ctx, parameter.type), ScalarType)


def function_argument(ctx: Lowering, arg: syn.Node) -> FunctionName | None:
    """The functions that a template argument names, if it names any."""
    if isinstance(arg, syn.Unary) and arg.op == "&":
        arg = arg.operand
    if not isinstance(arg, syn.Name | syn.NamedType):
        return None
    if "::" not in arg.name and ctx.scope.find(arg.name) is not None:
        known = ctx.scope.find(arg.name)
        return known if isinstance(known, FunctionName) else None
    declarations = ctx.unit.find_functions(arg.name, ctx.scope.root().namespace)
    if not declarations:
        return None
    function = FunctionName(arg.name, declarations, arg.template_args)
    return settled(ctx, function) if declarations[0].is_kernel else function


def settled(ctx: Lowering, function: FunctionName) -> FunctionName:
    """The function with template arguments that mean the same everywhere."""
    template = function.declarations[0].template
    if not function.template_args or not template:
        return function
    bound = explicit_bindings(ctx, template, function.template_args, function.declarations[0].scope)
    each = (one.elements if isinstance(one, PackBinding) else (one,) for one in bound.values())
    return replace(function, template_args=tuple(element for elements in each for element in elements))


def deduce_one(
    ctx: Lowering, m: patterns.Matching, pattern: syn.TypeNode, operand: Operand | None, node: syn.Node | None
) -> bool:
    """Binds what the argument `operand` says about the names in `pattern`; False if it does not fit."""
    if operand is None:
        return True
    target = pattern.target if isinstance(pattern, syn.ReferenceTo) else pattern
    if isinstance(operand, FunctionName | Closure):
        if isinstance(target, syn.NamedType) and target.name in m.free:
            if isinstance(operand, FunctionName):
                m.found.setdefault(target.name, operand)
            else:
                m.found.setdefault(target.name, TypeBinding(type_of(operand)))
        return True
    if isinstance(operand, Handle):
        _match_handle(ctx, target, operand, m)
        return True
    if isinstance(node, syn.Literal) and node.kind is syn.LiteralKind.NULL and isinstance(target, syn.PointerTo):
        return False  # `nullptr` points to nothing that could be deduced
    given = expression_types.given_type(ctx, operand, node)
    if not isinstance(pattern, syn.ReferenceTo):
        by_value = resolve.decayed(given.value).unqualified
        return patterns.match(ctx, m, _bare(pattern), by_value)
    if isinstance(target, syn.NamedType) and _is_forwarding(m, pattern) and given.reference == "&":
        return patterns.bind(m, target.name, given)
    words = resolve.qualifiers_of(target)
    value = given.value.qualified("const" in words, "volatile" in words)
    return patterns.match(ctx, m, target, value)


def _bare(pattern: syn.TypeNode) -> syn.TypeNode:
    """A parameter's type without qualifiers of its own; an array is a pointer."""
    if isinstance(pattern, syn.ArrayOf):
        return syn.PointerTo(span=pattern.span, target=pattern.element)
    if isinstance(pattern, syn.FunctionOf):
        return syn.PointerTo(span=pattern.span, target=pattern)
    return replace(pattern, qualifiers=frozenset()) if pattern.qualifiers else pattern


def _is_forwarding(m: patterns.Matching, pattern: syn.ReferenceTo) -> bool:
    """`T &&` with a T that is deduced here."""
    target = pattern.target
    return pattern.rvalue and isinstance(target, syn.NamedType) and target.name in m.free and not target.qualifiers


def _match_handle(ctx: Lowering, target: syn.TypeNode, operand: Handle, m: patterns.Matching) -> None:
    """`thread_block_tile<N>` gives N; a plain `Group` gives the type of the handle."""
    if not isinstance(target, syn.NamedType):
        return
    if target.name in m.free:
        m.found.setdefault(target.name, TypeBinding(operand.type))
    payload = operand.payload
    if target.template_args and isinstance(payload, Group) and isinstance(payload.size, Const):
        name = patterns.parameter_name(target.template_args[0])
        if name is not None and name in m.free:
            m.found.setdefault(name, Value(payload.size, payload.size.type))


def decayed(type: Type) -> Type:
    return PointerType(type.element) if isinstance(type, ArrayType) else type


def bindings_key(bindings: Mapping[str, Binding]) -> tuple[tuple[str, Binding], ...]:
    """Bindings as a value to compare and to sort by."""
    return tuple(sorted(bindings.items(), key=lambda item: item[0]))
