"""The class of a lambda that the host hands to a kernel: what it captures are members, its body is the call operator.

    fill<<<n / 128, 128>>>(p, [=] __device__ (int i) { return v * i; });
    struct lambda#1 { float v; __device__ auto operator()(int i) const { return v * i; } };

C++ defines the closure type so ([expr.prim.lambda.closure]); with it a closure is an argument like any other, also of templates of the
host.  What is a constant where the lambda stands is one in its body.  A lambda for the device captures nothing by reference
(programming guide, extended lambdas), so one that does has no class here, nor has one whose captures have types that are not known.  Of `*this` it
holds the members that its body names.

The standard leaves the order of members open.  GCC and the front end of nvcc place explicit captures as written, then implicit ones as
the body first names them; a `const` variable of which only the value is used is not captured implicitly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from analysis_core.ir import constants
from analysis_core.ir.types import OpaqueType, PointerType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import deduction, names, records, resolve
from analysis_core.lower.names.scope import Binding, TypeBinding, join
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import ArrayValue, FunctionName, StructValue, Value
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside

_NAMED = "lambda#"
_INITIALISED = re.compile(r"&?\w+[={(]")


def closure_type(ctx: Lowering, node: syn.Lambda) -> StructType | None:
    """The class of a lambda expression in the present scope of the host, or None where its captures are not known."""
    own = {n.name for n in inside(node) if isinstance(n, syn.Parameter | syn.VarDecl)}
    named = {n.name: None for n in _spoken(node) if isinstance(n, syn.Name | syn.NamedType) and n.name not in own}
    made = _made(ctx, node)
    plain = [c for c in node.captures if c not in ("=", "*this") and not _INITIALISED.match(c)]
    whole = _of_object(ctx, named) if "*this" in node.captures else {}
    if made is None or whole is None or any(not c.isidentifier() or c == "this" for c in plain):
        return None
    members: dict[str, Type] = {**made, **whole}
    bound: dict[str, Binding] = {}
    for name in dict.fromkeys((*plain, *named)):
        if name in members:
            continue
        match ctx.scope.find(name):
            case None:
                pass
            case TypeBinding() | FunctionName() as known:
                bound[name] = known
            case Value(expr=expr, type=type) as known if constants.fold(expr) is not None:
                bound[name] = known
                if name in node.captures or ("=" in node.captures and _is_variable(ctx, node, name)):
                    members[name] = type
            case Value(type=type) | StructValue(type=type) | ArrayValue(type=type) if not isinstance(type, OpaqueType):
                if "=" in node.captures or name in node.captures:
                    members[name] = type
            case _:
                return None
    for name, type in members.items():
        bound[_spelled(name)] = TypeBinding(type)
    written = [re.split("[={(]", capture)[0] for capture in node.captures]
    order = sorted(members, key=lambda name: written.index(name) if name in written else len(written))
    return _registered(ctx, node, tuple(order), bound)


def _spoken(node: syn.Lambda) -> Iterator[syn.Node]:
    """All that is said inside of the lambda: what captures are initialised with belongs outside."""
    for part in (*node.parameters, node.body, *(() if node.result is None else (node.result,))):
        yield from inside(part)


def _made(ctx: Lowering, node: syn.Lambda) -> dict[str, Type] | None:
    """The captures with an initialiser, by value; None where the type of one is not known."""
    found: dict[str, Type] = {}
    for name, value in node.made:
        type = None if name.startswith("&") else lower_expressions.type_of_expression(ctx, value)
        if type is None or isinstance(type, OpaqueType):
            return None
        found[name] = type
    return found


def _of_object(ctx: Lowering, named: Mapping[str, None]) -> dict[str, Type] | None:
    """`*this`: the members of the object that the body names, which the closure has as its own; None where they are not known, or the
    object itself is asked for."""
    this = ctx.frame.this
    type = this.type if isinstance(this, Value) else None
    whole = resolve.complete(ctx, type.target) if isinstance(type, PointerType) else None
    if not isinstance(whole, StructType) or "this" in named:
        return None
    return {field.name: field.type for field in whole.fields if field.name in named}


def _is_variable(ctx: Lowering, node: syn.Lambda, name: str) -> bool:
    """Whether a name with a constant value is that of a parameter or a variable that is not `const`, which a closure has to hold."""
    at = node.span
    around = [
        f
        for functions in ctx.unit.functions.values()
        for f in functions
        if f.span.file == at.file and f.span.start <= at.start and at.end <= f.span.end
    ]
    found = [n for f in around for n in inside(f) if isinstance(n, syn.VarDecl) and n.name == name]
    if not found:
        return any(p.name == name for f in around for p in f.parameters)
    return not all(names.is_const(each) for each in found)


def _spelled(member: str) -> str:
    """The name under which the type of a member is bound: no name of the user's."""
    return f"decltype {member}"


def _registered(
    ctx: Lowering, node: syn.Lambda, members: tuple[str, ...], bound: dict[str, Binding]
) -> StructType | None:
    """The one class of this lambda under these bindings."""
    known = [key for key in ctx.instances if key.startswith(_NAMED)]
    wanted = deduction.bindings_key(bound)
    for key in known:
        instance = ctx.instances[key]
        if instance.definition.span == node.span and deduction.bindings_key(instance.scope.bindings) == wanted:
            made = ctx.types.get(key)
            return made if isinstance(made, StructType) else None
    key, namespace = f"{_NAMED}{len(known) + 1}", ctx.scope.root().namespace
    made = records.record_type(ctx, _class_of(node, key, namespace, members), key, join(namespace, key), bound)
    return made if isinstance(made, StructType) else None


def _class_of(node: syn.Lambda, key: str, namespace: str, members: tuple[str, ...]) -> syn.RecordDef:
    call = syn.FunctionDecl(
        span=node.span,
        name="operator()",
        name_span=node.span,
        scope=namespace,
        owner=key,
        result=node.result or syn.NamedType(span=node.span, name="auto"),
        parameters=node.parameters,
        qualifiers=frozenset({"__device__", "const"}),
        body=node.body,
    )
    fields = tuple(
        syn.VarDecl(
            span=node.span,
            name=name,
            name_span=node.span,
            type=syn.NamedType(span=node.span, name=_spelled(name)),
            storage=frozenset(),
        )
        for name in members
    )
    return syn.RecordDef(
        span=node.span,
        keyword="struct",
        name=key,
        scope=namespace,
        bases=(),
        fields=fields,
        methods=(call,),
        nested=(),
    )
