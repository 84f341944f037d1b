"""Types as written become types of the IR: names through scopes, templates bound, extents evaluated.

A name that is declared nowhere is an `OpaqueType` and a recorded cause of kind MISSING.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.ir import constants, layout, lower_calls, lower_expressions, member_lookup, names, records
from analysis_core.ir.context import Lowering
from analysis_core.ir.effects import variables_in
from analysis_core.ir.nodes import Const, Expr, UnknownExpr
from analysis_core.ir.scalars import LONG_DOUBLE, SIZE_T, VECTORS, scalar_named
from analysis_core.ir.scope import Binding, PackBinding, RecordInstance, Scope, TypeBinding, join
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import (
    INT,
    NOT_DECLARED,
    VOID,
    ArrayType,
    OpaqueType,
    PointerType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)
from analysis_core.ir.values import Register, Value, type_of
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax import tree as syn

INCOMPLETE = "incomplete"
"""`OpaqueType.why` of a record that is being laid out."""

_BASES = 16
"""Levels of base classes that are searched for a member type."""


def resolve_type(ctx: Lowering, node: syn.TypeNode) -> Type:
    """The type that `node` spells in the present scope.  References become pointers; qualifiers of the outermost
    level are dropped (declarations read them from the node)."""
    match node:
        case syn.NamedType():
            return _named(ctx, node)
        case syn.PointerTo(target=target):
            return pointer_to(ctx, target, restrict="__restrict__" in node.qualifiers)
        case syn.ReferenceTo(target=target):
            return pointer_to(ctx, target, restrict="__restrict__" in node.qualifiers)
        case syn.ArrayOf(element=element, extent=extent):
            return ArrayType(resolve_type(ctx, element), None if extent is None else _extent(ctx, extent))
        case syn.FunctionOf():
            return OpaqueType("function", "a function type")
        case syn.RecordType(definition=definition):
            return records.define(ctx, definition)
        case _:
            return OpaqueType("?", "a type that was not read")


def pointer_to(ctx: Lowering, target: syn.TypeNode, restrict: bool = False) -> PointerType:
    """A pointer to the type that `target` spells, with that type's const and volatile."""
    qualifiers = qualifiers_of(target)
    return PointerType(resolve_type(ctx, target), "volatile" in qualifiers, restrict, "const" in qualifiers)


def qualifiers_of(node: syn.TypeNode) -> frozenset[str]:
    """The qualifiers of an object of this type: those of an array are its elements'."""
    qualifiers = node.qualifiers
    while isinstance(node, syn.ArrayOf):
        node = node.element
        qualifiers |= node.qualifiers
    return qualifiers


def complete(ctx: Lowering, type: Type) -> Type:
    """The definition of a record that was only known by name when a pointer to it was made."""
    if isinstance(type, OpaqueType) and type.why == INCOMPLETE:
        return ctx.types.get(type.name, type)
    return type


def _extent(ctx: Lowering, node: syn.Expr) -> Expr:
    """The extent of an array: a constant, an expression of opaque constants, or a recorded unknown."""
    value = lower_expressions.constant(ctx, node)
    if value is not None and isinstance(value.value, int):
        return Const(max(0, value.value), SIZE_T)
    with ctx.block() as block:
        expr = lower_expressions.value(ctx, node).expr
    if isinstance(expr, UnknownExpr):
        return expr
    read = variables_in(expr)
    if read and not block and all(ctx.variables[var].parameter for var in read):
        return expr
    cause = ctx.cause(CauseKind.UNSUPPORTED, f"the extent `{spelling(node)}` is not a constant", node.span)
    return UnknownExpr(cause, SIZE_T)


# --- names ------------------------------------------------------------------------------------------------------


def _named(ctx: Lowering, node: syn.NamedType) -> Type:
    name = node.name.removeprefix("::")
    for word in ("struct ", "class ", "union ", "enum ", "typename "):
        name = name.removeprefix(word)
    if name == "decltype" and node.operand is not None:
        return lower_expressions.type_of_expression(ctx, node.operand)
    if " " in name or name in _KEYWORDS:
        known = scalar_named(name)
        if known is not None:
            return known
    found = find_type(ctx, name, node.template_args)
    if found is not None:
        return found
    plain = name.removeprefix("cuda::").removeprefix("std::")
    found = scalar_named(plain) if plain != name else None  # std::int64_t is a scalar before it is of the library
    if found is None:
        found = lower_calls.library_type(ctx, name, node.template_args)
    if found is None:
        found = scalar_named(name) or VECTORS.get(name.removeprefix("cuda::std::"))
    if found is not None:
        return found
    if name == "auto":
        return OpaqueType("auto", "deduced from what it is initialised with")
    ctx.cause(CauseKind.MISSING, names.missing_reason(ctx, name, "type"), node.span)
    return OpaqueType(name, NOT_DECLARED)


