"""`using Base::Base;`: constructors of a base, as constructors of the class ([class.inhctor.init])."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.types import StructType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import RecordInstance
from analysis_core.lower.objects import constructors, methods
from analysis_core.syntax.read import tree as syn


def inherited(ctx: Lowering, instance: RecordInstance) -> list[methods.Method]:
    """For each constructor of a base that is brought in one that hands its arguments on and initialises the members as declared.
    Default and copy constructors are not inherited, nor what a constructor of the class itself takes."""
    definition = instance.definition
    heads = {
        target.rpartition("::")[0]
        for target in (n.target for n in definition.nested if isinstance(n, syn.UsingDecl) and not n.namespace)
        if constructors.names_constructor(target)
    }
    own = [methods.shape_of_parameters(m) for m in definition.methods if m.name == definition.name]
    found: list[methods.Method] = []
    for node in definition.bases if heads else ():
        with ctx.in_scope(instance.scope):
            type = resolve.complete(ctx, resolve.resolve_type(ctx, node))
            named = any(h == node.name or resolve.find_type(ctx, h, None) == type for h in heads)
        base = methods.instance_of(ctx, type) if named and isinstance(type, StructType) else None
        for method in () if base is None else constructors.constructors_of(ctx, base):
            if _is_inherited(method.declaration) and methods.shape_of_parameters(method.declaration) not in own:
                found.extend(_handing_on(instance, node, method))
    return found


def _is_inherited(declaration: syn.FunctionDecl) -> bool:
    parameters = declaration.parameters
    if all(p.default is not None for p in parameters):
        return False
    first = parameters[0].type
    is_own = isinstance(first, syn.ReferenceTo) and isinstance(first.target, syn.NamedType)
    return not (is_own and len(parameters) == 1 and first.target.name == declaration.owner)  # type: ignore[attr-defined]


def _handing_on(instance: RecordInstance, base: syn.NamedType, method: methods.Method) -> list[methods.Method]:
    declaration, definition = method.declaration, instance.definition
    if any(p.pack for p in declaration.parameters):
        return []
    outer = instance.scope.bindings
    if any(name in outer and outer[name] != bound for name, bound in method.bindings.items()):
        return []  # a name that means one thing in the base and another one here
    parameters = tuple(replace(p, name=p.name or f"(argument {i})") for i, p in enumerate(declaration.parameters))
    body = syn.Compound(span=declaration.span, body=())
    made = replace(
        declaration, name=definition.name, scope=definition.scope, owner=definition.name, parameters=parameters,
        initialisers=((base.name, tuple(_handed(p) for p in parameters)),), body=body,
    )  # fmt: skip
    return [methods.Method(made, {**outer, **method.bindings})]


def _handed(parameter: syn.Parameter) -> syn.Expr:
    name = syn.Name(span=parameter.span, name=parameter.name or "")
    if not isinstance(parameter.type, syn.ReferenceTo) or not parameter.type.rvalue:
        return name
    return syn.Cast(span=parameter.span, style="static_cast", type=parameter.type, operand=name)
