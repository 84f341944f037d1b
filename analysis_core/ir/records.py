"""Records and enums: which definition a name with template arguments means, and its layout.

A record is laid out once per kernel and set of template arguments; its key ("ns::Tile<float, 16>") is its
`StructType.name`, under which `ctx.instances` has its definition.  Inside of itself a record is an `OpaqueType` with
`why` INCOMPLETE, which `resolve.complete` replaces when a pointer to it is followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from analysis_core.ir import constants, layout, lower_expressions, names, resolve
from analysis_core.ir.context import Lowering
from analysis_core.ir.nodes import Const
from analysis_core.ir.scope import Binding, PackBinding, RecordInstance, Scope, TypeBinding, join
from analysis_core.ir.types import (
    INT,
    LONG,
    ArrayType,
    OpaqueType,
    PointerType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)
from analysis_core.ir.values import Register, Value
from analysis_core.syntax import tree as syn

_NESTED = 40
"""Records inside of records (template recursion): deeper ones stay incomplete."""


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
        bindings = resolve.bind_template(ctx, primary.template, args, primary.scope)
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
            elif _key(ctx, TypeBinding(resolve.resolve_type(ctx, target))) != _key(ctx, TypeBinding(actual)):
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
    if key in ctx.resolving or len(ctx.resolving) > _NESTED:
        return OpaqueType(key, resolve.INCOMPLETE)
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
        type = resolve.resolve_type(ctx, base)
        if not isinstance(type, StructType):
            return OpaqueType(key, f"its base `{base.name}` is not declared here")
        members.append(layout.Member("", type, inherited=True, data_size=_data_size(ctx, type)))
    for declared in definition.fields:
        if declared.storage & {"static", "constexpr"}:
            continue
        type = _by_value(resolve.resolve_type(ctx, declared.type))
        if layout.size_of(type) is None and not (isinstance(type, ArrayType) and type.extent is None):
            return OpaqueType(key, f"the size of its member `{declared.name}` is not constant")
        if isinstance(type, OpaqueType):
            resolve.assume_size(ctx, type)
        members.append(
            layout.Member(
                declared.name,
                type,
                None if declared.bits is None else _int_constant(ctx, declared.bits) or 0,
                None if declared.alignment is None else _int_constant(ctx, declared.alignment),
                reference=isinstance(declared.type, syn.ReferenceTo),
            )
        )
    align = None if definition.alignment is None else _int_constant(ctx, definition.alignment)
    union = definition.keyword == "union"
    return layout.lay_out(key, members, union=union, packed=definition.packed, align=align).type


def _by_value(type: Type) -> Type:
    """The type of a member; a record that contains itself (half-typed text) must not be completed later."""
    if isinstance(type, ArrayType):
        return ArrayType(_by_value(type.element), type.extent)
    if isinstance(type, OpaqueType) and type.why == resolve.INCOMPLETE:
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
        return resolve.resolve_type(ctx, definition.underlying)
    values = [names.enumerator(ctx, definition, i) for i in range(len(definition.enumerators))]
    wide = any(v is not None and not -(2**31) <= int(v.value) < 2**32 for v in values)
    base = LONG if wide else INT
    return ScalarType(ScalarKind.INT, base.size, True, definition.name or base.name)
