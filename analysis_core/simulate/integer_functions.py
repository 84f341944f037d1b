"""The integer functions of the device library, on vectors of lanes.

Source: CUDA C++ Programming Guide, integer intrinsics; CUDA Math API reference manual, "Integer Intrinsics".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from analysis_core.simulate.representation import Array, Vector


def _unsigned(value: Vector) -> Array:
    """The same bits without a sign, as an array."""
    return np.asarray(value).view(f"u{value.dtype.itemsize}")


def _bits(value: Vector) -> int:
    return 8 * int(value.dtype.itemsize)


def _mul24(a: Vector, b: Vector) -> Vector:
    """The low 32 bits of the product of the low 24 bits, sign-extended for signed operands."""
    if a.dtype.kind == "u":
        return np.multiply(a & np.uint32(0xFFFFFF), b & np.uint32(0xFFFFFF))
    eight = np.int32(8)
    return np.multiply((a << eight) >> eight, (b << eight) >> eight)


def _mulhi(a: Vector, b: Vector) -> Vector:
    """The upper half of the double-width product."""
    if a.dtype.itemsize < 8:
        wide: Any = np.int64 if a.dtype.kind == "i" else np.uint64
        return ((a.astype(wide) * b.astype(wide)) >> wide(32)).astype(a.dtype)
    high = _mulhi64(_unsigned(a), _unsigned(b))
    if a.dtype.kind == "i":
        zero = np.uint64(0)
        high = high - np.where(a < 0, _unsigned(b), zero) - np.where(b < 0, _unsigned(a), zero)
    return high.view(a.dtype)[()]


def _mulhi64(a: Array, b: Array) -> Vector:
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a0, a1, b0, b1 = a & low, a >> half, b & low, b >> half
    middle = a1 * b0 + (a0 * b0 >> half)
    other = a0 * b1 + (middle & low)
    return a1 * b1 + (middle >> half) + (other >> half)


def _popc(value: Vector) -> Vector:
    return np.bitwise_count(_unsigned(value)).astype(np.int32)[()]


def _clz(value: Vector) -> Vector:
    """Zero bits above the highest one; all of them for 0."""
    spread = _unsigned(value).copy()
    step = 1
    while step < _bits(value):
        spread |= spread >> spread.dtype.type(step)
        step *= 2
    return (_bits(value) - np.bitwise_count(spread).astype(np.int32))[()]


def _ctz(value: Vector) -> Vector:
    bits = _unsigned(value)
    return np.bitwise_count(~bits & (bits - bits.dtype.type(1))).astype(np.int32)[()]


def _ffs(value: Vector) -> Vector:
    """The position of the lowest one, counted from 1; 0 for 0."""
    return np.where(np.equal(value, 0), 0, _ctz(value) + 1).astype(np.int32)[()]


def _brev(value: Vector) -> Vector:
    bits = _unsigned(value)
    result = np.zeros_like(bits)
    one = bits.dtype.type(1)
    for position in range(_bits(value)):
        result = (result << one) | ((bits >> bits.dtype.type(position)) & one)
    return result[()]


def _byte_perm(x: Vector, y: Vector, selector: Vector) -> Vector:
    """`__byte_perm`: each nibble of the selector picks one of the eight bytes (its top bit is ignored)."""
    source = x.astype(np.uint64) | (y.astype(np.uint64) << np.uint64(32))
    result: Any = np.uint32(0)
    for byte in range(4):
        pick = (selector.astype(np.uint64) >> np.uint64(4 * byte)) & np.uint64(7)
        part = (source >> (pick * np.uint64(8))) & np.uint64(0xFF)
        result = result | (part.astype(np.uint32) << np.uint32(8 * byte))
    return np.asarray(result)[()]


def _funnel(left: bool, clamp: bool) -> Callable[[Vector, Vector, Vector], Vector]:
    """(high:low) shifted; the upper or lower 32 bits of the 64."""

    def shifted(low: Vector, high: Vector, amount: Vector) -> Vector:
        by = np.minimum(amount, 32) if clamp else amount & np.uint32(31)
        both = low.astype(np.uint64) | (high.astype(np.uint64) << np.uint64(32))
        by64 = by.astype(np.uint64)
        result = ((both << by64) >> np.uint64(32)) if left else both >> by64
        return result.astype(np.uint32)

    return shifted


def _average(up: int) -> Callable[[Vector, Vector], Vector]:
    return lambda a, b: ((a.astype(np.int64) + b.astype(np.int64) + up) >> np.int64(1)).astype(a.dtype)


def _sad(a: Vector, b: Vector, c: Vector) -> Vector:
    return np.abs(a.astype(np.int64) - b.astype(np.int64)).astype(np.uint32) + c


def _dp4a(a: Vector, b: Vector, c: Vector) -> Vector:
    """The dot product of four signed bytes, added to c."""
    total: Any = c.astype(np.int32)
    for byte in range(4):
        shift = np.int32(24 - 8 * byte)
        left, right = ((v.astype(np.int32) << shift) >> np.int32(24) for v in (a, b))
        total = total + left * right
    return np.asarray(total)[()]


def _fns(mask: Vector, base: Vector, offset: Vector) -> Vector:
    """The set bit of `mask` that is the `offset`-th from bit `base` on, upwards or (negative) downwards; for 0 the bit itself;
    all bits where there is none (CUDA math API, __fns)."""
    mask, base, offset = np.broadcast_arrays(mask, base, offset)
    bits = mask.astype(np.uint32)
    found = np.full(mask.shape, 0xFFFFFFFF, dtype=np.uint32)
    for ascending in (True, False):
        seen = np.zeros(mask.shape, dtype=np.int64)
        for bit in range(32) if ascending else reversed(range(32)):
            there = (bits >> np.uint32(bit) & np.uint32(1)).astype(bool) & (base <= bit if ascending else base >= bit)
            seen += there
            chosen = there & ((offset == (seen if ascending else -seen)) | ((offset == 0) & (base == bit)))
            found = np.where(chosen, np.uint32(bit), found)
    return np.asarray(found)[()]


def _absolute(value: Vector) -> Vector:
    return np.abs(value) if value.dtype.kind == "i" else value


INTEGER: Mapping[str, Callable[..., Vector]] = MappingProxyType(
    {
        "min": np.minimum, "max": np.maximum, "abs": _absolute, "mul24": _mul24, "mulhi": _mulhi, "popc": _popc,
        "clz": _clz, "ctz": _ctz, "ffs": _ffs, "brev": _brev, "byte_perm": _byte_perm,
        "funnelshift_l": _funnel(True, False), "funnelshift_lc": _funnel(True, True),
        "funnelshift_r": _funnel(False, False), "funnelshift_rc": _funnel(False, True),
        "fns": _fns, "sad": _sad, "hadd": _average(0), "rhadd": _average(1), "dp4a": _dp4a,
    }
)  # fmt: skip
