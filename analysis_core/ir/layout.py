"""Sizes, alignments and the layout of records, as the Itanium C++ ABI on x86-64 lays them out (nvcc follows it).

Everything here is a pure function of resolved types; `resolve.py` turns declarations into `Member`s.  Three rules
that are easy to get wrong:

- A bit-field of type T goes to the next free bit if it does not cross a boundary of sizeof(T) bytes there;
  its access unit is the T at that boundary (System V ABI, 3.1.2).  Width 0 closes the unit.
- Members of a class derived from a class that is not "POD for the purpose of layout" start in its tail padding.
- `packed` removes the alignment of members, not that of an explicit `__align__`.

Checked against g++ by `tests/ir/test_layout.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import assert_never

from analysis_core.ir.nodes import Const
from analysis_core.ir.types import ArrayType, Field, OpaqueType, PointerType, ScalarType, StructType, Type

POINTER_BYTES = 8
OPAQUE_BYTES = 4
"""Assumed size of a type that is not visible; who relies on it records the assumption."""

REQUEST_BYTES = 16
"""The most bytes that one lane moves in one request (HARDWARE.md)."""


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a record before layout.  `bits`: width of a bit-field; `align`: explicit alignment in bytes;
    `inherited`: a base class, whose members become members of the record."""

    name: str
    type: Type
    bits: int | None = None
    align: int | None = None
    inherited: bool = False
    data_size: int | None = None  # of a base that is not POD: its size without tail padding
    reference: bool = False  # declared as `T &`: `type` is the pointer that it is kept as


def size_of(type: Type) -> int | None:
    """Bytes of an object; None if an extent is not constant or missing.  Opaque types: `OPAQUE_BYTES`."""
    count = 1
    while isinstance(type, ArrayType):
        if not isinstance(type.extent, Const):
            return None
        count *= int(type.extent.value)
        type = type.element
    match type:
        case ScalarType():
            return count * type.size
        case PointerType():
            return count * POINTER_BYTES
        case StructType():
            return count * type.size
        case OpaqueType():
            return count * OPAQUE_BYTES
        case _:
            assert_never(type)


def align_of(type: Type) -> int:
    """Alignment in bytes; at least 1."""
    while isinstance(type, ArrayType):
        type = type.element
    match type:
        case ScalarType():
            return max(1, type.size)
        case PointerType():
            return POINTER_BYTES
        case StructType():
            return max(1, type.align)
        case _:
            return OPAQUE_BYTES


def shared_alignment(type: Type, all_shared: Iterable[Type]) -> int:
    """Bytes that an array in shared memory is aligned to, at most `REQUEST_BYTES`.  The arrays of a kernel lie one behind the other: where
    the sizes of all are multiples of some bytes, so are their places.  An `extern` one lies behind the others, and nvcc aligns it to
    16 bytes whatever its elements are."""
    if isinstance(type, ArrayType) and type.extent is None:
        return max(REQUEST_BYTES, align_of(type))
    return max(gcd(REQUEST_BYTES, *map(_taken, all_shared)), min(REQUEST_BYTES, align_of(type)))


def _taken(type: Type) -> int:
    """What the bytes that an array takes are a multiple of, whatever the extents that are not known; 0 for `extern` ones, which lie
    behind all others."""
    bytes_ = 1
    while isinstance(type, ArrayType):
        if type.extent is None:
            return 0
        bytes_ *= int(type.extent.value) if isinstance(type.extent, Const) else 1
        type = type.element
    return bytes_ * (1 if isinstance(type, OpaqueType) else size_of(type) or 1)


def round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


@dataclass(frozen=True, slots=True)
class Layout:
    """A laid-out record; `data_size` is where a derived class may go on."""

    type: StructType
    data_size: int


