"""Sizes and alignments of types.

Pure functions of resolved types; `record_layout` says where members lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import gcd
from typing import assert_never

from analysis_core.ir.nodes import Const, Kernel
from analysis_core.ir.types import ArrayType, OpaqueType, PointerType, ScalarType, StructType, Type, says_guess

MOST_FIELDS = 4_096
"""Members of a record, those of its bases among them, and variables that one of a record's type is split into."""

POINTER_BYTES = 8

REQUEST_BYTES = 16
"""The most bytes that one lane moves in one request (docs/hardware.md)."""


def size_of(type: Type) -> int | None:
    """Bytes of an object; None if an extent is not constant or missing, or nobody knows.  Other opaque types of which nobody knows it: what is assumed."""
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
        case OpaqueType(unsized=True):
            return None
        case OpaqueType():
            return count * (type.assumed if type.size is None else type.size)
        case _:
            assert_never(type)


def is_guessed(type: Type) -> bool:
    """Whether how many bytes an object has, or where its parts lie, rests on a size that is taken for granted."""
    while isinstance(type, ArrayType):
        type = type.element
    return type.guessed if isinstance(type, StructType) else isinstance(type, OpaqueType) and type.is_guessed


def leads_to_guess(type: Type) -> bool:
    """Whether that is so of an object of the type, or of what it points to."""
    return is_guessed(type.target if isinstance(type, PointerType) else type)


def guesses_in(type: Type) -> Iterator[OpaqueType]:
    """The types whose size is taken for granted, of which an object is made.  Each record is looked into once: it may hold two of one that holds two."""
    pending, met = [type], set[int]()
    while pending:
        inner = pending.pop()
        while isinstance(inner, ArrayType):
            inner = inner.element
        if isinstance(inner, OpaqueType) and inner.is_guessed:
            yield inner
        elif isinstance(inner, StructType) and inner.guessed and id(inner) not in met:
            met.add(id(inner))
            pending.extend(field.type for field in reversed(inner.fields))


def may_rest_on_guesses(kernel: Kernel) -> bool:
    """Whether some type of a kernel may be one whose size is taken for granted, or a record that holds one."""
    types = (*(variable.type for variable in kernel.variables), *(one.type for one in kernel.objects))
    return any(says_guess(one.text) for one in kernel.assumptions) or any(map(leads_to_guess, types))


def at_assumed(type: Type, bytes_: int) -> Type:
    """The type with those that are not declared, which it points to or is made of, taken to have so many bytes."""
    match type:
        case OpaqueType(is_missing=True):
            return replace(type, assumed=bytes_)
        case PointerType(target=target):
            return replace(type, target=at_assumed(target, bytes_))
        case ArrayType(element=element):
            return replace(type, element=at_assumed(element, bytes_))
        case _:
            return type


def request_size(type: Type) -> int:
    """Bytes that one lane asks for where it loads or stores a scalar: objects whose size nobody knows are taken for the largest request."""
    if isinstance(type, OpaqueType) and (type.unsized or type.size is not None):
        return REQUEST_BYTES if type.size != type.align else min(REQUEST_BYTES, type.size or REQUEST_BYTES)
    return min(REQUEST_BYTES, size_of(type) or 1)


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
        case OpaqueType():
            return type.align or (1 if type.unsized else type.assumed)
        case _:
            assert_never(type)


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
    return bytes_ * (1 if is_guessed(type) or isinstance(type, OpaqueType) else size_of(type) or 1)


def round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def in_registers(type: Type) -> bool:
    """Whether a variable of this type can be split into one variable per member: no unions, no bit-fields.

    Array members are allowed; they become memory objects of their own.  Nor are there too many members, those of members among them."""
    return not isinstance(type, ArrayType) and 0 < _parts(type, {}) <= MOST_FIELDS


def _parts(type: Type, known: dict[int, int]) -> int:
    """Into how many variables one of this type is split; 0 if it cannot be.  `known`: of records, by identity."""
    if not isinstance(type, StructType):
        return 1
    if id(type) not in known:
        known[id(type)] = _parts_of_record(type, known)
    return known[id(type)]


def _parts_of_record(type: StructType, known: dict[int, int]) -> int:
    end, parts = 0, 1
    for field in type.fields:
        inner = field.type
        while isinstance(inner, ArrayType):
            inner = inner.element
        own = 0 if field.bits is not None or field.offset < end else _parts(inner, known)
        if own == 0:
            return 0
        parts += own
        end = field.offset + (size_of(field.type) or 0)
    return parts


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
