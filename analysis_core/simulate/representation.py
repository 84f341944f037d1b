"""How the values of C's types are kept in numpy arrays, and C's conversions between them.

Integers are numpy integers of the same width and signedness, so wrap-around is numpy's; `bool` is numpy's bool; pointers
are 64-bit signed addresses; `float`, `double` and `half` are numpy's.  `bfloat16` has no numpy type: it is computed in
float32 and rounded after every operation (to nearest, ties to even), which is what the hardware's instructions give.

A value is an array with one entry per active lane, or a numpy scalar where all lanes have the same.

Conversions follow C++17 [conv]; a floating value outside of the integer's range, undefined in C++, saturates and NaN
becomes 0 as the hardware does (PTX ISA, `cvt`).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from analysis_core.ir.types import OpaqueType, PointerType, ScalarKind, ScalarType, Type
from analysis_core.text.records import dataclass

Array = npt.NDArray[Any]
Vector: TypeAlias = Any
"""One entry per active lane (`Array`), or a numpy scalar that is the value of all of them.  Both answer to the same
operators and functions, which numpy's annotations do not express."""

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Unsupported(Exception):
    """Something that the simulator does not execute; the text completes "not simulated: ..."."""


@dataclass(frozen=True, slots=True)
class Representation:
    """`compute`: the array's type; `storage`: that of its bytes in memory; `rounded`: bfloat16."""

    compute: np.dtype[Any]
    storage: np.dtype[Any]
    rounded: bool = False


_POINTER = Representation(np.dtype(np.int64), np.dtype(np.int64))
_BOOL = Representation(np.dtype(np.bool_), np.dtype(np.uint8))
_BFLOAT16 = Representation(np.dtype(np.float32), np.dtype(np.uint16), rounded=True)


def representation(type: Type) -> Representation:
    """How values of a scalar or pointer type are kept; raises `Unsupported` for types that are not."""
    match type:
        case PointerType():
            return _POINTER
        case ScalarType(kind=ScalarKind.BOOL):
            return _BOOL
        case ScalarType(kind=ScalarKind.INT, size=size, signed=signed) if size in (1, 2, 4, 8):
            dtype = np.dtype(f"{'i' if signed else 'u'}{size}")
            return Representation(dtype, dtype)
        case ScalarType(kind=ScalarKind.FLOAT, size=2, name=name) if "bfloat" in name:
            return _BFLOAT16
        case ScalarType(kind=ScalarKind.FLOAT, size=size) if size in (2, 4, 8, 16):
            dtype = np.dtype(f"f{min(size, 8)}")  # device code treats a long double as a double
            return Representation(dtype, dtype)
        case ScalarType(name=name):
            raise Unsupported(f"values of type `{name}`")
        case OpaqueType(name=name, why=why):
            raise Unsupported(f"values of type `{name}`: {why}")
        case _:
            raise Unsupported("a value of a structured type")


def converted(value: Vector, target: Representation) -> Vector:
    """The C conversion of `value` (of whatever type its array has) to `target`."""
    if value.dtype == target.compute and not target.rounded:
        return value
    if target.compute.kind == "b":
        return np.not_equal(value, 0)
    if value.dtype.kind == "f" and target.compute.kind in "iu":
        return _to_integer(value, target.compute)
    result = value.astype(target.compute)
    return rounded_to_bfloat16(result) if target.rounded else result


def _to_integer(value: Vector, target: np.dtype[Any]) -> Vector:
    """Towards zero, saturating; NaN is 0."""
    limits = np.iinfo(target)
    wide = np.nan_to_num(np.asarray(value, dtype=np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf)
    # 2^63 - 1 is no double: what reaches the next power of two is the greatest integer.
    over, under = wide >= float(limits.max), wide <= float(limits.min)
    inside = np.where(over | under, 0.0, wide).astype(target)
    result = np.where(over, target.type(limits.max), np.where(under, target.type(limits.min), inside))
    return np.asarray(result, dtype=target)[()]


def does_not_fit(value: Vector, target: np.dtype[Any]) -> Vector:
    """Where a floating value, its fraction dropped, lies outside of an integer type (NaN does): undefined in C++."""
    limits = np.iinfo(target)
    whole = np.trunc(np.asarray(value, dtype=np.float64))
    return np.logical_not(np.greater_equal(whole, float(limits.min)) & np.less(whole, float(limits.max) + 1.0))


def rounded_to_bfloat16(value: Vector) -> Vector:
    """float32 values rounded to the nearest bfloat16, ties to even; NaN stays NaN."""
    bits = np.asarray(value, dtype=np.float32).view(np.uint32)
    bias = np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    result = ((bits + bias) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isnan(value), np.float32(np.nan), result)[()]


def stored(value: Vector, kept: Representation) -> Vector:
    """The value as its bytes in memory."""
    if kept.rounded:
        return (np.asarray(value, dtype=np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)[()]
    return value.view(np.uint8) if kept.compute.kind == "b" else value


def loaded(value: Vector, kept: Representation) -> Vector:
    """The value of bytes from memory."""
    if kept.rounded:
        return (np.asarray(value).astype(np.uint32) << np.uint32(16)).view(np.float32)[()]
    return np.not_equal(value, 0) if kept.compute.kind == "b" else value


def constant(value: int | float, kept: Representation) -> Vector:
    """A constant of the IR; integers are taken modulo 2^w."""
    if kept.compute.kind in "iu":
        bits = 8 * kept.compute.itemsize
        number = int(value) & ((1 << bits) - 1)
        if kept.compute.kind == "i" and number >> (bits - 1):
            number -= 1 << bits
        return kept.compute.type(number)
    result = kept.compute.type(value)
    return rounded_to_bfloat16(result) if kept.rounded else result
