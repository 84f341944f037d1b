"""Records and enums: which definition a name with template arguments means, and its layout.

A record is laid out once per kernel and set of template arguments; its key ("ns::Tile<float, 16>") is its
`StructType.name`, under which `ctx.instances` has its definition.  Inside of itself a record is an `OpaqueType` with
`why` INCOMPLETE, which `resolve.complete` replaces when a pointer to it is followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from analysis_core.ir import constants, layout, layout_pod, lower_expressions, names, record_layout, resolve
from analysis_core.ir.context import Lowering
from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import SHORT, UCHAR, USHORT
from analysis_core.ir.scope import Binding, PackBinding, RecordInstance, Scope, TypeBinding, join
from analysis_core.ir.types import (
    CHAR,
    INT,
    LONG,
    UINT,
    ULONG,
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
    members: list[record_layout.Member] = []
    for base in definition.bases:
        member = _base(ctx, base)
        if isinstance(member, str):
            return OpaqueType(key, member, unsized=True)
        members.append(member)
    for declared in definition.fields:
        if declared.storage & {"static", "constexpr"}:
            continue
        member = _member(ctx, declared)
        if isinstance(member, str):
            return OpaqueType(key, member, unsized=True)
        members.append(member)
    shape = _shape(ctx, definition)
    if isinstance(shape, str):
        return OpaqueType(key, shape, unsized=True)
    reason = record_layout.disputed(members, shape)
    if reason is not None:
        return OpaqueType(key, f"compilers do not agree {reason}", unsized=True)
    layout = record_layout.lay_out(key, members, shape)
    if layout.doubt is not None:
        return OpaqueType(key, f"compilers do not agree {layout.doubt}", unsized=True)
    ctx.layouts[key] = layout
    return layout.type


def _base(ctx: Lowering, base: syn.NamedType) -> record_layout.Member | str:
    """A base class as a member, or why its layout is not known."""
    type = resolve.resolve_type(ctx, base)
    layout = layout_of(ctx, type)
    if layout is None:
        return f"its base `{base.name}` is not declared here"
    virtual = "virtual" in base.qualifiers
    return record_layout.Member("", type, inherited=True, virtual=virtual, layout=layout)


def layout_of(ctx: Lowering, type: Type) -> record_layout.Layout | None:
    """The layout of a class, also of one that was resolved for another kernel."""
    if not isinstance(type, StructType | OpaqueType) or (isinstance(type, OpaqueType) and type.size is None):
        return None
    instance = ctx.instances.get(type.name)
    if type.name not in ctx.layouts and instance is not None:
        with ctx.in_scope(instance.scope):
            _lay_out(ctx, instance.definition, type.name)
    known = ctx.layouts.get(type.name)
    return known if known is not None else record_layout.plain(type) if isinstance(type, StructType) else None


def _member(ctx: Lowering, declared: syn.VarDecl) -> record_layout.Member | str:
    """A member before layout, or why it has none."""
    type = _by_value(resolve.resolve_type(ctx, declared.type))
    if layout.size_of(type) is None and not (isinstance(type, ArrayType) and type.extent is None):
        return f"the size of its member `{declared.name}` is not constant"
    if isinstance(type, OpaqueType):
        resolve.assume_size(ctx, type)
    align = _alignment(ctx, declared.alignments)
    bits = None if declared.bits is None else _int_constant(ctx, declared.bits)
    if align is None or (bits is None and declared.bits is not None):
        return f"what is said of the layout of its member `{declared.name}` is not constant"
    element = type
    while isinstance(element, ArrayType):
        element = element.element
    return record_layout.Member(
        declared.name,
        type,
        bits,
        align or None,
        overlaps=declared.overlaps,
        packed=declared.packed,
        reference=isinstance(declared.type, syn.ReferenceTo),
        layout=layout_of(ctx, element),
    )


def _shape(ctx: Lowering, definition: syn.RecordDef) -> record_layout.Shape | str:
    """What the definition says beside its members, or why it is not known."""
    align = _alignment(ctx, definition.alignments)
    if align is None:
        return "its alignment is not constant"
    if definition.pack < 0:
        return "the number of bytes in a `#pragma pack` is not understood"
    return record_layout.Shape(
        union=definition.keyword == "union",
        packed=definition.packed,
        pack=definition.pack,
        align=align or None,
        table=any("virtual" in method.qualifiers for method in definition.methods),
        pod=layout_pod.own_pod(definition),
    )


def _alignment(ctx: Lowering, nodes: Sequence[syn.Expr]) -> int | None:
    """The strictest of the alignments that are asked for, 0 if there are none; None if one is no constant."""
    found = [_int_constant(ctx, node) for node in nodes]
    return None if None in found else max((value for value in found if value is not None), default=0)


def _by_value(type: Type) -> Type:
    """The type of a member; a record that contains itself (half-typed text) must not be completed later."""
    if isinstance(type, ArrayType):
        return ArrayType(_by_value(type.element), type.extent)
    if isinstance(type, OpaqueType) and type.why == resolve.INCOMPLETE:
        return OpaqueType(type.name, "it contains itself")
    return type


def _int_constant(ctx: Lowering, node: syn.Expr) -> int | None:
    value = lower_expressions.constant(ctx, node)
    if value is None or not isinstance(value.value, int) or not 0 <= value.value <= 1 << 16:
        return None
    return value.value


def enum_type(ctx: Lowering, definition: syn.EnumDef) -> Type:
    """An enum is its underlying type: as declared, else the first of int, unsigned int and their longer relatives that holds its values."""
    if definition.underlying is not None:
        return resolve.resolve_type(ctx, definition.underlying)
    values = [names.enumerator(ctx, definition, i) for i in range(len(definition.enumerators))]
    known = [int(v.value) for v in values if v is not None]
    least, most = min(known, default=0), max(known, default=0)
    candidates = (CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG) if definition.packed else (INT, UINT, LONG, ULONG)
    base = next((c for c in candidates if _holds(c, least, most)), LONG)
    return ScalarType(ScalarKind.INT, base.size, base.signed, definition.name or base.name)


def _holds(type: ScalarType, least: int, most: int) -> bool:
    limit = 1 << (8 * type.size - type.signed)
    return (-limit if type.signed else 0) <= least and most < limit
