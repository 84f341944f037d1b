"""C's arithmetic on vectors of threads, told once more: promotion, wrap-around, truncating division.

Undefined behaviour and signed overflow are assumed absent by the analysis, so a sample in which an active thread meets
them proves nothing; `Undefined` collects those samples.  Unsigned 64-bit values stay below 2^63 for the same reason: the
machine's words are int64.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tests.properties.c_expressions import Undefined as NoValue
from tests.properties.c_expressions import apply
from tests.properties.kernels.memory import reduce
from tests.properties.kernels.syntax import COMPARISONS, INTRINSICS, CType

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Vector = npt.NDArray[np.generic]


class Undefined:
    """The samples in which something undefined happened."""

    def __init__(self, sample_of_lane: Ints, samples: int) -> None:
        self._sample_of_lane = sample_of_lane
        self.samples = np.zeros(samples, dtype=bool)

    def where(self, lanes: Bools) -> None:
        """These lanes did something undefined."""
        if lanes.any():
            self.samples[np.unique(self._sample_of_lane[lanes])] = True


def convert(value: Vector, source: CType, target: CType, mask: Bools, undefined: Undefined) -> Vector:
    """A C conversion."""
    if target.floating:
        return value.astype(np.float64)
    if source.floating:
        whole = np.nan_to_num(value, nan=0.0, posinf=0.0, neginf=0.0)
        low, high = target.range
        undefined.where(mask & ((whole < low) | (whole > min(high, 2**62)) | ~np.isfinite(value)))
        return np.clip(whole, -(2.0**62), 2.0**62).astype(np.int64)
    if target.name == "bool":
        return (value != 0).astype(np.int64)
    if target.size == 8:
        if not target.signed:
            undefined.where(mask & (value < 0))
        return value
    return reduce(value, target)


def settle(value: Ints, type_: CType, mask: Bools, undefined: Undefined) -> Ints:
    """An arithmetic result: modulo 2^w if unsigned, checked for overflow if signed."""
    low, high = type_.range
    if type_.size == 8:
        undefined.where(mask & ((value < 0) if not type_.signed else (np.abs(value) > 2**61)))
        return value
    if type_.signed:
        undefined.where(mask & ((value < low) | (value > high)))
    return reduce(value, type_)


def binary(op: str, a: Vector, b: Vector, type_: CType, mask: Bools, undefined: Undefined) -> Vector:
    """`a op b` for operands that were converted to `type_` (for shifts: the promoted left operand)."""
    if op in COMPARISONS:
        return _compare(op, a, b).astype(np.int64)
    if type_.floating:
        with np.errstate(all="ignore"):
            table = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
            return table[op](a, b)
    if op in ("/", "%"):
        return _divide(op, a, b, type_, mask, undefined)
    if op in ("<<", ">>"):
        bits = 8 * type_.size
        undefined.where(mask & ((b < 0) | (b >= bits)))
        b = np.clip(b, 0, bits - 1)
        if op == ">>":
            return a >> b
        undefined.where(mask & (np.abs(a.astype(np.float64)) * 2.0**b >= 2.0**62))
        if type_.signed:
            undefined.where(mask & (a < 0))
        return settle(a << b, type_, mask, undefined)
    if op in ("&", "|", "^"):
        table = {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}
        return settle(table[op](a, b), type_, mask, undefined)
    if op == "*" and (type_.size == 8 or type_.signed):
        undefined.where(mask & (np.abs(a.astype(np.float64)) * np.abs(b.astype(np.float64)) >= 2.0**62))
    table = {"+": np.add, "-": np.subtract, "*": np.multiply}
    return settle(table[op](a, b), type_, mask, undefined)


def _compare(op: str, a: Vector, b: Vector) -> Bools:
    table = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
    table |= {"==": np.equal, "!=": np.not_equal}
    return table[op](a, b)


def _divide(op: str, a: Ints, b: Ints, type_: CType, mask: Bools, undefined: Undefined) -> Ints:
    undefined.where(mask & (b == 0))
    b = np.where(b == 0, 1, b)
    quotient = np.abs(a) // np.abs(b) * np.sign(a) * np.sign(b)
    return settle(quotient if op == "/" else a - quotient * b, type_, mask, undefined)


def intrinsic(name: str, args: list[Ints], mask: Bools, undefined: Undefined) -> Ints:
    """A function of the device library, lane by lane; the operands have its types."""
    result = np.zeros(len(mask), dtype=np.int64)
    bad = np.zeros(len(mask), dtype=bool)
    for lane in np.flatnonzero(mask).tolist():
        try:
            result[lane] = apply(name, [int(arg[lane]) for arg in args])
        except NoValue:
            bad[lane] = True
    undefined.where(bad)
    return settle(result, INTRINSICS[name][0], mask, undefined)
