"""Bit operations bit by bit: `(tid ^ n) & 32` is `(tid & 32) ^ (n & 32)`, on which all lanes of a warp agree.

A mask, or a quotient by a power of two, goes through `& | ^` to what these were made of, wherever the lanes of a warp find the same of
each: that is worth more than one symbol for what is different for every lane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeGuard

from analysis_core.domains import polynomial as pl
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Integer, Value, is_signed, width
from analysis_core.ir.types import LONG, Type

if TYPE_CHECKING:
    from analysis_core.domains.arithmetic import Arithmetic

_DEEPEST = 6
"""Operations of operations that are looked through."""


def masked_alike(arithmetic: Arithmetic, a: Integer, mask: int, type_: Type) -> Value | None:
    """`a & mask` where the lanes of a warp agree on every part of `a` that the mask keeps. None where they do not, or
    agree on `a` itself."""
    if not a.exact or pl.level(a.poly) is not Level.LANE:
        return None
    if mask < 0 and not is_signed(type_) and width(type_) <= 32:
        mask &= (1 << width(type_)) - 1
    known = mask.bit_length() if mask >= 0 else None
    by_parts = _by_parts(arithmetic, a, known, type_, lambda part: arithmetic.bitwise("&", part, _number(mask), type_))
    if by_parts is not None:
        return by_parts
    places = (mask & -mask).bit_length() - 1
    if not 0 < places < 63:
        return None
    above = arithmetic.floor("/", a, 1 << places, LONG)
    if not _is_alike(above):
        return None
    kept = arithmetic.bitwise("&", above, _number(mask >> places), LONG)
    return Integer(pl.scale(kept.poly, 1 << places), None, None, a.origin) if _is_alike(kept) else None


def moved_alike(arithmetic: Arithmetic, a: Integer, divisor: int, type_: Type) -> Value | None:
    """`floor(a / divisor)` for a power of two, where the lanes of a warp agree on every part of `a` that remains. None
    as in `masked_alike`."""
    if not a.exact or divisor & (divisor - 1) or pl.level(a.poly) is not Level.LANE:
        return None
    return _by_parts(arithmetic, a, None, type_, lambda part: arithmetic.floor("/", part, divisor, type_))


def _by_parts(
    arithmetic: Arithmetic, a: Integer, bits: int | None, type_: Type, of: Callable[[Integer], Value]
) -> Value | None:
    """`bits`: so many low ones of the operands are asked for; None: all."""
    derivation = _operation(arithmetic, a, bits)
    if derivation is None or _depth(arithmetic, a, bits) > _DEEPEST:
        return None
    parts = [of(operand) for operand in derivation.operands]
    alike = [part for part in parts if _is_alike(part)]
    return arithmetic.bitwise(derivation.op, alike[0], alike[1], type_) if len(alike) == len(parts) == 2 else None


def _operation(arithmetic: Arithmetic, a: Integer, bits: int | None) -> Derivation | None:
    """The bit operation that the value is the result of, if so many bits of the operands are known."""
    symbol = next(iter(a.poly.symbols()), None)
    derivation = None if symbol is None else arithmetic.derivations.get(symbol)
    if derivation is None or derivation.op not in ("&", "|", "^") or derivation.settled is not None:
        return None
    same = symbol is not None and a.exact and pl.equal(a.poly, pl.of_symbol(symbol))
    known = all(o.bits is None or (bits is not None and bits <= o.bits) for o in derivation.operands)
    return derivation if same and known else None


def _depth(arithmetic: Arithmetic, a: Integer, bits: int | None) -> int:
    """How many bit operations are nested in the value, as far as it matters."""
    depth, level = 0, [a]
    while depth <= _DEEPEST and (
        level := [o for v in level if (d := _operation(arithmetic, v, bits)) for o in d.operands]
    ):
        depth += 1
    return depth


def _is_alike(value: Value) -> TypeGuard[Integer]:
    return isinstance(value, Integer) and value.exact and pl.level(value.poly) is not Level.LANE


def _number(value: int) -> Integer:
    return Integer(pl.constant(value))
