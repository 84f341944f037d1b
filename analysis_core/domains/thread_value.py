"""Abstract values of C expressions: integers and pointers as polynomials, everything else by uniformity alone.

An `Integer` is a polynomial P together with `bits`: the C value equals P modulo 2^bits, and equals P itself if `bits`
is None ("exact").  Addition, subtraction and multiplication are right modulo 2^w whatever happens; comparisons,
quotients and widening need the integer itself.  A value is exact where

  * its type is signed and its operands are exact (signed overflow is assumed absent, a listed assumption), or
  * the bounds of P lie within the range of the type: then P mod 2^w = P.

An inexact polynomial is kept *centred*: coefficients of different lanes are less than 2^bits apart, so that lanes of equal
values have equal coefficients.

Widening an inexact unsigned value keeps `bits`: for addresses that is enough.  The lanes' true addresses lie in one array,
less than 2^31 elements apart (a listed assumption), so their distances are those of the centred polynomial.

An `Other` is a float, or a struct leaf of unknown kind: only who shares it is known.
"""

from __future__ import annotations

from math import inf

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition
from analysis_core.domains.deciders import deciding_cause
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import FloatVector, IntVector
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType, Type
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True, eq=False)
class Integer:
    """`condition`: set for a truth value, so that a test of it is the condition again.  `origin`: the statement that
    made the value depend on the thread."""

    poly: Poly
    bits: int | None = None
    condition: Condition | None = None
    origin: Span | None = None

    @property
    def exact(self) -> bool:
        return self.bits is None


@dataclass(frozen=True, slots=True, eq=False)
class Other:
    """A value that is no integer: how uniform it is, whether it depends on contents of memory, and why it is not
    known.

    `own`: whether it depends on contents that each lane may have for itself, and not only on some that a warp shares
    (a size in memory). `alike`: as in `Symbol`. `near`: lanes differ in it by their own numbers alone, and all
    contents of memory in it are the same for all of them, as if these were parameters."""

    level: Level
    data: bool = False
    cause: Cause | None = None
    origin: Span | None = None
    own: bool = False
    alike: IntVector | None = None
    near: bool = False


Value = Integer | Other


def integer_range(type_: Type) -> tuple[int, int]:
    """Least and greatest value of an integer, bool or pointer type (pointers: 64-bit unsigned)."""
    match type_:
        case ScalarType(kind=ScalarKind.BOOL):
            return 0, 1
        case ScalarType(kind=ScalarKind.INT, size=size, signed=signed):
            bits = 8 * size
            return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
        case PointerType():
            return 0, (1 << 64) - 1
        case _:
            return -(1 << 63), (1 << 63) - 1


def is_integral(type_: Type) -> bool:
    """Whether values of the type are `Integer`s: integers, bool and pointers."""
    if isinstance(type_, ScalarType):
        return type_.kind is ScalarKind.INT or type_.kind is ScalarKind.BOOL
    return isinstance(type_, PointerType)


def is_signed(type_: Type) -> bool:
    """Whether overflow of the type is undefined, hence assumed absent.  Pointers: they stay inside of their object."""
    if isinstance(type_, ScalarType):
        return type_.kind is ScalarKind.INT and type_.signed and type_.size >= 4
    return isinstance(type_, PointerType)


def width(type_: Type) -> int:
    """Bits of the type's representation."""
    if not isinstance(type_, ScalarType):
        return 64
    return 1 if type_.kind is ScalarKind.BOOL else 8 * type_.size


def level_of(value: Value) -> Level:
    return pl.level(value.poly) if isinstance(value, Integer) else value.level


def lane_bounds(value: Integer, type_: Type) -> tuple[FloatVector | float, FloatVector | float]:
    """Bounds of the C value per thread: those of the polynomial, clipped to the type, if the value is exact."""
    least, greatest = (float(end) for end in integer_range(type_))
    if not value.exact:
        return least, greatest
    low, high = pl.bounds(value.poly)
    if isinstance(low, float) and isinstance(high, float):
        return max(low, least), min(high, greatest)
    return np.maximum(low, least), np.minimum(high, greatest)


