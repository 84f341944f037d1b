"""Template argument deduction: what the parameters of a template must be, given the types of a call's arguments.

A parameter's type as written is a pattern (`const T *`, `T (&)[N]`, `Pair<T, U>`); matching it against the type of
the argument binds the names of the template.  Qualifiers are ignored, which the standard would not always allow:
what is deduced here is only ever used to analyse a program that compiles.

What only names a parameter behind `::` (`typename T::value_type`) is not deduced, as in C++.  Later parameters fall
back to their defaults.  A parameter pack takes what is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.ir import constants, lower_expressions, resolve
from analysis_core.ir.context import Lowering
from analysis_core.ir.cooperative_groups import Group
from analysis_core.ir.nodes import Const
from analysis_core.ir.scope import Binding, PackBinding, Scope, TypeBinding
from analysis_core.ir.types import INT, ArrayType, PointerType, ScalarType, StructType, Type
from analysis_core.ir.values import FunctionName, Handle, Operand, Value, type_of
from analysis_core.syntax import tree as syn


def deduce(
    ctx: Lowering,
    template: Sequence[syn.TemplateParameter],
    explicit: Mapping[str, Binding],
    parameters: Sequence[syn.Parameter],
    operands: Sequence[Operand | None],
    scope: Scope,
) -> dict[str, Binding] | None:
    """Bindings for all parameters of `template`, or None if the call does not determine them.

    `explicit` are the arguments given in angle brackets; `scope` is where defaults are evaluated."""
    found = dict(scope.bindings)
    names = {p.name for p in template if p.name is not None}
    pack = next((p.name for p in template if p.pack and p.name is not None), None)
    found.update(explicit)
    for position, parameter in enumerate(parameters):
        if parameter.pack:
            rest = [o for o in operands[position:] if o is not None]
            if pack is not None and pack not in found:
                found[pack] = PackBinding(tuple(TypeBinding(decayed(type_of(o))) for o in rest))
            break
        if position < len(operands):
            match_operand(ctx, parameter.type, operands[position], names, found)
    return _defaults(ctx, template, found, scope)


def _defaults(
    ctx: Lowering, template: Sequence[syn.TemplateParameter], found: dict[str, Binding], scope: Scope
) -> dict[str, Binding] | None:
    """Fills what is not determined from the defaults; None if one has none."""
    for parameter in template:
        if parameter.name is None or parameter.name in found:
            continue
        if parameter.pack:
            found[parameter.name] = PackBinding(())
            continue
        if parameter.default is None:
            return None
        inner = Scope(None, scope.namespace, dict(found))
        with ctx.in_scope(inner):
            bound = resolve.bind_template(ctx, (parameter,), (parameter.default,), scope.namespace)
        if parameter.name not in bound:
            return None
        found[parameter.name] = bound[parameter.name]
    return found


def explicit_bindings(
    ctx: Lowering,
    template: Sequence[syn.TemplateParameter],
    args: Sequence[syn.TemplateArg],
    namespace: str,
) -> dict[str, Binding]:
    """What the arguments in angle brackets bind, read in the present scope; functions may be arguments too."""
    bound: dict[str, Binding] = {}
    for position, parameter in enumerate(template):
        if parameter.pack:
            bound |= resolve.bind_template(ctx, (parameter,), args[position:], namespace) if args[position:] else {}
            break
        if position >= len(args):
            break
        function = function_argument(ctx, args[position]) if parameter.type is not None else None
        if function is not None and parameter.name is not None and not _is_number(ctx, parameter):
            bound[parameter.name] = function
        else:
            bound |= resolve.bind_template(ctx, (parameter,), (args[position],), namespace)
    return bound


def _is_number(ctx: Lowering, parameter: syn.TemplateParameter) -> bool:
    """Whether the parameter takes a number: a name that is not bound yet is then no function that happens to have it."""
    return parameter.type is not None and isinstance(resolve.resolve_type(ctx, parameter.type), ScalarType)


def function_argument(ctx: Lowering, arg: syn.TemplateArg) -> FunctionName | None:
    """The functions that a template argument names, if it names any."""
    if isinstance(arg, syn.Unary) and arg.op == "&":
        arg = arg.operand
    if not isinstance(arg, syn.Name | syn.NamedType):
        return None
    if "::" not in arg.name and ctx.scope.find(arg.name) is not None:
        known = ctx.scope.find(arg.name)
        return known if isinstance(known, FunctionName) else None
    declarations = ctx.unit.find_functions(arg.name, ctx.scope.root().namespace)
    return FunctionName(arg.name, declarations, arg.template_args) if declarations else None


def argument_meaning(ctx: Lowering, arg: syn.TemplateArg) -> TypeBinding | int | None:
    """A template argument read in the present scope: a type, or an integer constant."""
    if isinstance(arg, syn.NamedType) and arg.template_args is None:
        value = lower_expressions.constant(ctx, syn.Name(span=arg.span, name=arg.name)) if _is_value(ctx, arg) else None
        if value is not None:
            return constants.whole(value)
    if isinstance(arg, syn.TypeNode):
        return TypeBinding(resolve.resolve_type(ctx, arg))
    return constants.whole(lower_expressions.constant(ctx, arg))


def _is_value(ctx: Lowering, arg: syn.NamedType) -> bool:
    """Whether a name in the place of a type is a constant."""
    binding = ctx.scope.find(arg.name)
    if binding is not None:
        return not isinstance(binding, TypeBinding)
    namespace = ctx.scope.root().namespace
    if ctx.unit.find_variable(arg.name, namespace) is not None:
        return True
    return ctx.unit.find_enumerator(arg.name, namespace) is not None


def match_operand(
    ctx: Lowering, pattern: syn.TypeNode, operand: Operand | None, names: set[str], found: dict[str, Binding]
) -> None:
    """Binds what the argument `operand` says about the names in `pattern`."""
    if operand is None:
        return
    reference = isinstance(pattern, syn.ReferenceTo)
    target = pattern.target if isinstance(pattern, syn.ReferenceTo) else pattern
    if isinstance(operand, FunctionName):
        if isinstance(target, syn.NamedType) and target.name in names:
            found.setdefault(target.name, operand)
        return
    if isinstance(operand, Handle) and isinstance(operand.payload, Group):
        _match_group(target, operand, names, found)
        return
    type = type_of(operand)
    match_type(ctx, target, type if reference else decayed(type), names, found)


def _match_group(target: syn.TypeNode, operand: Handle, names: set[str], found: dict[str, Binding]) -> None:
    """`thread_block_tile<N>` gives N; a plain `Group` gives the type of the handle."""
    if not isinstance(target, syn.NamedType):
        return
    if target.name in names:
        found.setdefault(target.name, TypeBinding(operand.type))
    payload = operand.payload
    if target.template_args and isinstance(payload, Group) and isinstance(payload.size, Const):
        name = parameter_name(target.template_args[0])
        if name in names:
            found.setdefault(name, Value(payload.size, payload.size.type))


def match_type(ctx: Lowering, pattern: syn.TypeNode, type: Type, names: set[str], found: dict[str, Binding]) -> None:
    """Walks down pattern and type together."""
    while True:
        match pattern:
            case syn.NamedType(name=name, template_args=None):
                if name in names:
                    found.setdefault(name, TypeBinding(type))
                return
            case syn.NamedType(template_args=args):
                _match_record(ctx, args or (), type, names, found)
                return
            case syn.PointerTo(target=target):
                if isinstance(type, ArrayType):
                    type = type.element
                elif isinstance(type, PointerType):
                    type = type.target
                else:
                    return
                pattern = target
            case syn.ReferenceTo(target=target):
                pattern = target
            case syn.ArrayOf(element=element, extent=extent):
                if isinstance(type, PointerType):
                    pattern, type = element, type.target
                    continue
                if not isinstance(type, ArrayType):
                    return
                bound = parameter_name(extent) if extent is not None else None
                if bound is not None and bound in names and isinstance(type.extent, Const):
                    found.setdefault(bound, Value(Const(type.extent.value, INT), INT))
                pattern, type = element, type.element
            case _:
                return


def _match_record(
    ctx: Lowering, patterns: Sequence[syn.TemplateArg], type: Type, names: set[str], found: dict[str, Binding]
) -> None:
    """`Pair<T, N>` against an instance of a class template: its own bindings in order."""
    instance = ctx.instances.get(type.name) if isinstance(type, StructType) else None
    if instance is None or instance.definition.template is None:
        return
    for pattern, parameter in zip(patterns, instance.definition.template):
        binding = instance.scope.bindings.get(parameter.name or "")
        name = parameter_name(pattern)
        if binding is None:
            continue
        if name in names:
            found.setdefault(name, binding)
        elif isinstance(pattern, syn.TypeNode) and isinstance(binding, TypeBinding):
            match_type(ctx, pattern, binding.type, names, found)


def parameter_name(node: syn.Node | None) -> str | None:
    """The bare name that a template argument or an extent consists of, if it is one."""
    match node:
        case syn.NamedType(name=name, template_args=None) | syn.Name(name=name, template_args=None):
            return name
        case _:
            return None


def decayed(type: Type) -> Type:
    return PointerType(type.element) if isinstance(type, ArrayType) else type


def pattern_detail(parameters: Sequence[syn.Parameter], template: Sequence[syn.TemplateParameter]) -> int:
    """How much the patterns fix beside the names of the template: of two that match, the larger is more specialised."""
    names = {p.name for p in template}
    detail = 0
    for parameter in parameters:
        pending: list[syn.Node | None] = [parameter.type]
        while pending:
            node = pending.pop()
            match node:
                case syn.PointerTo(target=target) | syn.ReferenceTo(target=target):
                    detail += isinstance(node, syn.PointerTo)
                    pending.append(target)
                case syn.ArrayOf(element=element):
                    detail += 1
                    pending.append(element)
                case syn.NamedType(name=name, template_args=args):
                    detail += name not in names
                    pending.extend(args or ())
                case _:
                    pass
    return detail


def bindings_key(bindings: Mapping[str, Binding]) -> tuple[tuple[str, Binding], ...]:
    """Bindings as a value to compare and to sort by."""
    return tuple(sorted(bindings.items(), key=lambda item: item[0]))
