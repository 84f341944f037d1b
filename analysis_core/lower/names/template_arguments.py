"""Template arguments: what is written in angle brackets, packs expanded and defaults filled in, becomes bindings of names.

A parameter without either is opaque: a type with an assumed size, or a constant with an assumed sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis_core.ir import constants
from analysis_core.ir.nodes import UnknownExpr
from analysis_core.ir.scalars import scalar_named
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import INT, NOT_INSTANTIATED, OpaqueType, Qualified, ScalarKind, ScalarType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import packs, resolve
from analysis_core.lower.names.scope import Binding, PackBinding, Scope, TemplateBinding, TypeBinding
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import VOID_VALUE, FunctionName, Operand, Register, Value, type_of
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn


def bind_template(
    ctx: Lowering,
    parameters: tuple[syn.TemplateParameter, ...] | None,
    args: Sequence[syn.TemplateArg | Binding],
    namespace: str,
) -> dict[str, Binding]:
    """Explicit template arguments, read in the present scope, and defaults, read in `namespace`, as bindings.

    A parameter without either is opaque: a type with an assumed size, or a constant with an assumed sign."""
    bindings: dict[str, Binding] = {}
    given = packs.expanded_arguments(ctx, args)
    for position, parameter in enumerate(parameters or ()):
        name = parameter.name or f"(parameter {position})"
        if parameter.pack:
            home = Scope(None, namespace, dict(bindings))
            bindings[name] = PackBinding(tuple(_given(ctx, parameter, arg, home) for arg in given[position:]))
        elif position < len(given):
            bindings[name] = _given(ctx, parameter, given[position], Scope(None, namespace, dict(bindings)))
        elif parameter.default is not None:
            home = Scope(None, namespace, dict(bindings))
            with ctx.in_scope(home):
                bindings[name] = argument(ctx, parameter, parameter.default, home)
        else:
            bindings[name] = opaque_argument(ctx, parameter, name)
    return bindings


def _given(
    ctx: Lowering,
    parameter: syn.TemplateParameter,
    given: syn.TemplateArg | Binding,
    home: Scope,
) -> TypeBinding | TemplateBinding | Operand:
    """One argument, spelled or an element of a pack."""
    if isinstance(given, PackBinding):
        return VOID_VALUE  # a pack inside of a pack is none that C++ makes
    return argument(ctx, parameter, given, home) if isinstance(given, syn.Node) else given


def opaque_argument(
    ctx: Lowering, parameter: syn.TemplateParameter, name: str, why: str = NOT_INSTANTIATED
) -> TypeBinding | Register:
    """What stands for a template parameter that nobody gave an argument."""
    if parameter.type is None:
        return TypeBinding(OpaqueType(name, why))
    type = resolve.resolve_type(ctx, parameter.type)
    return ctx.opaque_constant(name, type if isinstance(type, ScalarType) else INT, parameter.span)


def argument(
    ctx: Lowering, parameter: syn.TemplateParameter, arg: syn.TemplateArg, home: Scope
) -> TypeBinding | TemplateBinding | Operand:
    """One argument; the parameter decides between a type and a value where the spelling leaves it open.

    The type of a value parameter may name earlier ones (`template <class T, T v>`), which `home` binds."""
    if parameter.template and isinstance(arg, syn.Name | syn.NamedType):
        return template_argument(ctx, arg.name)
    if isinstance(arg, syn.Name | syn.NamedType) and _is_other_kind(ctx, arg, parameter.type is None):
        ctx.refuse(certain=True)
    if parameter.type is None:
        if isinstance(arg, syn.Name):
            arg = syn.NamedType(span=arg.span, name=arg.name, template_args=arg.template_args, parts=arg.parts)
        if isinstance(arg, syn.Call) and isinstance(arg.callee, syn.Name):
            arg = _misread_function(arg, arg.callee)
        if isinstance(arg, syn.TypeNode):
            return _type_argument(ctx, arg)
        return TypeBinding(OpaqueType(spelling(arg), "not a type"))
    if isinstance(arg, syn.NamedType):
        arg = syn.Name(span=arg.span, name=arg.name, template_args=arg.template_args, parts=arg.parts)
    if not isinstance(arg, syn.Expr):
        cause = ctx.cause(CauseKind.UNSUPPORTED, "a type where a value is expected", arg.span)
        return Value(UnknownExpr(cause, INT), INT)
    with ctx.in_scope(home):
        type = resolve.resolve_type(ctx, parameter.type)
    return _value_argument(ctx, type, arg)


def _is_other_kind(ctx: Lowering, arg: syn.Name | syn.NamedType, wants_type: bool) -> bool:
    """Whether a plain name surely means a value where a type is wanted, or a type where a value is."""
    if ctx.substitution is None or "::" in arg.name or arg.template_args is not None:
        return False
    bound = ctx.scope.find(arg.name)
    if bound is None:
        return not wants_type and scalar_named(arg.name) is not None
    return isinstance(bound, Register | Value) if wants_type else isinstance(bound, TypeBinding)


def _type_argument(ctx: Lowering, arg: syn.TypeNode) -> Qualified:
    """A type as a template argument: the alignment that a typedef says is no part of it."""
    return replace(resolve.qualified(ctx, arg), align=0)


def _misread_function(arg: syn.Call, callee: syn.Name) -> syn.TypeNode:
    """`R(A)` as a type argument, which reads like a call where R is a name."""
    result = syn.NamedType(span=callee.span, name=callee.name, template_args=callee.template_args, parts=callee.parts)
    parameters: list[syn.Parameter] = []
    for given in arg.args:
        if not isinstance(given, syn.Name):
            return syn.NamedType(span=arg.span, name=spelling(arg))
        type = syn.NamedType(span=given.span, name=given.name, template_args=given.template_args, parts=given.parts)
        parameters.append(syn.Parameter(span=given.span, name=None, type=type))
    return syn.FunctionOf(span=arg.span, result=result, parameters=tuple(parameters))


def meaning(ctx: Lowering, arg: syn.TemplateArg) -> Binding:
    """What a template argument is where no parameter says whether it is a type or a value."""
    if isinstance(arg, syn.Name | syn.NamedType) and "::" not in arg.name and arg.template_args is None:
        bound = ctx.scope.find(arg.name)
        if isinstance(bound, Qualified) and isinstance(arg, syn.NamedType):
            return bound.qualified("const" in arg.qualifiers, "volatile" in arg.qualifiers)
        if bound is not None:
            return bound
    if isinstance(arg, syn.Name | syn.NamedType) and arg.template_args is None:
        template = _template_named(ctx, arg.name)
        if template is not None:
            return template
    if isinstance(arg, syn.NamedType) and not arg.qualifiers and arg.operand is None:
        name = syn.Name(span=arg.span, name=arg.name, template_args=arg.template_args, parts=arg.parts)
        with ctx.scratch():
            is_type = resolve.find_qualified(ctx, arg.name, arg.template_args, arg.parts) is not None
        value = None if is_type else lower_expressions.constant(ctx, name)
        if value is not None:
            return Value(value, value.type)
    if isinstance(arg, syn.TypeNode):
        return _type_argument(ctx, arg)
    value = lower_expressions.constant(ctx, arg)
    if value is not None:
        return Value(value, value.type)
    if isinstance(arg, syn.Name):
        return meaning(
            ctx, syn.NamedType(span=arg.span, name=arg.name, template_args=arg.template_args, parts=arg.parts)
        )
    return ctx.opaque_constant(spelling(arg), INT, arg.span)


def _template_named(ctx: Lowering, name: str) -> TemplateBinding | None:
    """The class template of that name, where no arguments are given."""
    for candidate in ctx.unit.qualified(name, ctx.scope.root().namespace):
        definitions = ctx.unit.records.get(candidate)
        if definitions and any(d.template for d in definitions) and ctx.scope.root().namespace != candidate:
            return TemplateBinding(candidate)
    return None


def template_argument(ctx: Lowering, name: str) -> TemplateBinding:
    """The class or alias template that a template template argument names."""
    bound = ctx.scope.find(name) if "::" not in name else None
    if isinstance(bound, TemplateBinding):
        return bound
    namespace = ctx.scope.root().namespace
    for candidate in ctx.unit.qualified(name, namespace):
        if candidate in ctx.unit.records or candidate in ctx.unit.aliases:
            return TemplateBinding(candidate)
    return TemplateBinding(name.removeprefix("::"))


def _value_argument(ctx: Lowering, type: Type, arg: syn.Expr) -> Operand:
    value = lower_expressions.constant(ctx, arg)
    if value is not None:
        converted = constants.constant(value.value, type) if isinstance(type, ScalarType) else None
        converted = converted or value
        return Value(converted, converted.type)
    if isinstance(arg, syn.Name):
        operand = lower_expressions.operand(ctx, arg)
        if isinstance(operand, Register) and ctx.variables[operand.var].parameter and not ctx.frame.function:
            return operand
        if isinstance(operand, Register | Value) or (isinstance(operand, FunctionName) and not _is_number(type)):
            return operand
        return ctx.opaque_constant(arg.name, type_of(operand), arg.span)
    integral = type if isinstance(type, ScalarType) and type.kind is not ScalarKind.VOID else INT
    return ctx.opaque_constant(spelling(arg), integral, arg.span)


def _is_number(type: Type) -> bool:
    """Whether a parameter takes a number: a name that is bound nowhere is then no function that happens to have it."""
    return isinstance(type, ScalarType) and type.kind is not ScalarKind.VOID