_KEYWORDS = frozenset(
    [
        "void",
        "bool",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "unsigned",
        "signed",
        "wchar_t",
        "__int64",
        "__int128",
    ]
)


def find_type(ctx: Lowering, name: str, args: tuple[syn.TemplateArg, ...] | None) -> Type | None:
    """The type that `name<args>` names from the present scope; None if the unit declares none of that name."""
    if "::" not in name:
        binding = ctx.scope.find(name)
        if isinstance(binding, TypeBinding):
            return binding.type
        if binding is not None:
            return None
    unit, namespace = ctx.unit, ctx.scope.root().namespace
    head, _, last = name.rpartition("::")
    if head and not name.startswith("::"):
        found = _member_type(ctx, head, last, args)
        if found is not None:
            return found
    elif not head:
        here = enclosing_instance(ctx)
        nested = None if here is None else _nested_type(ctx, here, last, args, None)
        if nested is None:
            nested = _inherited_type(ctx, last, args)
        if nested is not None:
            return nested
    for candidate in unit.qualified(name, namespace):
        alias = unit.aliases.get(candidate)
        if alias is not None and f"alias {candidate}" not in ctx.resolving:
            return _aliased(ctx, candidate, alias, args)
        definitions = unit.records.get(candidate)
        if definitions:
            return records.instantiate(ctx, candidate, definitions, args or ())
        definition = unit.enums.get(candidate)
        if definition is not None:
            return records.enum_type(ctx, definition)
    return None


def _member_type(ctx: Lowering, head: str, last: str, args: tuple[syn.TemplateArg, ...] | None) -> Type | None:
    """`T::value_type`, `Traits<T>::type`: members of a template argument, an alias or a class template instance.

    Members are sought in the definition that the arguments select: specialisations declare the same names."""
    if head in ctx.unit.namespaces and not ctx.unit.find_records(head, ctx.scope.root().namespace):
        return None
    outer = find_type(ctx, head, args)
    instance = ctx.instances.get(outer.name) if isinstance(outer, StructType | OpaqueType) else None
    return None if instance is None else _nested_type(ctx, instance, last, args, _BASES)


def _nested_type(
    ctx: Lowering, instance: RecordInstance, name: str, args: tuple[syn.TemplateArg, ...] | None, bases: int | None
) -> Type | None:
    """The type that a class declares under `name`, or one of its bases, so many levels up.

    `bases` None: the names of bases themselves are being read, which are not members."""
    bound = instance.scope.bindings.get(name)
    if isinstance(bound, TypeBinding):
        return bound.type
    for member in instance.definition.nested:
        match member:
            case syn.TypeAlias(name=found) if found == name:
                key = f"{instance_key(ctx, instance)}::{name}"
                return None if f"alias {key}" in ctx.resolving else _aliased(ctx, key, member, args, instance.scope)
            case syn.RecordDef(name=found, template=None) if found == name:
                inside = join(instance.scope.namespace, name)
                return records.record_type(
                    ctx, member, f"{instance_key(ctx, instance)}::{name}", inside, instance.scope.bindings
                )
            case syn.EnumDef(name=found) if found == name:
                with ctx.in_scope(instance.scope):
                    return records.enum_type(ctx, member)
            case _:
                pass
    for base in instance.definition.bases if bases else ():
        with ctx.in_scope(instance.scope):
            type = resolve_type(ctx, base)
        parent = ctx.instances.get(type.name) if isinstance(type, StructType) else None
        if parent is not None and parent.definition.name == name:
            return type
        found_there = None if parent is None else _nested_type(ctx, parent, name, args, (bases or 1) - 1)
        if found_there is not None:
            return found_there
    return None


