"""The parts of an object that are its base classes, and the way back.

A base's members are some of the derived class's (`types.Base`), so a part is the same places under the base's type: a slice of
variables, or an address further on.  What object a part belongs to goes along (`whole`), as far as it is known: that is the dynamic
type by which virtual calls are decided ([class.virtual]) and what a cast to the derived class leads back to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from analysis_core.ir.nodes import AddressOf, Expr, PtrAdd
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import ArrayType, Base, PointerType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.objects import conversions
from analysis_core.lower.values import (
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    Whole,
    type_of,
)

_DEPTH = 16

Path = tuple[Base, ...]


def paths(type: StructType, name: str, depth: int = 0) -> Iterator[Path]:
    """The ways from a class to its bases of that key; () to itself."""
    if type.name == name:
        yield ()
    for base in type.bases if depth < _DEPTH else ():
        for path in paths(base.type, name, depth + 1):
            yield (base, *path)


def only_path(type: StructType, name: str) -> Path | None:
    """The way to a base; None if there is none, or several."""
    found = list(paths(type, name))
    return found[0] if len(found) == 1 else None


def is_derived(type: Type, base: Type) -> bool:
    """Whether a class is derived from another one."""
    if not isinstance(type, StructType) or not isinstance(base, StructType) or type.name == base.name:
        return False
    return next(paths(type, base.name), None) is not None


def class_of(ctx: Lowering, operand: Operand) -> Type:
    """The class of an object, or of what a pointer points to."""
    type = type_of(operand)
    return resolve.complete(ctx, type.target if isinstance(type, PointerType) else type)


def part(ctx: Lowering, operand: Operand, base: Base) -> Operand | None:
    """The direct base of an object, or of what a pointer points to."""
    fields = slice(base.first, base.first + len(base.type.fields))
    match operand:
        case StructPlace():
            whole = operand.whole or operand
            return StructPlace(base.type, operand.fields[fields], operand.declared, operand.category, whole)
        case StructValue():
            return StructValue(base.type, operand.fields[fields])
        case RegisterPointer(place=StructPlace() as place, type=type):
            inner = part(ctx, place, base)
            return RegisterPointer(inner, replace(type, target=base.type)) if isinstance(inner, StructPlace) else None
        case Memory(address=address, volatile=volatile):
            moved = conversions.moved(address, base.offset, base.type, volatile)
            return replace(operand, type=base.type, address=moved, whole=_shifted(whole_of(ctx, operand), base.offset))
        case Value(expr=expr, type=PointerType() as type):
            pointer = replace(type, target=base.type)
            moved = conversions.retype(conversions.moved(expr, base.offset, base.type, type.volatile), pointer)
            if base.offset and not isinstance(expr, AddressOf | PtrAdd):
                ctx.assume(f"a pointer to `{spell(type.target)}` that becomes one to its base is not null")
            return Value(moved, pointer, whole=_shifted(whole_of(ctx, operand), base.offset))
        case _:
            return None


def to_base(ctx: Lowering, operand: Operand, base: StructType) -> Operand | None:
    """The object as its base of that class (itself, if it is of that class); None if it is not one, or not certain which."""
    given = class_of(ctx, operand)
    path = only_path(given, base.name) if isinstance(given, StructType) else None
    found: Operand | None = None if path is None else operand
    for step in path or ():
        found = None if found is None else part(ctx, found, step)
    return found


def to_derived(ctx: Lowering, operand: Operand, derived: StructType) -> Operand | None:
    """The object that `operand` is a base of, as `static_cast` finds it; None if that is not known."""
    given = class_of(ctx, operand)
    path = only_path(derived, given.name) if isinstance(given, StructType) else None
    if path is None:
        return None
    offset = sum(base.offset for base in path)
    match operand:
        case StructPlace(whole=StructPlace() as whole):
            return to_base(ctx, whole, derived)
        case RegisterPointer(place=StructPlace() as place, type=type):
            inner = to_derived(ctx, place, derived)
            return RegisterPointer(inner, replace(type, target=derived)) if isinstance(inner, StructPlace) else None
        case Memory(address=address, volatile=volatile):
            moved = conversions.moved(address, -offset, derived, volatile)
            return replace(operand, type=derived, address=moved, whole=_shifted(whole_of(ctx, operand), -offset))
        case Value(expr=expr, type=PointerType() as type):
            pointer = replace(type, target=derived)
            moved = conversions.retype(conversions.moved(expr, -offset, derived, type.volatile), pointer)
            return Value(moved, pointer, whole=_shifted(whole_of(ctx, operand), -offset))
        case _:
            return None


def _shifted(whole: Whole | None, offset: int) -> Whole | None:
    return whole if whole is None or not offset else Whole(whole.type, whole.offset + offset)


# --- the most derived object --------------------------------------------------------------------------------------


def whole_of(ctx: Lowering, operand: Operand) -> Whole | None:
    """The most derived object that a place, or the target of a pointer, is known to be a part of."""
    match operand:
        case Memory(whole=Whole() as whole) | Value(whole=Whole() as whole) | Register(whole=Whole() as whole):
            return whole
        case Memory(type=type, address=address) | Value(type=PointerType(target=type), expr=address):
            declared = _declared_class(ctx, address)
            found = resolve.complete(ctx, type)
            if isinstance(declared, StructType) and isinstance(found, StructType) and declared.name == found.name:
                return Whole(declared, 0)
        case _:
            pass
    return None


def _declared_class(ctx: Lowering, address: Expr) -> Type | None:
    """The class of the variable, or of the elements of the array, in which the address lies."""
    while isinstance(address, PtrAdd):
        address = address.pointer
    if not isinstance(address, AddressOf):
        return None
    type = ctx.objects[address.object].type
    while isinstance(type, ArrayType):
        type = type.element
    return resolve.complete(ctx, type)


def most_derived(ctx: Lowering, operand: Operand) -> Operand | None:
    """The whole object of which an object (or what a pointer points to) is a part; None if that is not known."""
    match operand:
        case RegisterPointer(place=StructPlace() as place):
            return most_derived(ctx, place)
        case StructPlace():
            return operand.whole or operand
        case StructValue():
            return operand
        case Memory(address=address, volatile=volatile) | Value(expr=address, type=PointerType(volatile=volatile)):
            whole = whole_of(ctx, operand)
            if whole is None:
                return None
            return Memory(
                whole.type, conversions.moved(address, -whole.offset, whole.type), volatile, whole=Whole(whole.type, 0)
            )
        case _:
            return None


def under_construction(operand: Operand, type: StructType) -> Operand:
    """A base while its own constructor or destructor runs: it is no part of anything then ([class.cdtor])."""
    match operand:
        case StructPlace():
            return replace(operand, whole=None)
        case Memory():
            return replace(operand, whole=Whole(type, 0))
        case _:
            return operand


def field_at(operand: Operand, index: int) -> Operand | None:
    """The member at a position of `StructType.fields`, whatever its name hides."""
    match operand:
        case StructPlace(fields=fields) | StructValue(fields=fields):
            return fields[index]
        case Memory(type=StructType() as type):
            from analysis_core.lower.statements import lower_lvalues

            return lower_lvalues.field_place(operand, type.fields[index])
        case _:
            return None
