"""Parameter packs: what `pattern...` stands for, one scope per element, and packs among template arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace

from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import Binding, PackBinding, Scope
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Value
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside


def named_packs(ctx: Lowering, pattern: syn.Node) -> dict[str, PackBinding]:
    """The packs that a pattern names and that `...` behind it expands."""
    found: dict[str, PackBinding] = {}
    for node in inside(pattern):
        if isinstance(node, syn.Name | syn.NamedType) and "::" not in node.name and node.name not in found:
            bound = ctx.scope.find(node.name)
            if isinstance(bound, PackBinding):
                found[node.name] = bound
        elif isinstance(node, syn.Name | syn.NamedType):
            head = node.name.partition("::")[0]
            bound = ctx.scope.find(head)
            if isinstance(bound, PackBinding):
                found[head] = bound
    return found


def elementwise(ctx: Lowering, pattern: syn.Node) -> Iterator[Scope]:
    """For each element of the packs in `pattern` a scope in which their names mean that element."""
    found = named_packs(ctx, pattern)
    count = max((len(pack.elements) for pack in found.values()), default=0)
    for position in range(count):
        scope = Scope(ctx.scope)
        for name, pack in found.items():
            if position < len(pack.elements):
                scope.bindings[name] = pack.elements[position]
        yield scope


def is_expansion(ctx: Lowering, node: syn.Node) -> bool:
    """Whether `...` stands behind the node. For a bare name the tree does not keep it, but a pack stands alone nowhere
    else."""
    if isinstance(node, syn.TypeNode):
        return node.pack
    if isinstance(node, syn.Expansion):
        return True
    return isinstance(node, syn.Name) and isinstance(ctx.scope.find(node.name), PackBinding)


def expanded_arguments(ctx: Lowering, args: Sequence[syn.TemplateArg | Binding]) -> list[syn.TemplateArg | Binding]:
    """Template arguments with packs expanded: bindings for the elements of a pack, the rest as written."""
    found: list[syn.TemplateArg | Binding] = []
    for arg in args:
        if not isinstance(arg, syn.Node) or not is_expansion(ctx, arg):
            found.append(arg)
            continue
        pattern = arg.pattern if isinstance(arg, syn.Expansion) else arg
        for scope in elementwise(ctx, pattern):
            ctx.step()
            with ctx.in_scope(scope):
                found.append(_element(ctx, pattern))
    return found


def _element(ctx: Lowering, pattern: syn.TemplateArg) -> Binding:
    if isinstance(pattern, syn.Name | syn.NamedType) and pattern.template_args is None and "::" not in pattern.name:
        bound = ctx.scope.find(pattern.name)
        if bound is not None and not getattr(pattern, "qualifiers", None):
            return bound
    if isinstance(pattern, syn.TypeNode):
        return resolve.qualified(ctx, pattern)
    value = lower_expressions.constant(ctx, pattern)
    return lower_expressions.operand(ctx, pattern) if value is None else Value(value, value.type)


def renamed(node: syn.Expr, names: Mapping[str, str]) -> syn.Expr:
    """The expression with other names in place of these."""
    return _renamed(node, names)  # type: ignore[return-value]


def _renamed(value: object, names: Mapping[str, str]) -> object:
    if isinstance(value, tuple):
        return tuple(_renamed(each, names) for each in value)
    if not isinstance(value, syn.Node):
        return value
    changes = {f.name: _renamed(getattr(value, f.name), names) for f in fields(value) if f.name not in _LEAVES}
    if isinstance(value, syn.Name | syn.NamedType) and value.name.partition("::")[0] in names:
        head, mark, rest = value.name.partition("::")
        changes["name"] = names[head] + mark + rest
    return replace(value, **changes)  # type: ignore[arg-type]


_LEAVES = frozenset({"span", "expansion", "name_span", "cause"})


def expressions(ctx: Lowering, nodes: Sequence[syn.Expr]) -> tuple[syn.Expr, ...]:
    """Arguments or items with `pattern...` written out; the names of elements are bound in the present scope."""
    found: list[syn.Expr] = []
    for node in nodes:
        if not is_expansion(ctx, node):
            found.append(node)
            continue
        pattern = node.pattern if isinstance(node, syn.Expansion) else node
        for position, own in enumerate(elementwise(ctx, pattern)):
            for name, binding in own.bindings.items():
                ctx.scope.bind(f"{name}#{position}", binding)
            found.append(renamed(pattern, {name: f"{name}#{position}" for name in own.bindings}))
    return tuple(found)