def _inherited_type(ctx: Lowering, name: str, args: tuple[syn.TemplateArg, ...] | None) -> Type | None:
    """The type that a base of the present class declares, if the class declares none of that name itself."""
    root = ctx.scope.root()
    type = ctx.types.get(root.namespace)
    if not isinstance(type, StructType) or member_lookup.declares(ctx, type, name):
        return None
    pending = [base.type for base in type.bases]
    while pending:
        parent = pending.pop(0)
        instance = ctx.instances.get(parent.name)
        if instance is not None and instance.definition.name == name:
            return parent
        found = None if instance is None else _nested_type(ctx, instance, name, args, None)
        if found is not None:
            return found
        pending += [base.type for base in parent.bases]
    return None


def instance_key(ctx: Lowering, instance: RecordInstance) -> str:
    """The name under which an instance is registered."""
    return next((key for key, known in ctx.instances.items() if known is instance), instance.definition.name)


def enclosing_instance(ctx: Lowering) -> RecordInstance | None:
    """The class in whose scope names are being read, where several specialisations declare the same names."""
    root = ctx.scope.root()
    if len(ctx.unit.records.get(root.namespace, ())) < 2:
        return None
    for instance in ctx.instances.values():
        scope = instance.scope
        if scope is root or (scope.namespace == root.namespace and scope.bindings.items() <= root.bindings.items()):
            return instance
    return None


def _aliased(
    ctx: Lowering,
    name: str,
    alias: syn.TypeAlias,
    args: tuple[syn.TemplateArg, ...] | None,
    inside: Scope | None = None,
) -> Type | None:
    """What a typedef stands for; `inside`: the scope of the class instance that declares it."""
    memo = f"alias {name}"
    known = ctx.types.get(memo) if alias.template is None else None
    if known is not None:
        return known
    bindings = bind_template(ctx, alias.template, args or (), alias.scope) if alias.template is not None else {}
    home = _home(ctx, alias.scope) if inside is None else inside.bindings
    ctx.resolving.add(memo)
    try:
        with ctx.in_scope(Scope(None, alias.scope if inside is None else inside.namespace, {**home, **bindings})):
            if isinstance(alias.type, syn.RecordType) and isinstance(alias.type.definition, syn.RecordDef):
                result = records.define(ctx, alias.type.definition, name)
            else:
                result = resolve_type(ctx, alias.type)
    finally:
        ctx.resolving.discard(memo)
    if alias.template is None and not ctx.scratch_depth and (not home or inside is not None):
        ctx.types[memo] = result
    return result


def _home(ctx: Lowering, scope: str) -> Mapping[str, Binding]:
    """The template arguments in force for a member of class `scope`, while that class is being read."""
    root = ctx.scope.root()
    return root.bindings if root.namespace == scope else {}


def record_type(ctx: Lowering, definition: syn.RecordDef, key: str, name: str, bindings: Mapping[str, Binding]) -> Type:
    """`records.record_type`, for modules that only ask for types."""
    return records.record_type(ctx, definition, key, name, bindings)


# --- sizes ------------------------------------------------------------------------------------------------------


def assume_size(ctx: Lowering, type: OpaqueType) -> None:
    """Records that the size of an opaque type is taken for granted, where nobody says it."""
    if type.size is not None or type.unsized:
        return
    ctx.assume(f"`{type.name}` has {layout.OPAQUE_BYTES} bytes ({type.why})")


def unknown_size(ctx: Lowering, type: OpaqueType) -> Cause:
    """Why the size of a type is not known, as a recorded cause."""
    return ctx.cause(CauseKind.MISSING, f"the size of `{type.name}` is not known: {type.why}", None)


def size_expr(ctx: Lowering, type: Type) -> Expr:
    """sizeof as an expression of type size_t: constant unless an extent is opaque."""
    factors: list[Expr] = []
    while isinstance(type, ArrayType):
        if type.extent is not None:
            factors.append(type.extent)
        type = type.element
    type = complete(ctx, type)
    if isinstance(type, OpaqueType):
        if type.unsized:
            return UnknownExpr(unknown_size(ctx, type), SIZE_T)
        assume_size(ctx, type)
    element = layout.size_of(type) or 0
    # Arithmetic on `void*`, a common extension, counts bytes.
    result: Expr = Const(max(1, element) if type == VOID else element, SIZE_T)
    for extent in reversed(factors):
        result = lower_expressions.product(result, extent)
    return result


