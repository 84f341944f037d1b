"""Places: what can be assigned to, and the loads and stores that reading and writing one in memory takes.

One `Load` or `Store` is one request of a lane: a scalar, a pointer, or a piece of a record of up to 16 bytes (`record_copies`,
docs/hardware.md).  A bit-field is read and written through its whole storage unit.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir import constants, layout
from analysis_core.ir.nodes import Assign, Const, Expr, Load, Local, PtrAdd, Store, UnknownExpr, UnknownStmt
from analysis_core.ir.spelling import spelling
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import (
    INT,
    LONG,
    VOID,
    ArrayType,
    Field,
    OpaqueType,
    PointerType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import member_lookup, member_names, names, resolve
from analysis_core.lower.objects import bit_fields, conversions, opaque_places, parameter_members
from analysis_core.lower.statements import lower_calls, lower_expressions, record_copies
from analysis_core.lower.values import (
    ArrayValue,
    BitRange,
    Closure,
    FunctionName,
    Handle,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    Whole,
    type_of,
    unknown_value,
    with_category,
    with_const,
)
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import Span

COPIED_ELEMENTS = 64
"""Arrays inside of structs are copied element by element up to this many; beyond, the copy is an unknown."""


# --- reading ----------------------------------------------------------------------------------------------------


def load(ctx: Lowering, operand: Operand, node: syn.Node, compound: bool = False) -> Operand:
    """The rvalue of any operand: arrays decay to pointers, places are read.  `compound`: it is written next."""
    match operand:
        case Register(var=var, type=type, constant=constant, whole=whole):
            return Value(Local(var, type) if constant is None else constant, type, whole=whole)
        case StructPlace(type=type, fields=fields):
            return StructValue(type, tuple(_load_member(ctx, f, node, "") for f in fields), operand.const)
        case Memory(type=ArrayType(element=element)):
            pointer = PointerType(element, operand.volatile, const=operand.const)
            return Value(conversions.retype(operand.address, pointer), pointer)
        case Memory():
            return _load_memory(ctx, operand, node, "", compound)
        case Value() | StructValue() | ArrayValue() | RegisterPointer() | Handle() | FunctionName() | Closure():
            return operand


def _load_member(ctx: Lowering, operand: Operand, node: syn.Node, suffix: str) -> Operand:
    """A member of a struct that is read as a whole: arrays are read, not decayed."""
    if isinstance(operand, Memory):
        return _load_memory(ctx, operand, node, suffix, False)
    return load(ctx, operand, node)


def _load_memory(ctx: Lowering, place: Memory, node: syn.Node, suffix: str, compound: bool) -> Operand:
    type = resolve.complete(ctx, place.type)
    match type:
        case StructType():
            found = record_copies.load(ctx, place, type, node, suffix)
            return _load_struct(ctx, place, type, node, suffix) if found is None else found
        case ArrayType():
            count = _element_count(type)
            if count is None or count > COPIED_ELEMENTS:
                cause = ctx.cause(CauseKind.UNSUPPORTED, "an array is copied as a whole", node.span)
                return unknown_operand(cause, type)
            parts = (
                _load_memory(ctx, element_at(ctx, place, type, i), node, f"{suffix}[{i}]", False) for i in range(count)
            )
            return ArrayValue(type, tuple(parts))
        case ScalarType(kind=ScalarKind.VOID):
            return ctx.unknown(CauseKind.UNSUPPORTED, "a value of type void is read", node.span, INT)
        case ScalarType() | PointerType() | OpaqueType():
            return _load_scalar(ctx, place, type, node, suffix, compound)


def _load_scalar(
    ctx: Lowering, place: Memory, type: Type, node: syn.Node, suffix: str, compound: bool, merges: bool = False
) -> Value:
    if isinstance(type, OpaqueType):
        resolve.assume_size(ctx, type)
        place = opaque_places.place_of(ctx, place, type, node.span)
    if place.bits is not None and place.bits.unit is not None:
        return bit_fields.value(place.bits.unit, type, place.bits)
    text = spelling(node) + suffix
    kept = type if place.bits is None else bit_fields.storage(type)
    var = ctx.temporary(text, kept, node.span)
    width = layout.request_size(kept)
    access = ctx.access(node.span, text, width, kept, volatile=place.volatile, compound=compound, merges=merges)
    ctx.emit(Load((var,), place.address, access))
    value = Local(var, kept)
    return Value(value, type) if place.bits is None else bit_fields.value(value, type, place.bits)


def with_unit(ctx: Lowering, place: Operand, node: syn.Node) -> Operand:
    """A place that is read and then written: the storage unit of a bit-field is loaded once for both."""
    if not isinstance(place, Memory) or place.bits is None:
        return place
    unit = _load_scalar(ctx, replace(place, bits=None), bit_fields.storage(place.type), node, "", True).expr
    return replace(place, bits=replace(place.bits, unit=unit))


def _load_struct(ctx: Lowering, place: Memory, type: StructType, node: syn.Node, suffix: str) -> StructValue:
    """Member by member; of overlapping members (unions) the largest one is read, the others are unknown."""
    read = {i: _load_cover(ctx, place, type.fields[i], node, suffix) for i in layout.cover(type)}
    fields: list[Operand] = []
    for i, field in enumerate(type.fields):
        unit = next((v for j, v in read.items() if _same_unit(type.fields[j], field)), None)
        if field.bits is not None and isinstance(unit, Value):
            fields.append(Value(bit_fields.extract(unit.expr, BitRange(*field.bits), field.type), field.type))
        elif i in read:
            fields.append(read[i])
        else:
            reason = f"`{field.name}` shares its bytes with another member"
            fields.append(unknown_operand(Cause(CauseKind.DATA, reason, node.span), field.type))
    return StructValue(type, tuple(fields), place.const)


def _same_unit(left: Field, right: Field) -> bool:
    return left.bits is not None and left.offset == right.offset


def _load_cover(ctx: Lowering, place: Memory, field: Field, node: syn.Node, suffix: str) -> Operand:
    """The bytes of a field, of a bit-field its whole storage unit."""
    kept = field.type if field.bits is None else bit_fields.storage(field.type)
    whole = field_place(place, replace(field, type=kept, bits=None))
    return _load_memory(ctx, whole, node, f"{suffix}.{field.name}", False)


# --- writing ----------------------------------------------------------------------------------------------------


def store(
    ctx: Lowering,
    place: Operand,
    operand: Operand,
    node: syn.Node,
    *,
    whole: Span | None = None,
    compound: bool = False,
) -> Operand:
    """Converts `operand` to the place's type and writes it; the value written.

    `node` is the lvalue as spelled (span and text of the access), `whole` the span of the assignment."""
    value = conversions.convert(ctx, operand, type_of(place), node)
    span = node.span if whole is None else whole
    _store(ctx, place, value, node, span, "", compound)
    if isinstance(place, Memory) and place.bits is not None and isinstance(value, Value):
        return bit_fields.kept(value.expr, place.type, place.bits)
    return value


def _store(
    ctx: Lowering, place: Operand, value: Operand, node: syn.Node, span: Span, suffix: str, compound: bool
) -> None:
    if isinstance(value, RegisterPointer):
        value = spill(ctx, value, node)
    match place, value:
        case Register(), Value():
            ctx.emit(Assign(place.var, value.expr, span))
        case StructPlace(), StructValue():
            for field, part in zip(place.fields, value.fields):
                _store(ctx, field, part, node, span, suffix, compound)
        case Memory(), Value():
            _store_scalar(ctx, place, value.expr, node, suffix, compound)
        case Memory(), StructValue():
            _store_struct(ctx, place, value, node, span, suffix)
        case Memory(type=ArrayType() as type), ArrayValue():
            for i, element in enumerate(value.elements):
                _store(ctx, element_at(ctx, place, type, i), element, node, span, f"{suffix}[{i}]", compound)
        case _:
            _store_nothing(ctx, place, node)


def _store_nothing(ctx: Lowering, place: Operand, node: syn.Node) -> None:
    """An assignment that is not understood: the place, or (a call, a choice) all that it may be, is forgotten."""
    if isinstance(place, Value) and isinstance(place.expr, UnknownExpr):
        cause = place.expr.cause
    else:
        reason = f"the assignment to `{spelling(node)}` is not understood"
        cause = ctx.cause(CauseKind.UNSUPPORTED, reason, node.span)
    whole: syn.Node = node
    while isinstance(whole, syn.Member | syn.Subscript):
        whole = whole.base
    if isinstance(whole, syn.Name) and whole is not node:
        place = names.name_operand(ctx, whole)
    if isinstance(place, Register | StructPlace | Memory | Handle) or isinstance(whole, syn.Name):
        forget(ctx, place, cause, node)
    else:
        ctx.emit(UnknownStmt(cause, ctx.scope.visible_variables(), memory=True, leaves=False, span=node.span))


def forget(ctx: Lowering, place: Operand, cause: Cause, node: syn.Node) -> None:
    """The place may hold anything from now on; in memory that is a store of an unknown value."""
    match place:
        case Register(var=var, type=type):
            ctx.emit(Assign(var, UnknownExpr(cause, type), node.span))
        case StructPlace(fields=fields):
            for field in fields:
                forget(ctx, field, cause, node)
        case Memory(type=type):
            _store(ctx, place, unknown_operand(cause, type), node, node.span, "", False)
        case _:
            pass  # Not a place: nothing that could change.


def _store_scalar(ctx: Lowering, place: Memory, value: Expr, node: syn.Node, suffix: str, compound: bool) -> None:
    type, bits = place.type, place.bits
    if bits is not None:
        type = bit_fields.storage(type)
        unit = bits.unit or _load_scalar(ctx, replace(place, bits=None), type, node, suffix, True, merges=True).expr
        value = bit_fields.insert(unit, value, bits)
        compound = True
    if isinstance(type, OpaqueType):
        place = opaque_places.place_of(ctx, place, type, node.span)
    text = spelling(node) + suffix
    access = ctx.access(node.span, text, layout.request_size(type), type, volatile=place.volatile, compound=compound)
    ctx.emit(Store(place.address, (value,), access))


def _store_struct(ctx: Lowering, place: Memory, value: StructValue, node: syn.Node, span: Span, suffix: str) -> None:
    type = value.type
    if record_copies.store(ctx, place, value, node, suffix):
        return
    for i in layout.cover(type):
        field = type.fields[i]
        part = value.fields[i]
        if field.bits is not None:
            # A unit of bit-fields is written whole; its value is put together from fields, which nobody asks for.
            part = unknown_operand(Cause(CauseKind.DATA, "a unit of bit-fields", node.span), field.type)
        inner = field_place(place, replace(field, bits=None))
        _store(ctx, inner, part, node, span, f"{suffix}.{field.name}", False)


# --- finding places ---------------------------------------------------------------------------------------------


def field_place(place: Memory, field: Field) -> Memory:
    bits = None if field.bits is None else BitRange(*field.bits)
    address = conversions.moved(place.address, field.offset, field.type, place.volatile)
    whole = Whole(field.type, 0) if isinstance(field.type, StructType) else None
    return Memory(field.type, address, place.volatile, bits, const=field.is_const(place.const), whole=whole)


def element_at(ctx: Lowering, place: Memory, type: ArrayType, index: int | Expr) -> Memory:
    """An element of an array, an object of that very class."""
    at = Const(index, INT) if isinstance(index, int) else index
    found = indexed(ctx, place.address, type.element, at, place.volatile, place.const)
    return replace(found, whole=Whole(found.type, 0)) if isinstance(found.type, StructType) else found


def indexed(ctx: Lowering, pointer: Expr, element: Type, index: Expr, volatile: bool, const: bool = False) -> Memory:
    """The place `pointer[index]`; `pointer` addresses elements of type `element`."""
    address = add(ctx, pointer, index, PointerType(element, volatile))
    return Memory(resolve.complete(ctx, element), address, volatile, const=const)


def add(ctx: Lowering, pointer: Expr, index: Expr, type: PointerType) -> Expr:
    """`pointer + index` in elements of the target of `type`."""
    index = conversions.cast(index, conversions.promote(index.type))
    if not conversions.is_integer(index.type):
        index = conversions.cast(index, LONG)
    return PtrAdd(pointer, index, resolve.stride_expr(ctx, type.target), type)


def _element_count(type: ArrayType) -> int | None:
    return int(type.extent.value) if isinstance(type.extent, Const) else None


def dereference(ctx: Lowering, operand: Operand, node: syn.Node) -> Operand:
    """`*p`."""
    if isinstance(operand, RegisterPointer):
        return with_const(operand.place, operand.type.const)
    if isinstance(type_of(operand), StructType) and isinstance(node, syn.Expr):
        found = lower_calls.lower_operator(ctx, "*", (operand,), node)
        if found is not None:
            return found
    value = load(ctx, operand, node)
    match value:
        case Value(expr=expr, type=PointerType(target=target, volatile=volatile, const=const), whole=whole):
            return Memory(resolve.complete(ctx, target), expr, volatile, const=const, whole=whole)
        case RegisterPointer(place=place, type=type):
            return with_const(place, type.const)
        case FunctionName():
            return value
        case _:
            return unknown_place(ctx, value, node, "is not a pointer")


def unknown_place(ctx: Lowering, operand: Operand, node: syn.Node, what: str) -> Memory:
    """A place in memory at an address that nothing is known about."""
    type = type_of(operand)
    if isinstance(operand, Value) and isinstance(operand.expr, UnknownExpr):
        cause = operand.expr.cause
    elif isinstance(type, OpaqueType):
        cause = ctx.cause(CauseKind.MISSING, f"the type `{type.name}` is not known: {type.why}", node.span)
    else:
        cause = ctx.cause(CauseKind.UNSUPPORTED, f"`{spelling(node)}` {what}", node.span)
    target = OpaqueType("?", "its type is not known")
    return Memory(target, UnknownExpr(cause, PointerType(target)))


def subscript(ctx: Lowering, base: Operand, index: Operand, node: syn.Expr) -> Operand:
    """`base[index]`, either way round."""
    if isinstance(base, Memory) and isinstance(base.type, ArrayType):
        return with_category(element_at(ctx, base, base.type, _index(ctx, index, node)), base.category)
    if isinstance(resolve.complete(ctx, type_of(base)), StructType):
        called = lower_calls.lower_operator(ctx, "[]", (base, index), node)
        return called or unknown_place(ctx, base, node, "has no known operator []")
    pointer = load(ctx, base, node)
    if isinstance(pointer, RegisterPointer):
        at = load(ctx, index, node)
        if isinstance(at, Value) and constants.fold_int(at.expr) == 0:
            return with_const(pointer.place, pointer.type.const)
        pointer = spill(ctx, pointer, node)
    if isinstance(pointer, Value) and isinstance(pointer.type, PointerType):
        target = resolve.complete(ctx, pointer.type.target)
        at_index = _index(ctx, index, node)
        return indexed(ctx, pointer.expr, target, at_index, pointer.type.volatile, pointer.type.const)
    other = load(ctx, index, node)
    if isinstance(other, Value) and isinstance(other.type, PointerType) and isinstance(pointer, Value):
        target = resolve.complete(ctx, other.type.target)
        return indexed(ctx, other.expr, target, pointer.expr, other.type.volatile, other.type.const)
    place = unknown_place(ctx, pointer, node, "is not an array")
    if isinstance(other, Value) and conversions.is_integer(other.type):
        return indexed(ctx, place.address, place.type, other.expr, False)  # nobody knows in what
    return place


def _index(ctx: Lowering, index: Operand, node: syn.Expr) -> Expr:
    loaded = load(ctx, index, node)
    if isinstance(loaded, StructValue):
        loaded = lower_calls.convert_struct(ctx, loaded, INT, node) or loaded
    return lower_expressions.as_value(ctx, loaded, node).expr


def member(ctx: Lowering, base: Operand, name: str, node: syn.Node) -> Operand:
    """`base.name`."""
    if isinstance(base, RegisterPointer):
        base = with_const(base.place, base.type.const)
    if isinstance(base, Memory):
        base = replace(base, type=resolve.complete(ctx, base.type))
    head, _, last = name.rpartition("::")
    if head:
        part = member_lookup.qualified_part(ctx, base, head)
        return _other_member(ctx, base, name, node) if part is None else member(ctx, part, last, node)
    match base:
        case StructPlace(type=type, fields=fields) | StructValue(type=type, fields=fields):
            position = member_lookup.field_position(ctx, type, name)
            if position is not None:
                const = isinstance(base, StructPlace) and base.const
                return with_const(fields[position], type.fields[position].is_const(const))
        case Memory(type=StructType() as type):
            position = member_lookup.field_position(ctx, type, name)
            if position is not None:
                found = field_place(base, type.fields[position])
                return replace(found, type=resolve.complete(ctx, found.type))
        case Memory(type=OpaqueType()):
            return opaque_places.member_of(ctx, base, unknown_place(ctx, base, node, ""))
        case Register(type=OpaqueType() as type) if (
            held := parameter_members.member_of(ctx, base, type, name)
        ) is not None:
            return held
        case Value(type=OpaqueType() as type) | Register(type=OpaqueType() as type):
            unknown = base.expr if isinstance(base, Value) and isinstance(base.expr, UnknownExpr) else None
            reason = f"the members of `{type.name}` are not known: {type.why}"
            cause = unknown.cause if unknown is not None else ctx.cause(CauseKind.MISSING, reason, node.span)
            return unknown_value(cause, OpaqueType(f"{type.name}::{name}", type.why, unsized=type.unsized))
        case _:
            pass
    return _other_member(ctx, base, name, node)


def _other_member(ctx: Lowering, base: Operand, name: str, node: syn.Node) -> Operand:
    """Static members, and what is not there."""
    type = type_of(base)
    found = member_names.of_class(ctx, type, syn.Name(span=node.span, name=name))
    if found is not None:
        return found
    ctx.refuse(certain=isinstance(type, StructType | ScalarType | PointerType))
    reason = f"no member `{name}` of `{spell(type)}` is known"
    return ctx.unknown(CauseKind.UNSUPPORTED, reason, node.span, OpaqueType(name, reason))


def address_of(ctx: Lowering, operand: Operand, node: syn.Node) -> Operand:
    """`&operand`."""
    match operand:
        case Memory(bits=None):
            pointer = PointerType(operand.type, operand.volatile, const=operand.const)
            return Value(conversions.retype(operand.address, pointer), pointer, whole=operand.whole)
        case Register() | StructPlace():
            return RegisterPointer(operand, PointerType(operand.type, const=operand.const))
        case FunctionName() | Handle():
            return operand
        case _:
            reason = f"the address of `{spelling(node)}` is not understood"
            return ctx.unknown(CauseKind.UNSUPPORTED, reason, node.span, PointerType(VOID))


def spill(ctx: Lowering, pointer: RegisterPointer, node: syn.Node) -> Value:
    """A register's address as a real pointer: the variable is marked, and in the next round it lives in memory."""
    ctx.escape(pointer.place)
    return ctx.unknown(CauseKind.ANALYSIS, "the address of a temporary is used as a value", node.span, pointer.type)


# --- unknowns ---------------------------------------------------------------------------------------------------


def unknown_operand(cause: Cause, type: Type) -> Operand:
    """An rvalue of any type about which nothing else is known."""
    match type:
        case StructType(fields=fields):
            return StructValue(type, tuple(unknown_operand(cause, field.type) for field in fields))
        case ArrayType(element=element):
            count = _element_count(type)
            known = count if count is not None and count <= COPIED_ELEMENTS else 0
            return ArrayValue(type, (unknown_operand(cause, element),) * known)
        case _:
            return unknown_value(cause, type)


def unknown_of(ctx: Lowering, operand: Operand, type: Type, node: syn.Node) -> Operand:
    """An unknown of `type` for the reason that makes `operand` unknown."""
    if isinstance(operand, Value) and isinstance(operand.expr, UnknownExpr):
        return unknown_operand(operand.expr.cause, type)
    given = type_of(operand)
    why = given.why if isinstance(given, OpaqueType) else "it is not understood"
    reason = f"a value of type `{spell(given)}` is not known: {why}"
    return unknown_operand(ctx.cause(CauseKind.MISSING, reason, node.span), type)
