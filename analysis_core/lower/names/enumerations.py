"""Enumerations: their types, and the values of their enumerators."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.constants import constant as make_constant
from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import SHORT, UCHAR, USHORT
from analysis_core.ir.types import CHAR, INT, LONG, UINT, ULONG, ScalarKind, ScalarType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import Scope, TypeBinding, join
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Operand, Value
from analysis_core.syntax.read import tree as syn


def enum_type(ctx: Lowering, definition: syn.EnumDef) -> Type:
    """An enum is its underlying type: as declared, else the first of int, unsigned int and their longer relatives that holds its values."""
    name = join(definition.scope, definition.name)
    if definition.underlying is not None:
        fixed = resolve.resolve_type(ctx, definition.underlying)
        known = name in ctx.unit.enums and isinstance(fixed, ScalarType) and fixed.kind is ScalarKind.INT
        return replace(fixed, name=name) if known and isinstance(fixed, ScalarType) else fixed
    values = [enumerator_as_written(ctx, definition, i) for i in range(len(definition.enumerators))]
    found = [int(v.value) for v in values if v is not None]
    least, most = min(found, default=0), max(found, default=0)
    candidates = (CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG) if definition.packed else (INT, UINT, LONG, ULONG)
    base = next((c for c in candidates if _holds(c, least, most)), LONG)
    return ScalarType(
        ScalarKind.INT, base.size, base.signed, name if name in ctx.unit.enums else definition.name or base.name
    )


def has_signed_type(ctx: Lowering, definition: syn.EnumDef) -> bool:
    """Whether the underlying type of an enumeration that declares none is signed: that of a scoped one is int, others need a negative
    enumerator."""
    if definition.scoped or definition.underlying is not None:
        return True
    values = (enumerator_as_written(ctx, definition, i) for i in range(len(definition.enumerators)))
    return any(v is not None and v.value < 0 for v in values)


def _holds(type: ScalarType, least: int, most: int) -> bool:
    limit = 1 << (8 * type.size - type.signed)
    return (-limit if type.signed else 0) <= least and most < limit


def as_bits(ctx: Lowering, node: syn.TypeNode, type: Type) -> Type:
    """The type of a bit-field: that of an enumeration without a declared underlying type is unsigned unless an enumerator is negative."""
    made = node.definition if isinstance(node, syn.RecordType) else None
    definition = made if isinstance(made, syn.EnumDef) else None
    if isinstance(type, ScalarType) and definition is None:
        definition = ctx.unit.enums.get(type.name)
    if definition is None or not isinstance(type, ScalarType):
        return type
    return replace(type, signed=type.signed and has_signed_type(ctx, definition))


def enumerator_operand(ctx: Lowering, entry: tuple[syn.EnumDef, int], name: str, node: syn.Name) -> Operand:
    definition, position = entry
    value = enumerator(ctx, definition, position)
    if value is None:
        return ctx.opaque_constant(node.name, INT, node.span)
    return Value(value, value.type)


def enumerator(ctx: Lowering, definition: syn.EnumDef, position: int) -> Const | None:
    """The value of an enumerator in its enum's type; among the initialisers of the same enum, in that of its own."""
    number = enumerator_as_written(ctx, definition, position)
    if number is None or any(key.startswith(f"{_key_of(definition)}:") for key in ctx.resolving):
        return number
    key = (f"{_key_of(definition)} type", *_home(ctx, definition).bindings.items())
    known = ctx.constants.get(key)
    if known is None:
        known = Const(0, _promoted(enum_type(ctx, definition), definition))
        ctx.constants[key] = known
    return make_constant(number.value, known.type)


def _promoted(type: Type, definition: syn.EnumDef) -> Type:
    """What an enumerator is a number of: its enum, if that has a name, else the integer type that holds the values."""
    if definition.name:
        return type
    if definition.underlying is not None or not isinstance(type, ScalarType) or type.size < INT.size:
        return INT if definition.underlying is None else type
    return next(t for t in (INT, UINT, LONG, ULONG) if (t.size, t.signed) == (type.size, type.signed))


def _key_of(definition: syn.EnumDef) -> str:
    return f"enum {definition.span.file}:{definition.span.start}"


def enumerator_as_written(ctx: Lowering, definition: syn.EnumDef, position: int) -> Const | None:
    """The value of an enumerator: its initialiser, or one more than its predecessor's."""
    key = f"{_key_of(definition)}:{position}"
    home = _home(ctx, definition)
    instance = (key, *home.bindings.items())
    known = ctx.constants.get(instance)
    if known is not None or key in ctx.resolving:
        return known
    # Found iteratively: enums have thousands of enumerators without initialiser.
    start = position
    while start > 0 and definition.enumerators[start][1] is None:
        start -= 1
    init = definition.enumerators[start][1]
    base: Const | None = Const(0, INT)
    if init is not None:
        ctx.resolving.add(key)
        try:
            with ctx.in_scope(home):
                base = lower_expressions.constant(ctx, init)
        finally:
            ctx.resolving.discard(key)
    if base is None or not isinstance(base.value, int):
        return None
    number = base.value + position - start
    type: Type = base.type if isinstance(base.type, ScalarType) and base.type.size >= 4 else INT
    result = make_constant(number, type) if -(2**31) <= number < 2**31 else Const(number, base.type)
    if result is not None:
        ctx.constants[instance] = result
    return result


def bring_in(ctx: Lowering, node: syn.Node, target: str) -> None:
    """`using enum E;` in a body: all enumerators of `E`, by their names alone."""
    found = resolve.find_qualified(ctx, target, None)
    type = None if found is None else found.type
    enumeration = ctx.unit.enums.get(type.name) if isinstance(type, ScalarType) else None
    if enumeration is None:
        return
    for position, (name, _) in enumerate(enumeration.enumerators):
        spelled = syn.Name(span=node.span, name=name)
        ctx.scope.bind(name, enumerator_operand(ctx, (enumeration, position), name, spelled))


def declare_local(ctx: Lowering, node: syn.EnumDef) -> None:
    """Its name and its enumerators: those of an unscoped one are found with and without its name."""
    if node.name:
        ctx.scope.bind(node.name, TypeBinding(enum_type(ctx, node)))
    own = Scope(ctx.scope)
    previous: Const | None = None
    for position, (name, init) in enumerate(node.enumerators):
        if init is not None:
            with ctx.in_scope(own):
                previous = lower_expressions.constant(ctx, init)
        elif previous is None and position == 0:
            previous = Const(0, INT)
        elif previous is not None:
            previous = Const(int(previous.value) + 1, previous.type)
        value = ctx.opaque_constant(name, INT, node.span) if previous is None else Value(previous, previous.type)
        own.bind(name, value)
        if node.name:
            ctx.scope.bind(f"{node.name}::{name}", value)
        if not node.scoped:
            ctx.scope.bind(name, value)


def _home(ctx: Lowering, definition: syn.EnumDef) -> Scope:
    """From where the initialisers of an enum are read: its class (with its template arguments), or its namespace."""
    scope = join(definition.scope, definition.name)
    return Scope(None, scope, ctx.unit.arguments_in(ctx.scope.root(), definition.scope))
