"""The integer functions of the device library on operands that are known in every thread.

Source: CUDA Math API reference manual, "Integer Intrinsics"; PTX ISA, `prmt` and `shf`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.shape import Shape
from analysis_core.domains.thread_value import Integer, first_origin, settle, width
from analysis_core.ir.nodes import Intrinsic
from analysis_core.ir.types import Type


def _funnel(left: bool, clamped: bool) -> Callable[..., int]:
    """(high:low) shifted by at most 31 bits, or 32 where the amount is clamped: its upper half, or the lower one."""

    def shifted(low: int, high: int, amount: int, _bits: int) -> int:
        by = min(amount, 32) if clamped else amount & 31
        both = high << 32 | low
        return both << by >> 32 if left else both >> by

    return shifted


def _permuted(x: int, y: int, selector: int, _bits: int) -> int:
    """Each of the low four nibbles of the selector picks one of the eight bytes; its top bit is not used."""
    source = y << 32 | x
    return sum((source >> 8 * (selector >> 4 * byte & 7) & 0xFF) << 8 * byte for byte in range(4))


UNSIGNED: Mapping[str, Callable[..., int]] = MappingProxyType(
    {
        "popc": lambda v, bits: v.bit_count(),
        "clz": lambda v, bits: bits - v.bit_length(),
        "ctz": lambda v, bits: (v & -v).bit_length() - 1,
        "ffs": lambda v, bits: (v & -v).bit_length(),
        "brev": lambda v, bits: int(f"{v:0{bits}b}"[::-1], 2),
        "byte_perm": _permuted,
        "funnelshift_l": _funnel(True, False),
        "funnelshift_lc": _funnel(True, True),
        "funnelshift_r": _funnel(False, False),
        "funnelshift_rc": _funnel(False, True),
    }
)
"""Of the bits of the operands, as numbers without a sign; the last argument is how many bits the first operand has."""

NUMBERS: Mapping[str, Callable[..., int]] = MappingProxyType(
    {
        "mulhi": lambda a, b, bits: a * b >> bits,
        "hadd": lambda a, b, bits: a + b >> 1,
        "rhadd": lambda a, b, bits: a + b + 1 >> 1,
        "sad": lambda a, b, c, bits: abs(a - b) + c,
    }
)
"""Of the numbers that the operands are."""


def of_known(node: Intrinsic, operands: Sequence[Integer], shape: Shape) -> Integer | None:
    """The function's value where every thread's operands are known; None where they are not, or of another function."""
    function = UNSIGNED.get(node.name) or NUMBERS.get(node.name)
    if function is None or not all(o.exact and o.poly.is_constant for o in operands):
        return None
    types = [argument.type for argument in node.args]
    alike = all(isinstance(o.poly.constant, int) for o in operands)
    size, unsigned = 1 if alike else shape.padded, node.name in UNSIGNED
    words = [_words(o, type_, size, unsigned) for o, type_ in zip(operands, types, strict=True)]
    bits = width(types[0])
    values = [_signed64(function(*lane, bits)) for lane in zip(*words, strict=True)]
    result = pl.constant(values[0] if alike else np.array(values, dtype=np.int64))
    return settle(result, None, node.type, first_origin(*operands))


def _words(operand: Integer, type_: Type, size: int, unsigned: bool) -> list[int]:
    """The operand of each thread: its bits without a sign, or the number."""
    mask = (1 << width(type_)) - 1
    words = pl.coefficient_vector(operand.poly.constant, size)
    return [int(word) & mask if unsigned else int(word) for word in words]


def _signed64(value: int) -> int:
    """The number modulo 2^64, as a signed word."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)
