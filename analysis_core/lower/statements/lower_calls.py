"""Calls: what a callee means, and who lowers it.

    name      a local (lambda, functor, group) -> a method of the present class -> the user's functions
              -> a type (`T(x)`) -> the library
    member    a method of a group or of a class, a callable member
    other     the call operator of what the expression denotes

The user's functions come first, as in C++; but a user's overload of a library name (`atomicAdd` for double on old
devices) is taken only where its parameters fit without conversion, since the library's own overloads compete.

What is found nowhere is a recorded unknown of kind MISSING with every effect it could have.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir import constants
from analysis_core.ir.nodes import Const
from analysis_core.ir.types import ArrayType, OpaqueType, PointerType, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import atomics, barriers, cooperative_groups, library, library_types, warp_primitives
from analysis_core.lower.names import (
    associated,
    member_lookup,
    names,
    overloads,
    resolve,
    substitutions,
    template_arguments,
    type_traits,
    visibility,
)
from analysis_core.lower.names.absent_headers import headers_not_read
from analysis_core.lower.names.scope import Binding, PackBinding, RecordInstance, Scope, TemplateBinding, TypeBinding
from analysis_core.lower.objects import class_conversions, class_operators, constructors, methods
from analysis_core.lower.statements import constant_calls, function_tables, inline, lower_expressions, lower_lvalues
from analysis_core.lower.statements.arguments import Argument, LibraryObject
from analysis_core.lower.values import Closure, FunctionName, Handle, Memory, Operand, Register, Value, type_of
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn

_NEEDS_PLACES = frozenset({"swap", "addressof", "__addressof", "move", "forward", "as_const", "launder"})


def lower_call(ctx: Lowering, call: syn.Call) -> Operand:
    """The result of any call expression, everything it does emitted."""
    callee = call.callee
    match callee:
        case syn.Name():
            return _call_name(ctx, callee, call)
        case syn.Member():
            return _call_member(ctx, callee, call)
        case syn.Unary(op="*" | "&", operand=operand):
            return call_operand(ctx, lower_expressions.operand(ctx, operand), call, operand)
        case _:
            return call_operand(ctx, lower_expressions.operand(ctx, callee), call)


def call_operand(ctx: Lowering, operand: Operand, call: syn.Call, node: syn.Expr | None = None) -> Operand:
    """Calls what an expression denotes: a closure, a function, or an object with a call operator.

    `node` spells the operand, if it is not the callee as it stands."""
    if isinstance(operand, FunctionName):
        args = operand.template_args or getattr(call.callee, "template_args", None)
        return _call_functions(ctx, operand.name, operand.declarations, args, call)
    if isinstance(operand, Closure):
        arguments = inline.evaluate(ctx, call.args, _by_value(operand.definition.parameters))
        given = call.callee.template_args if isinstance(call.callee, syn.Member) else None
        return inline.inline_closure(ctx, operand, arguments, call, given)
    type = type_of(operand)
    if isinstance(type, PointerType) and isinstance(type.target, OpaqueType) and isinstance(operand, Memory | Register):
        operand = lower_lvalues.load(ctx, operand, node or call.callee)  # the address of the function
    arguments = inline.evaluate(ctx, call.args)
    result = methods.call_method(ctx, operand, "operator()", None, arguments, call, node or call.callee)
    if result is not None:
        return result
    if isinstance(type_of(operand), StructType):
        reason = f"'{type_of(operand).name}' has no call operator here"  # type: ignore[union-attr]
        return _opaque(ctx, CauseKind.MISSING, reason, operand, arguments, call)
    reason = "a call through a function pointer"
    listed = function_tables.call(ctx, operand, arguments, call)
    return listed or _opaque(ctx, CauseKind.UNSUPPORTED, reason, operand, arguments, call)


def _opaque(
    ctx: Lowering, kind: CauseKind, reason: str, operand: Operand | None, arguments: Sequence[Argument], call: syn.Call
) -> Operand:
    operands = [operand, *(a.operand for a in arguments)]
    for argument in arguments:
        # What is passed from memory is read, by value or through the reference.
        if isinstance(argument.operand, Memory) and not isinstance(argument.operand.type, ArrayType | OpaqueType):
            lower_lvalues.load(ctx, argument.operand, argument.node)
    name = warp_primitives.callee_text(call)
    return inline.opaque_call(ctx, kind, reason, operands, OpaqueType(name, reason), call.span)


# --- names ------------------------------------------------------------------------------------------------------


def _call_name(ctx: Lowering, callee: syn.Name, call: syn.Call) -> Operand:
    name = callee.name
    bound = ctx.scope.find(name) if "::" not in name else None
    if isinstance(bound, TypeBinding | TemplateBinding):
        return _functional_cast(ctx, callee, call)
    if isinstance(bound, PackBinding):
        return _opaque(ctx, CauseKind.UNSUPPORTED, f"the parameter pack '{name}'", None, (), call)
    if bound is not None:
        return call_operand(ctx, bound, call)
    own = _own_method(ctx, callee, call)
    if own is not None:
        return own
    static = _static_method(ctx, callee, call)
    if static is not None:
        return static
    declarations = visibility.functions(ctx, name, ctx.frame.declaration)
    more = associated.of_call(ctx, name, declarations, call.args)
    if declarations or more.functions:
        return _call_functions(ctx, name, declarations, callee.template_args, call, more)
    if resolve.find_qualified(ctx, name, callee.template_args, callee.parts) is not None:
        return _functional_cast(ctx, callee, call)
    if callee.template_args and not call.args and type_traits.canonical(ctx, name) == "std::declval":
        return substitutions.stand_in(ctx, template_arguments.meaning(ctx, callee.template_args[0]), call)
    if type_traits.named_type(ctx, name, callee.template_args) is not None:
        return _functional_cast(ctx, callee, call)
    variable = names.lookup(ctx, callee)
    if variable is not None and not isinstance(variable, FunctionName | Value):
        return call_operand(ctx, variable, call)  # a pointer to a function, of the file or of the class
    return _call_library(ctx, name, callee.template_args, None, call)


def _functional_cast(ctx: Lowering, callee: syn.Name, call: syn.Call) -> Operand:
    """`T(x)` that was read as a call."""
    type = syn.NamedType(span=callee.span, name=callee.name, template_args=callee.template_args, parts=callee.parts)
    if len(call.args) == 1:
        return lower_expressions.operand(
            ctx, syn.Cast(span=call.span, style="functional", type=type, operand=call.args[0])
        )
    return lower_expressions.operand(ctx, syn.Construct(span=call.span, type=type, args=call.args, braces=False))


def present_class(ctx: Lowering) -> RecordInstance | None:
    """The class whose member function is being lowered, if it is one."""
    declaration = ctx.frame.declaration
    if not (ctx.frame.this if declaration is None else declaration.owner):  # the body of a lambda has no declaration
        return None
    if ctx.frame.this is not None:
        type = resolve.complete(ctx, methods.class_of(ctx.frame.this))
        found = methods.instance_of(ctx, type)
        if found is not None:
            return found
    root = ctx.frame.scope.root()
    records = ctx.unit.records.get(root.namespace)
    if not records:
        return None
    return RecordInstance(records[0].name, records[0], Scope(None, root.namespace, root.bindings))


def _own_method(ctx: Lowering, callee: syn.Name, call: syn.Call) -> Operand | None:
    """`f(x)` in a member function where the class has an `f`; `Base::f(x)` too."""
    instance = present_class(ctx)
    if instance is None:
        return None
    head, _, name = callee.name.rpartition("::")
    this = ctx.frame.this
    if head and this is not None:
        this = member_lookup.qualified_part(ctx, this, head)
        part = None if this is None else methods.instance_of(ctx, resolve.complete(ctx, methods.class_of(this)))
        if part is None:
            return None
        instance = part
    elif head:
        candidates = [i for i in methods.bases(ctx, instance) if i.definition.name == head.rpartition("::")[2]]
        if not candidates:
            return None
        instance = candidates[0]
    found = methods.methods_named(ctx, instance, name)
    if not found:
        return None
    arguments = inline.evaluate(ctx, call.args)
    object_, nodes = methods.object_type(ctx, ctx.frame.this), [a.node for a in arguments]
    given = [a.operand for a in arguments]
    method, _ = methods.find_method(ctx, instance, name, callee.template_args, given, object_, nodes)
    if method is None:
        reason = f"no '{name}' of '{instance.definition.name}' fits, or several do"
        return _opaque(ctx, CauseKind.ANALYSIS, reason, ctx.frame.this, arguments, call)
    if head or this is None:
        return methods.run_method(ctx, method, this, arguments, call)
    return methods.run_virtual(ctx, method, this, arguments, call)


def _static_method(ctx: Lowering, callee: syn.Name, call: syn.Call) -> Operand | None:
    """`Class<T>::f(x)`."""
    head, _, name = callee.name.rpartition("::")
    namespace = head in ctx.unit.namespaces and not ctx.unit.find_records(head, ctx.scope.root().namespace)
    if not head or namespace:
        return None
    both = callee.parts if len(callee.parts) > 1 and callee.parts[-2] and callee.parts[-1] else None
    class_args = both[-2] if both else callee.template_args
    type = resolve.find_type(ctx, head, class_args, both[:-1] if both else ())
    instance = None if type is None else methods.instance_of(ctx, type)
    if instance is None or not methods.methods_named(ctx, instance, name):
        return None
    arguments = inline.evaluate(ctx, call.args)
    # The one list of arguments is that of the class if it is a template.
    templated = instance.definition.template or instance.definition.specialisation
    own = None if templated and not both else callee.template_args
    method, ambiguous = methods.find_method(ctx, instance, name, own, [a.operand for a in arguments])
    if method is None:
        reason = f"{'several' if ambiguous else 'no'} '{callee.name}' that are declared here take these arguments"
        return _opaque(ctx, CauseKind.ANALYSIS if ambiguous else CauseKind.MISSING, reason, None, arguments, call)
    return _folded(ctx, method.declaration, method.bindings, arguments, call) or methods.run_method(
        ctx, method, None, arguments, call
    )


# --- the user's functions ---------------------------------------------------------------------------------------


def _call_functions(
    ctx: Lowering,
    name: str,
    declarations: Sequence[syn.FunctionDecl],
    template_args: Sequence[syn.TemplateArg | Binding] | None,
    call: syn.Call,
    more: associated.Associated | None = None,
) -> Operand:
    more = more or associated.NOTHING
    declarations = (*declarations, *more.functions)
    count = inline.argument_count(ctx, call.args)
    fitting = [d for d in overloads.definitions_first(declarations) if overloads.takes(d, count)]
    arguments = inline.evaluate(ctx, call.args, _by_value_in_all(fitting))
    operands = [a.operand for a in arguments]
    nodes = [a.node for a in arguments]
    choice = overloads.choose(ctx, fitting, template_args, operands, nodes=nodes, friends=more.bindings)
    rival = is_library(name)
    if choice.best is not None and not (rival and choice.best.worst >= overloads.CONVERSION):
        best = choice.best
        return _folded(ctx, best.declaration, best.bindings, arguments, call) or inline.inline(
            ctx, best.declaration, arguments, best.bindings, call
        )
    written = [arg for arg in template_args or () if isinstance(arg, syn.TypeNode | syn.Expr)] or None
    if rival or choice.best is not None:
        return _call_library(ctx, name, written, arguments, call)
    ctx.refuse(certain=not choice.ambiguous)
    if choice.ambiguous:
        reason = f"which overload of '{name}' is meant is not decided"
        return _opaque(ctx, CauseKind.ANALYSIS, reason, None, arguments, call)
    known = _library(ctx, name, written, arguments, call)
    if known is not None:
        return known
    reason = f"no '{name}' that is declared here takes these arguments"
    return _opaque(ctx, CauseKind.MISSING, reason, None, arguments, call)


def is_library(name: str) -> bool:
    """Whether the library has a function of that name, too."""
    bare = name.rpartition("::")[2]
    return (
        library.is_known(bare)
        or atomics.is_atomic(bare)
        or warp_primitives.is_warp_primitive(bare)
        or bare in barriers.NAMES
    )


def _by_value(parameters: Sequence[syn.Parameter]) -> inline.ByValue:
    """Which arguments are surely copied: those of parameters that are no references and no packs."""

    def by_value(position: int) -> bool:
        if position >= len(parameters) or any(p.pack for p in parameters[: position + 1]):
            return False
        return not isinstance(parameters[position].type, syn.ReferenceTo)

    return by_value


def _by_value_in_all(declarations: Sequence[syn.FunctionDecl]) -> inline.ByValue:
    tests = [_by_value(d.parameters) for d in declarations]
    return lambda position: bool(tests) and all(test(position) for test in tests)


def _folded(
    ctx: Lowering,
    declaration: syn.FunctionDecl,
    bindings: overloads.Bindings,
    arguments: Sequence[Argument],
    call: syn.Node,
) -> Value | None:
    """The value of a `constexpr` function whose arguments are constants."""
    if "constexpr" not in declaration.qualifiers and "consteval" not in declaration.qualifiers:
        return None
    values: list[Const] = []
    for argument in arguments:
        if argument.operand is None:
            return None
        with ctx.scratch() as block:
            operand = lower_lvalues.load(ctx, argument.operand, argument.node)
            value = constants.fold(operand.expr) if isinstance(operand, Value) and not block else None
        if value is None:
            return None
        values.append(value)
    result = constant_calls.evaluate(ctx, declaration, bindings, values)
    if result is None:
        return None
    ctx.called(call, declaration, bindings)
    return Value(result, result.type)


# --- members ----------------------------------------------------------------------------------------------------


def _call_member(ctx: Lowering, callee: syn.Member, call: syn.Call) -> Operand:
    base = lower_expressions.operand(ctx, callee.base)
    if isinstance(base, Closure) and callee.name == "operator()":
        return call_operand(ctx, base, call)
    if callee.arrow and not isinstance(type_of(base), PointerType):
        base = _followed(ctx, base, callee)
    if isinstance(base, Handle) and isinstance(base.payload, cooperative_groups.Group):
        arguments = inline.evaluate(ctx, call.args, lambda position: True)
        result = cooperative_groups.method(ctx, base.payload, callee.name, arguments, call)
        if result is not None:
            return result
        reason = f"'{callee.name}' of {base.payload.kind.value} is not analysed"
        return _opaque(ctx, CauseKind.UNSUPPORTED, reason, base, arguments, call)
    head, _, last = callee.name.rpartition("::")
    if head:
        return _call_qualified(ctx, base, head, last, callee, call)
    type = resolve.complete(ctx, methods.class_of(base))
    if methods.instance_of(ctx, type) is not None:
        return _call_class_member(ctx, base, callee, call, type)
    arguments = inline.evaluate(ctx, call.args)
    name = type.name if isinstance(type, OpaqueType | StructType | ScalarType) else "pointer"
    kind = CauseKind.UNSUPPORTED if _is_library_type(type) else CauseKind.MISSING
    return _opaque(ctx, kind, f"'{callee.name}' of the type '{name}', which is not visible", base, arguments, call)


def _call_qualified(ctx: Lowering, base: Operand, head: str, name: str, callee: syn.Member, call: syn.Call) -> Operand:
    """`object.Base::f(x)`: the function of that very class, virtual or not."""
    part = member_lookup.qualified_part(ctx, base, head)
    instance = None if part is None else methods.instance_of(ctx, resolve.complete(ctx, methods.class_of(part)))
    arguments = inline.evaluate(ctx, call.args)
    if part is not None and instance is not None and methods.methods_named(ctx, instance, name):
        object_, nodes = methods.object_type(ctx, base, callee.base), [a.node for a in arguments]
        given = [a.operand for a in arguments]
        method, _ = methods.find_method(ctx, instance, name, callee.template_args, given, object_, nodes)
        if method is not None:
            return methods.run_method(ctx, method, part, arguments, call)
    return _opaque(ctx, CauseKind.UNSUPPORTED, f"which '{callee.name}' is meant", base, arguments, call)


def _followed(ctx: Lowering, base: Operand, callee: syn.Member) -> Operand:
    """The object whose method `base->f()` calls: what a user-declared operator -> leads to, else `*base`."""
    if isinstance(resolve.complete(ctx, type_of(base)), StructType):
        found = lower_operator(ctx, "->", (base,), callee)
        if found is not None:
            return found
    return lower_expressions.operand(ctx, syn.Unary(span=callee.base.span, op="*", operand=callee.base))


def _is_library_type(type: Type) -> bool:
    return isinstance(type, OpaqueType) and type.why.startswith("library")


def _call_class_member(ctx: Lowering, base: Operand, callee: syn.Member, call: syn.Call, type: Type) -> Operand:
    instance = methods.instance_of(ctx, type)
    assert instance is not None
    overloaded = methods.methods_named(ctx, instance, callee.name)
    if not overloaded:
        return call_operand(ctx, lower_expressions.operand(ctx, callee), call)  # A member that can be called.
    fitting = [
        m.declaration for m in overloaded if overloads.takes(m.declaration, inline.argument_count(ctx, call.args))
    ]
    arguments = inline.evaluate(ctx, call.args, _by_value_in_all(fitting))
    result = methods.call_method(ctx, base, callee.name, callee.template_args, arguments, call, callee.base)
    assert result is not None
    return result


# --- the library ------------------------------------------------------------------------------------------------


def _call_library(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument] | None,
    call: syn.Call,
) -> Operand:
    if arguments is None:
        places = name.rpartition("::")[2] in _NEEDS_PLACES
        nodes = library.looked_at(name, call.args)
        arguments = inline.evaluate(ctx, nodes, None if places else lambda position: True)
    known = _library(ctx, name, template_args, arguments, call)
    if known is not None:
        return known
    reason = f"the function '{name}' is not declared here{headers_not_read(ctx.unit.tree)}"
    operands = [a.operand for a in arguments] + _reevaluated_as_places(ctx, call)
    return inline.opaque_call(ctx, CauseKind.MISSING, reason, operands, OpaqueType(name, reason), call.span)


def _reevaluated_as_places(ctx: Lowering, call: syn.Call) -> list[Operand | None]:
    """The local variables named as arguments: an unknown function may take them by reference."""
    found: list[Operand | None] = []
    for node in call.args:
        inner = node
        while isinstance(inner, syn.Member):
            inner = inner.base
        if isinstance(inner, syn.Name):
            bound = ctx.scope.find(inner.name)
            if bound is not None and not isinstance(bound, TypeBinding | TemplateBinding | PackBinding):
                found.append(bound)
    return found


def _library(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    call: syn.Call,
) -> Operand | None:
    canonical = library_types.qualified_name(ctx, name)
    if atomics.is_atomic(canonical):
        return atomics.call(ctx, canonical, arguments, call)
    if canonical in barriers.NAMES:
        return barriers.call(ctx, canonical, arguments, call)
    if warp_primitives.is_warp_primitive(canonical):
        return warp_primitives.call(ctx, canonical, arguments, call)
    group_prefix = cooperative_groups.NAMESPACE + "::"
    if canonical.startswith(group_prefix):
        found = _group_call(ctx, canonical.removeprefix(group_prefix), template_args, arguments, call)
        if found is not None:
            return found
    return library.call(ctx, canonical, template_args, arguments, call)


def _group_call(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    call: syn.Call,
) -> Operand | None:
    """A function of the namespace, or a static member of a group type (`cg::thread_block::sync()`)."""
    head, _, member = name.rpartition("::")
    if head and (kind := cooperative_groups.TYPES.get(head)) is not None:
        return cooperative_groups.method(ctx, cooperative_groups.Group(kind), member, arguments, call)
    return cooperative_groups.call(ctx, name, template_args, arguments, call)


# --- hooks that are implemented elsewhere -----------------------------------------------------------------------


def construct(ctx: Lowering, type: Type, args: Sequence[syn.Expr], node: syn.Node) -> Operand | None:
    """A new object by a user-declared constructor, or a library object; None if there is neither."""
    if isinstance(type, OpaqueType) and type.name.startswith(cooperative_groups.NAMESPACE + "::"):
        return _library_object(ctx, type, args)
    if _is_library_type(type):
        return Handle(LibraryObject(tuple(a.operand for a in inline.evaluate(ctx, args))), type)
    return constructors.construct(ctx, type, args, node)


def _library_object(ctx: Lowering, type: OpaqueType, args: Sequence[syn.Expr]) -> Operand | None:
    """`cg::plus<T>()`, and groups copied or declared without an initialiser (`cg::thread_block b;`)."""
    name = type.name.removeprefix(cooperative_groups.NAMESPACE + "::")
    if name in cooperative_groups.FUNCTORS:
        return cooperative_groups.functor(name)
    if len(args) == 1:
        copied = lower_expressions.rvalue(ctx, args[0])
        return copied if isinstance(copied, Handle) else None
    kind = cooperative_groups.TYPES.get(name)
    return cooperative_groups.handle(cooperative_groups.Group(kind)) if kind is not None and not args else None


def lower_operator(ctx: Lowering, op: str, operands: Sequence[Operand], node: syn.Expr) -> Operand | None:
    """A user-declared (or library) operator on structs; None if there is none."""
    return class_operators.lower_operator(ctx, op, operands, node)


def convert_struct(
    ctx: Lowering, operand: Operand, type: Type, node: syn.Node, explicit: bool = False
) -> Operand | None:
    """A user-defined conversion from or to a class; None if there is none.  `explicit`: a cast asks for it."""
    return class_conversions.convert_struct(ctx, operand, type, node, explicit)


def library_type(ctx: Lowering, name: str, args: Sequence[syn.TemplateArg] | None) -> Type | None:
    """A type of the toolkit that the text does not declare; None if it is not known."""
    return library_types.library_type(ctx, name, args)


def library_value(ctx: Lowering, name: str, node: syn.Name) -> Operand | None:
    """A constant of the toolkit that the text does not declare; None if it is not known."""
    return library_types.library_value(ctx, name, node)


def handle_member(ctx: Lowering, handle: Handle, node: syn.Member) -> Operand | None:
    """A data member of a library object: groups have none."""
    return None