def lay_out(
    name: str, members: Sequence[Member], *, union: bool = False, packed: bool = False, align: int | None = None
) -> Layout:
    """The layout of a record with these members in order.  Members without a constant size have size 0."""
    fields: list[Field] = []
    bit = 0  # the next free bit
    end = 0
    alignment = 1
    for member in members:
        size = size_of(member.type) or 0
        natural = 1 if packed and not member.inherited else align_of(member.type)
        wanted = max(natural, member.align or 1)
        if union:
            bit = 0
        if member.bits is not None:
            bit, field = _bit_field(member, bit, max(1, size), packed)
            if field is not None:
                fields.append(field)
                alignment = max(alignment, wanted)
            end = max(end, -(-bit // 8))
            continue
        if member.inherited and not _is_empty(member.type):
            alignment = max(alignment, wanted)
        elif member.inherited:
            continue  # The empty base class optimisation.
        alignment = max(alignment, wanted)
        offset = round_up(-(-bit // 8), wanted)
        fields.extend(_placed(member, offset))
        bit = 8 * (offset + (member.data_size if member.data_size is not None else size))
        end = max(end, bit // 8)
    if align is not None:
        alignment = max(alignment, align)
    total = max(round_up(end, alignment), alignment if not members or end == 0 else 1, 1)
    return Layout(StructType(name, tuple(fields), round_up(total, alignment), alignment), end)


def _bit_field(member: Member, bit: int, size: int, packed: bool) -> tuple[int, Field | None]:
    """Places a bit-field at or after `bit`: the next free bit, and the field if it has a name."""
    unit = 8 * size
    width = member.bits or 0
    if width == 0:
        return round_up(bit, unit), None
    if not packed and bit // unit != (bit + width - 1) // unit:
        bit = round_up(bit, unit)
    offset = bit // unit * size
    start = bit - 8 * offset
    if start + width > unit:  # Packed fields may cross the unit: take the unit that starts at their first byte.
        offset, start = bit // 8, bit % 8
    field = Field(member.name, member.type, offset, (start, width)) if member.name else None
    return bit + width, field


def _placed(member: Member, offset: int) -> Iterator[Field]:
    """The fields that a member contributes: itself, or the members of a base or of an anonymous record."""
    if (member.inherited or not member.name) and isinstance(member.type, StructType):
        for field in member.type.fields:
            yield replace(field, offset=offset + field.offset)
    else:
        yield Field(member.name, member.type, offset, reference=member.reference)


def _is_empty(type: Type) -> bool:
    return isinstance(type, StructType) and not type.fields


def in_registers(type: Type) -> bool:
    """Whether a variable of this type can be split into one variable per member: no unions, no bit-fields.

    Array members are allowed; they become memory objects of their own."""
    if not isinstance(type, StructType):
        return not isinstance(type, ArrayType)
    end = 0
    for field in type.fields:
        if field.bits is not None or field.offset < end:
            return False
        inner = field.type
        while isinstance(inner, ArrayType):
            inner = inner.element
        if not in_registers(inner):
            return False
        end = field.offset + (size_of(field.type) or 0)
    return True


def requests_of(type: StructType) -> Iterator[tuple[Field, ...]]:
    """How a copy of a vector is split into requests: of its alignment's size, at most 16 bytes.

    `float4` moves as one request, `float3` (aligned to 4) as three, `double4` as two."""
    limit = min(REQUEST_BYTES, type.align)
    chunk: list[Field] = []
    for field in type.fields:
        if chunk and field.offset + (size_of(field.type) or 0) - chunk[0].offset > limit:
            yield tuple(chunk)
            chunk = []
        chunk.append(field)
    if chunk:
        yield tuple(chunk)


def cover(type: StructType) -> tuple[int, ...]:
    """Positions of fields that together hold every byte that any field holds, none twice: what a copy moves.

    A union is covered by its largest member, bit-fields by one access of each storage unit."""
    order = sorted(range(len(type.fields)), key=lambda i: (type.fields[i].offset, -(size_of(type.fields[i].type) or 0)))
    chosen: list[int] = []
    end = 0
    for i in order:
        field = type.fields[i]
        if field.offset >= end:
            chosen.append(i)
            end = field.offset + max(1, size_of(field.type) or 0)
    return tuple(chosen)
