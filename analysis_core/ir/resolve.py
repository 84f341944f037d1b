"""Types as written become types of the IR: names through scopes, templates bound, extents evaluated.

A record is laid out once per kernel and set of template arguments; its key ("ns::Tile<float, 16>") is its
`StructType.name`, under which `ctx.instances` has its definition.  Inside of itself a record is an `OpaqueType` with
`why` INCOMPLETE, which `complete` replaces when a pointer to it is followed.

A name that is declared nowhere is an `OpaqueType` and a recorded cause of kind MISSING.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from analysis_core.ir import constants, layout, lower_calls, lower_expressions, names
from analysis_core.ir.context import Lowering
from analysis_core.ir.effects import variables_in
from analysis_core.ir.nodes import Const, Expr, UnknownExpr
from analysis_core.ir.scalars import SIZE_T, VECTORS, scalar_named
from analysis_core.ir.scope import Binding, PackBinding, RecordInstance, Scope, TypeBinding, join
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import (
    INT,
    LONG,
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
from analysis_core.support.facts import CauseKind
from analysis_core.syntax import tree as syn

INCOMPLETE = "incomplete"
"""`OpaqueType.why` of a record that is being laid out."""

_ALIAS_DEPTH = 40


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
            return define(ctx, definition)
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
    found = lower_calls.library_type(ctx, name, node.template_args)
    if found is None:
        found = scalar_named(name) or VECTORS.get(name.removeprefix("cuda::std::"))
    if found is not None:
        return found
    if name == "auto":
        return OpaqueType("auto", "deduced from what it is initialised with")
    ctx.cause(CauseKind.MISSING, names.missing_reason(ctx, name, "type"), node.span)
    return OpaqueType(name, "it is not declared here")


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
    for candidate in unit.qualified(name, namespace):
        alias = unit.aliases.get(candidate)
        if alias is not None and f"alias {candidate}" not in ctx.resolving:
            return _aliased(ctx, candidate, alias, args)
        records = unit.records.get(candidate)
        if records:
            return instantiate(ctx, candidate, records, args or ())
        definition = unit.enums.get(candidate)
        if definition is not None:
            return enum_type(ctx, definition)
    head, _, last = name.rpartition("::")
    return _member_type(ctx, head, last, args) if head else None


def _member_type(ctx: Lowering, head: str, last: str, args: tuple[syn.TemplateArg, ...] | None) -> Type | None:
    """`T::value_type` where T is a template argument, an alias or a class template instance."""
    outer = find_type(ctx, head, args)
    if not isinstance(outer, StructType):
        return None
    instance = ctx.instances.get(outer.name)
    if instance is None:
        return None
    with ctx.in_scope(instance.scope):
        if join(instance.scope.namespace, last) in ctx.unit.aliases or last in instance.scope.bindings:
            return find_type(ctx, last, None)
    return None


def _aliased(ctx: Lowering, name: str, alias: syn.TypeAlias, args: tuple[syn.TemplateArg, ...] | None) -> Type | None:
    memo = f"alias {name}"
    known = ctx.types.get(memo) if alias.template is None else None
    if known is not None:
        return known
    bindings = bind_template(ctx, alias.template, args or (), alias.scope) if alias.template is not None else {}
    home = _home(ctx, alias.scope)
    ctx.resolving.add(memo)
    try:
        with ctx.in_scope(Scope(None, alias.scope, {**home, **bindings})):
            if isinstance(alias.type, syn.RecordType) and isinstance(alias.type.definition, syn.RecordDef):
                result = define(ctx, alias.type.definition, name)
            else:
                result = resolve_type(ctx, alias.type)
    finally:
        ctx.resolving.discard(memo)
    if alias.template is None and not ctx.scratch_depth and not home:
        ctx.types[memo] = result
    return result


def _home(ctx: Lowering, scope: str) -> Mapping[str, Binding]:
    """The template arguments in force for a member of class `scope`, while that class is being read."""
    root = ctx.scope.root()
    return root.bindings if root.namespace == scope else {}


# --- records and enums ------------------------------------------------------------------------------------------


def define(ctx: Lowering, definition: syn.RecordDef | syn.EnumDef, alias: str = "") -> Type:
    """The type of a record or enum defined where a type is written, or inside of a function.

    `alias`: the typedef that names it, if that is all the name it has."""
    if isinstance(definition, syn.EnumDef):
        return enum_type(ctx, definition)
    name = join(definition.scope, definition.name)
    if definition.name and definition in ctx.unit.records.get(name, ()):
        return record_type(ctx, definition, name, name, {})
    if not definition.name and alias:
        return record_type(ctx, definition, alias, alias, ctx.scope.root().bindings)
    key = f"{name}@{definition.span.start}"
    return record_type(ctx, definition, key, name, ctx.scope.root().bindings)


def instantiate(
    ctx: Lowering, name: str, records: Sequence[syn.RecordDef], args: tuple[syn.TemplateArg, ...]
) -> Type | None:
    """The record `name<args>`: the primary definition, or the specialisation that the arguments select."""
    primary = next((r for r in records if r.specialisation is None), records[0])
    if primary.template is None:
        # Inside of a class its own name means the present instance.
        root = ctx.scope.root()
        return record_type(ctx, records[-1], name, name, root.bindings if root.namespace == name else {})
    root = ctx.scope.root()
    if not args and (root.namespace == name or root.namespace.startswith(name + "::")):
        bindings: Mapping[str, Binding] = root.bindings
    else:
        bindings = bind_template(ctx, primary.template, args, primary.scope)
    given = [bindings.get(p.name or "") for p in primary.template]
    key = f"{name}<{', '.join(_key(ctx, b) for b in given)}>"
    for record in records:
        if record.specialisation is not None:
            special = _specialised(ctx, record, given)
            if special is not None:
                return record_type(ctx, record, key, name, special)
    return record_type(ctx, primary, key, name, bindings)


def _specialised(ctx: Lowering, record: syn.RecordDef, given: Sequence[Binding | None]) -> dict[str, Binding] | None:
    """The bindings under which a (partial) specialisation matches; patterns `T`, `T*` and constants are understood."""
    bindings: dict[str, Binding] = {}
    free = {p.name for p in record.template or () if p.name}
    for pattern, binding in zip(record.specialisation or (), given):
        name = pattern.name if isinstance(pattern, syn.NamedType | syn.Name) else None
        if name in free and binding is not None:
            bindings[str(name)] = binding
        elif isinstance(binding, TypeBinding) and isinstance(pattern, syn.TypeNode):
            target = pattern
            actual: Type | None = binding.type
            while isinstance(target, syn.PointerTo):
                target, actual = target.target, actual.target if isinstance(actual, PointerType) else None
            if actual is None:
                return None
            if isinstance(target, syn.NamedType) and target.name in free:
                bindings[target.name] = TypeBinding(actual)
            elif _key(ctx, TypeBinding(resolve_type(ctx, target))) != _key(ctx, TypeBinding(actual)):
                return None
        else:
            value = constants.fold(binding.expr) if isinstance(binding, Value) else None
            wanted = lower_expressions.constant(ctx, pattern) if isinstance(pattern, syn.Expr) else None
            if value is None or wanted is None or value.value != wanted.value:
                return None
    return bindings


def _key(ctx: Lowering, binding: Binding | None) -> str:
    """A template argument as part of a key: equal for equal arguments."""
    match binding:
        case TypeBinding(type=type):
            return type_key(type)
        case Value(expr=Const(value=value)):
            return str(value)
        case Register(var=var):
            return ctx.variables[var].name
        case PackBinding(elements=elements):
            return ", ".join(_key(ctx, element) for element in elements)
        case _:
            return "?"


def type_key(type: Type) -> str:
    """A spelling that is equal for equal types: "unsigned int" for `uint`."""
    match type:
        case ScalarType(kind=ScalarKind.INT):
            return f"{'' if type.signed else 'u'}int{8 * type.size}"
        case ScalarType(name=name) | StructType(name=name) | OpaqueType(name=name):
            return name
        case PointerType(target=target):
            return type_key(target) + "*"
        case ArrayType(element=element, extent=extent):
            return f"{type_key(element)}[{extent.value if isinstance(extent, Const) else ''}]"
        case _:
            assert_never(type)


def record_type(ctx: Lowering, definition: syn.RecordDef, key: str, name: str, bindings: Mapping[str, Binding]) -> Type:
    """The layout of a record under template arguments; `name` is its qualified name, `key` that of the instance."""
    known = ctx.types.get(key)
    if known is not None:
        return known
    if key in ctx.resolving or len(ctx.resolving) > _ALIAS_DEPTH:
        return OpaqueType(key, INCOMPLETE)
    ctx.resolving.add(key)
    scope = Scope(None, name, dict(bindings))
    ctx.instances[key] = RecordInstance(definition, scope)
    try:
        with ctx.in_scope(scope):
            result = _lay_out(ctx, definition, key)
    finally:
        ctx.resolving.discard(key)
    if not ctx.scratch_depth or isinstance(result, StructType):
        ctx.types[key] = result
    return result


def _lay_out(ctx: Lowering, definition: syn.RecordDef, key: str) -> Type:
    members: list[layout.Member] = []
    for base in definition.bases:
        type = resolve_type(ctx, base)
        if not isinstance(type, StructType):
            return OpaqueType(key, f"its base `{base.name}` is not declared here")
        members.append(layout.Member("", type, inherited=True, data_size=_data_size(ctx, type)))
    for declared in definition.fields:
        if declared.storage & {"static", "constexpr"}:
            continue
        type = _by_value(resolve_type(ctx, declared.type))
        if layout.size_of(type) is None and not (isinstance(type, ArrayType) and type.extent is None):
            return OpaqueType(key, f"the size of its member `{declared.name}` is not constant")
        if isinstance(type, OpaqueType):
            assume_size(ctx, type)
        members.append(
            layout.Member(
                declared.name,
                type,
                None if declared.bits is None else _int_constant(ctx, declared.bits) or 0,
                None if declared.alignment is None else _int_constant(ctx, declared.alignment),
            )
        )
    align = None if definition.alignment is None else _int_constant(ctx, definition.alignment)
    union = definition.keyword == "union"
    return layout.lay_out(key, members, union=union, packed=definition.packed, align=align).type


def _by_value(type: Type) -> Type:
    """The type of a member; a record that contains itself (half-typed text) must not be completed later."""
    if isinstance(type, ArrayType):
        return ArrayType(_by_value(type.element), type.extent)
    if isinstance(type, OpaqueType) and type.why == INCOMPLETE:
        return OpaqueType(type.name, "it contains itself")
    return type


def _data_size(ctx: Lowering, base: StructType) -> int | None:
    """Where members of a derived class may start: after the data of a base that is not POD, else after its size."""
    instance = ctx.instances.get(base.name)
    if instance is None:
        return None
    definition = instance.definition
    special = {definition.name, "~" + definition.name, "operator="}
    if not definition.bases and not any(method.name in special for method in definition.methods):
        return None
    return max((f.offset + (layout.size_of(f.type) or 0) for f in base.fields), default=0)


def _int_constant(ctx: Lowering, node: syn.Expr) -> int | None:
    value = lower_expressions.constant(ctx, node)
    if value is None or not isinstance(value.value, int) or not 0 <= value.value <= 1 << 16:
        return None
    return value.value


def enum_type(ctx: Lowering, definition: syn.EnumDef) -> Type:
    """An enum is its underlying type: as declared, else int, else what holds its values."""
    if definition.underlying is not None:
        return resolve_type(ctx, definition.underlying)
    values = [names.enumerator(ctx, definition, i) for i in range(len(definition.enumerators))]
    wide = any(v is not None and not -(2**31) <= int(v.value) < 2**32 for v in values)
    base = LONG if wide else INT
    return ScalarType(ScalarKind.INT, base.size, True, definition.name or base.name)


# --- sizes ------------------------------------------------------------------------------------------------------


def assume_size(ctx: Lowering, type: OpaqueType) -> None:
    """Records that the size of an opaque type is taken for granted."""
    ctx.assume(f"`{type.name}` has {layout.OPAQUE_BYTES} bytes ({type.why})")


def size_expr(ctx: Lowering, type: Type) -> Expr:
    """sizeof as an expression of type size_t: constant unless an extent is opaque."""
    factors: list[Expr] = []
    while isinstance(type, ArrayType):
        if type.extent is not None:
            factors.append(type.extent)
        type = type.element
    type = complete(ctx, type)
    if isinstance(type, OpaqueType):
        assume_size(ctx, type)
    element = layout.size_of(type) or 0
    # Arithmetic on `void*`, a common extension, counts bytes.
    result: Expr = Const(max(1, element) if type == VOID else element, SIZE_T)
    for extent in reversed(factors):
        result = lower_expressions.product(result, extent)
    return result


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