def stride_expr(ctx: Lowering, type: Type) -> Expr:
    """Bytes from one element of an array to the next.  nvcc says that a `long double` has 16 bytes and treats it as a `double`: how far
    apart objects with one lie in device code is not what sizeof says."""
    if _holds_long_double(type):
        reason = "device code keeps a `long double` as a `double`, in fewer bytes than its size says"
        return UnknownExpr(ctx.cause(CauseKind.UNSUPPORTED, reason, None), SIZE_T)
    return size_expr(ctx, type)


def _holds_long_double(type: Type) -> bool:
    while isinstance(type, ArrayType):
        type = type.element
    if isinstance(type, StructType):
        return any(_holds_long_double(field.type) for field in type.fields)
    return type == LONG_DOUBLE


def alignment_expr(ctx: Lowering, type: Type) -> Expr:
    """alignof as an expression of type size_t."""
    while isinstance(type, ArrayType):
        type = type.element
    type = complete(ctx, type)
    if isinstance(type, OpaqueType):
        if type.unsized:
            return UnknownExpr(unknown_size(ctx, type), SIZE_T)
        assume_size(ctx, type)
    return Const(layout.align_of(type), SIZE_T)


# --- template arguments -----------------------------------------------------------------------------------------


def bind_template(
    ctx: Lowering,
    parameters: tuple[syn.TemplateParameter, ...] | None,
    args: Sequence[syn.TemplateArg],
    namespace: str,
) -> dict[str, Binding]:
    """Explicit template arguments, read in the present scope, and defaults, read in `namespace`, as bindings.

    A parameter without either is opaque: a type with an assumed size, or a constant with an assumed sign."""
    bindings: dict[str, Binding] = {}
    for position, parameter in enumerate(parameters or ()):
        name = parameter.name or f"(parameter {position})"
        if parameter.pack:
            bindings[name] = PackBinding(tuple(_argument(ctx, parameter, arg) for arg in args[position:]))
        elif position < len(args):
            bindings[name] = _argument(ctx, parameter, args[position])
        elif parameter.default is not None:
            with ctx.in_scope(Scope(None, namespace, dict(bindings))):
                bindings[name] = _argument(ctx, parameter, parameter.default)
        else:
            bindings[name] = opaque_argument(ctx, parameter, name)
    return bindings


def opaque_argument(ctx: Lowering, parameter: syn.TemplateParameter, name: str) -> TypeBinding | Register:
    """What stands for a template parameter that nobody gave an argument."""
    if parameter.type is None:
        return TypeBinding(OpaqueType(name, "a template parameter without an instantiation in this file"))
    type = resolve_type(ctx, parameter.type)
    return ctx.opaque_constant(name, type if isinstance(type, ScalarType) else INT, parameter.span)


def _argument(ctx: Lowering, parameter: syn.TemplateParameter, arg: syn.TemplateArg) -> TypeBinding | Value | Register:
    """One argument; the parameter decides between a type and a value where the spelling leaves it open."""
    if parameter.type is None:
        if isinstance(arg, syn.Name):
            arg = syn.NamedType(span=arg.span, name=arg.name, template_args=arg.template_args)
        if isinstance(arg, syn.TypeNode):
            return TypeBinding(resolve_type(ctx, arg))
        return TypeBinding(OpaqueType(spelling(arg), "not a type"))
    if isinstance(arg, syn.NamedType):
        arg = syn.Name(span=arg.span, name=arg.name, template_args=arg.template_args)
    if not isinstance(arg, syn.Expr):
        return Value(
            UnknownExpr(ctx.cause(CauseKind.UNSUPPORTED, "a type where a value is expected", arg.span), INT), INT
        )
    return _value_argument(ctx, resolve_type(ctx, parameter.type), arg)


def _value_argument(ctx: Lowering, type: Type, arg: syn.Expr) -> Value | Register:
    value = lower_expressions.constant(ctx, arg)
    if value is not None:
        converted = constants.constant(value.value, type) if isinstance(type, ScalarType) else None
        converted = converted or value
        return Value(converted, converted.type)
    if isinstance(arg, syn.Name):
        operand = lower_expressions.operand(ctx, arg)
        if isinstance(operand, Register) and ctx.variables[operand.var].parameter and not ctx.frame.function:
            return operand
        if isinstance(operand, Register | Value):
            return operand
        return ctx.opaque_constant(arg.name, type_of(operand), arg.span)
    integral = type if isinstance(type, ScalarType) and type.kind is not ScalarKind.VOID else INT
    return ctx.opaque_constant(spelling(arg), integral, arg.span)
