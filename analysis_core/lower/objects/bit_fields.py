"""Reading and writing bit-fields through their storage unit, as arithmetic on the unit's value."""

from __future__ import annotations

from analysis_core.ir import constants
from analysis_core.ir.nodes import Binary, Const, Expr
from analysis_core.ir.scalars import UCHAR, integer
from analysis_core.ir.types import INT, ScalarKind, ScalarType, Type
from analysis_core.lower.objects import conversions
from analysis_core.lower.values import BitRange, Value


def storage(type: Type) -> Type:
    """The type of the unit that bit-fields of this type live in: the bits beside a `bool` are no part of its value."""
    return UCHAR if isinstance(type, ScalarType) and type.kind is ScalarKind.BOOL else type


def extract(unit: Expr, bits: BitRange, type: Type) -> Expr:
    """The value of a bit-field of that type from its storage unit, sign-extended if the type is signed."""
    if not isinstance(type, ScalarType) or bits.width >= 8 * type.size:
        return conversions.cast(unit, type)
    wide = conversions.promote(type)
    total = 8 * (wide.size if isinstance(wide, ScalarType) else 4)
    # Shifting left first drops the bits above, shifting right by the rest extends the sign (or zeroes).
    signed = type.signed and type.kind is ScalarKind.INT
    shifted_type = integer(total // 8, signed, "int" if total == 32 else "long long") if signed else wide
    value = conversions.cast(unit, shifted_type)
    if not signed:
        moved = Binary(">>", value, Const(bits.start, INT), wide) if bits.start else value
        masked = Binary("&", moved, Const((1 << bits.width) - 1, wide), wide)
        return conversions.cast(masked, type)
    left = total - bits.start - bits.width
    moved = Binary("<<", value, Const(left, INT), shifted_type) if left else value
    return conversions.cast(Binary(">>", moved, Const(total - bits.width, INT), shifted_type), type)


def value(unit: Expr, type: Type, bits: BitRange) -> Value:
    """A bit-field of that type, read from its storage unit."""
    return Value(extract(unit, bits, type), type, _fits_int(type, bits))


def kept(value: Expr, type: Type, bits: BitRange) -> Value:
    """What is left of a value in a bit-field of that type: an assignment's value is that of its target."""
    only = BitRange(0, bits.width)
    return Value(extract(conversions.cast(value, storage(type)), only, type), type, _fits_int(type, bits))


def _fits_int(type: Type, bits: BitRange) -> bool:
    """Whether an int can hold every value of a bit-field."""
    if not isinstance(type, ScalarType) or type.kind is not ScalarKind.INT:
        return False
    return bits.width < 32 or (type.signed and bits.width == 32)


def insert(unit: Expr, value: Expr, bits: BitRange) -> Expr:
    """The storage unit with a bit-field replaced."""
    type = unit.type
    if not isinstance(type, ScalarType) or bits.width >= 8 * type.size:
        return value
    wide = conversions.promote(type)
    mask = (1 << bits.width) - 1
    keep = constants.constant(~(mask << bits.start), wide)
    field_mask = constants.constant(mask, wide)
    if keep is None or field_mask is None:
        return value
    old = Binary("&", conversions.cast(unit, wide), keep, wide)
    new: Expr = Binary("&", conversions.cast(value, wide), field_mask, wide)
    if bits.start:
        new = Binary("<<", new, Const(bits.start, INT), wide)
    return conversions.cast(Binary("|", old, new, wide), type)