def fits(poly: Poly, type_: Type) -> bool:
    """Whether all threads' values of the polynomial are within the type's range."""
    least, greatest = integer_range(type_)
    low, high = pl.total_bounds(poly)
    return low >= least and high <= greatest


def settle(poly: Poly, bits: int | None, type_: Type, origin: Span | None = None) -> Integer:
    """The value of the type that is congruent to `poly` modulo 2^min(bits, width): exact if that can be shown.

    `bits` None means that `poly` is the mathematical result on exact operands."""
    if bits is None and is_signed(type_):
        return Integer(poly, None, None, origin)
    own = width(type_)
    if poly.is_constant and (bits is None or bits >= own):
        reduced = _reduce(poly, type_)
        # Coefficients are signed words: of unsigned 64-bit values those from 2^63 on are right modulo 2^64 only.
        beyond = own >= 64 and bool(np.any(np.less(reduced.constant, 0)))
        return Integer(reduced, own if beyond else None, None, origin)
    known = own if bits is None else min(bits, own)
    if known == own and fits(poly, type_):
        return Integer(poly, None, None, origin)
    poly = pl.centred(poly, known)
    return Integer(poly, None if known == own and fits(poly, type_) else known, None, origin)


def _reduce(poly: Poly, type_: Type) -> Poly:
    """A polynomial without symbols brought into the type's range (C: conversion modulo 2^w)."""
    own = width(type_)
    if own >= 64:
        return poly
    least, _ = integer_range(type_)
    c = poly.constant
    return pl.constant((c - least) % (1 << own) + least)


def first_origin(*values: Value) -> Span | None:
    for value in values:
        if value.origin is not None:
            return value.origin
    return None


def finite(value: float) -> int | None:
    """A bound as an int, None where it is infinite or too large to matter."""
    return int(value) if abs(value) < 2.0**62 and value not in (inf, -inf) else None


def least_bits(a: int | None, b: int | None) -> int | None:
    """How many bits of a result are right whose operands are right modulo 2^a and 2^b (None: exact)."""
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)


def is_data(value: Value) -> bool:
    """Whether the value depends on memory contents."""
    if isinstance(value, Other):
        return value.data
    return any(s.kind is SymbolKind.DATA for s in value.poly.symbols())


def data_cause(value: Value) -> Cause | None:
    """What the value was loaded from, if it depends on memory contents."""
    if isinstance(value, Other):
        return value.cause if value.data else None
    loaded = (s for s in value.poly.symbols() if s.kind is SymbolKind.DATA and s.cause is not None)
    return deciding_cause(s for s in loaded if s.cause is not None and s.cause.kind is CauseKind.DATA)


def cause_of(value: Value) -> Cause | None:
    """Why the value is not known, if a symbol in it says so."""
    if isinstance(value, Other):
        return value.cause
    return deciding_cause(value.poly.symbols())


def why_lost(value: Other, reason: str) -> Cause:
    """The cause of an integer made of this value: the value's own cause, else one with this `reason`. If the value is
    each lane's own although memory makes no lane's own, arithmetic is the cause: `(int)(threadIdx.x * scale)`,
    wherever the scale comes from."""
    if value.level is Level.LANE and value.data and not value.own:
        return Cause(CauseKind.ANALYSIS, reason, value.origin)
    return value.cause or Cause(CauseKind.DATA if value.data else CauseKind.ANALYSIS, reason, value.origin)


def keeps_distances(bits: int | None) -> bool:
    """Whether polynomials that are right modulo 2^bits have the right distances between lanes, up to 2^31 bytes. The
    elements of an array are less than 2^31 apart, which is a listed assumption."""
    return bits is None or bits >= 32
