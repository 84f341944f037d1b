"""Contents of arrays, made for a run and held against those of another one, element by element of C's types.

An array is its bytes; a type says which of them are numbers (`leaves`).  What numbers it holds at first is a pattern; structs get another value
for each member.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.random import default_rng

from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Const
from analysis_core.ir.types import ArrayType, PointerType, ScalarKind, ScalarType, StructType, Type
from analysis_core.simulate.representation import Array, Bools, Unsupported, converted, loaded, representation, stored
from analysis_core.text.records import dataclass

_MOST_LEAVES = 64
"""Numbers of one element that are told apart."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number of an element, `offset` bytes from its beginning."""

    offset: int
    type: ScalarType


def leaves(type_: Type, offset: int = 0) -> Iterator[Leaf]:
    """The numbers of an element, in order.  Raises `Unsupported` for pointers, bit-fields and what has no size."""
    match type_:
        case ScalarType():
            representation(type_)
            yield Leaf(offset, type_)
        case ArrayType(element=element, extent=Const(value=int(count))):
            size = size_of(element)
            if size is None or count > _MOST_LEAVES:
                raise Unsupported("an array that long in an element")
            for n in range(count):
                yield from leaves(element, offset + n * size)
        case StructType(fields=fields):
            if any(field.bits is not None or field.reference for field in fields):
                raise Unsupported("bit-fields and references in an element")
            for field in fields:
                yield from leaves(field.type, offset + field.offset)
        case PointerType():
            raise Unsupported("pointers in memory")
        case _:
            raise Unsupported("an element of unknown layout")


Pattern = Callable[[Array, bool], Array]
"""Positions of numbers in an array -> what they are; whether for floating point."""


def counted(positions: Array, is_float: bool) -> Array:
    """Small whole numbers, 1 to 7, whose sums and products are exact in floating point, too."""
    return np.asarray(positions * 7919 % 61 % 7 + 1)


def zeros(positions: Array, is_float: bool) -> Array:
    return positions * 0


def random(seed: int) -> Pattern:
    """Whole numbers from -8 to 8, and fractions of both signs."""

    def pattern(positions: Array, is_float: bool) -> Array:
        generator = default_rng((seed, len(positions)))
        return generator.uniform(-4, 4, len(positions)) if is_float else generator.integers(-8, 9, len(positions))

    return pattern


def filled(type_: Type, count: int, pattern: Pattern) -> Array:
    """The bytes of `count` elements.  Raises `Unsupported`."""
    size, found = size_of(type_), list(leaves(type_))
    if not size or not found or len(found) > _MOST_LEAVES:
        raise Unsupported("an element of unknown layout")
    table = np.zeros((count, size), dtype=np.uint8)
    positions = np.arange(count, dtype=np.int64) * len(found)
    for number, leaf in enumerate(found):
        is_float = leaf.type.kind is ScalarKind.FLOAT
        values = pattern(positions + number, is_float)
        kept = representation(leaf.type)
        numbers = np.asarray(stored(converted(values, kept), kept), dtype=kept.storage).reshape(-1, 1)
        bytes_ = np.ascontiguousarray(numbers).view(np.uint8)
        table[:, leaf.offset : leaf.offset + bytes_.shape[1]] = bytes_
    return table.reshape(-1)


def difference(type_: Type, one: Array, other: Array, rounding: float = 0.0) -> tuple[int, object, object] | None:
    """The first element in which arrays, of any elements whose bytes these are, differ, with both values; None where all are alike.  Floats that are no
    numbers are all alike; `rounding`: how far floats may be apart, as a part of the largest in either array.  Raises `Unsupported`."""
    size = size_of(type_)
    if not size:
        raise Unsupported("an element of unknown layout")
    both = [np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in (one, other)]
    count = min(map(len, both)) // size
    tables = [each[: count * size].reshape(count, size) for each in both]
    found: list[tuple[int, object, object]] = []
    for leaf in leaves(type_):
        kept = representation(leaf.type)
        part = slice(leaf.offset, leaf.offset + kept.storage.itemsize)
        columns = [np.ascontiguousarray(table[:, part]).view(kept.storage).reshape(-1) for table in tables]
        mine, others = (np.asarray(loaded(each, kept)) for each in columns)
        at = np.flatnonzero(_apart(mine, others, rounding))
        if len(at):
            found.append((int(at[0]), mine[at[0]].item(), others[at[0]].item()))
    return min(found, key=lambda each: each[0], default=None)


def _apart(one: Array, other: Array, rounding: float) -> Bools:
    if one.dtype.kind != "f":
        return np.asarray(one != other)
    alike = (one == other) | (np.isnan(one) & np.isnan(other))
    if rounding:
        with np.errstate(all="ignore"):
            largest = max(float(np.max(np.abs(each[np.isfinite(each)]), initial=0.0)) for each in (one, other))
            alike |= np.abs(one - other) <= rounding * largest
    return np.asarray(~alike)
