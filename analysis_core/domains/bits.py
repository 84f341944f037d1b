"""C's shifts and bit operations on thread-vector polynomials."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.bit_parts import masked_alike
from analysis_core.domains.congruence import disjoint_bits, known_residue
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.known_bits import known_bits
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import WARP, BoolVector, some
from analysis_core.domains.symbol import SymbolKind
from analysis_core.domains.thread_value import (
    Integer,
    Value,
    finite,
    first_origin,
    integer_range,
    is_signed,
    settle,
    width,
)
from analysis_core.ir.types import LONG, Type
from analysis_core.support.facts import Cause, CauseKind

if TYPE_CHECKING:
    from analysis_core.domains.arithmetic import Arithmetic

_MOST_VARYING = 20
"""Low bits in which lanes may differ: a block has 2^10 threads, and their numbers are scaled by little."""


def shift(arithmetic: Arithmetic, op: str, a: Integer, b: Integer, type_: Type) -> Value:
    """<< is a product with 2^b, >> the floor of a quotient (arithmetic for signed types)."""
    amount = b.poly.constant if b.exact and b.poly.is_constant else None
    if amount is None and op == ">>":
        return _shift_right_twice(arithmetic, a, b, type_)
    if amount is None:
        return _lost(arithmetic, op, (a, b), type_)
    beyond = (np.asarray(amount) < 0) | (np.asarray(amount) >= width(type_))
    if np.any(beyond):
        return _shifted_out(op, a, amount, beyond, type_) or _lost(arithmetic, op, (a, b), type_)
    factor = pl.wrap64(1 << amount) if isinstance(amount, int) else np.left_shift(np.int64(1), amount)
    if op == "<<":
        # What is moved out of a number that is known is lost, of signed types, too ([expr.shift]).
        bits = width(type_) if a.exact and a.poly.is_constant else a.bits
        return arithmetic.shorten(settle(pl.scale(a.poly, factor), bits, type_, first_origin(a, b)), type_)
    if a.exact and a.poly.is_constant:
        return settle(pl.constant(np.right_shift(a.poly.constant, amount)), None, type_, first_origin(a, b))
    if not a.exact or not isinstance(factor, int) or factor <= 0:  # 2^63 is no positive word
        return _lost(arithmetic, op, (a, b), type_)
    return arithmetic.floor("/", a, factor, type_)


def _shifted_out(op: str, a: Integer, amount: Coefficient, beyond: BoolVector, type_: Type) -> Value | None:
    """Of a known number, where some lanes shift by its width or more: undefined in C++, and nothing but the sign is left by the machine (PTX ISA, shl, shr)."""
    if not (a.exact and a.poly.is_constant):
        return None
    if op == ">>":
        shifted = np.right_shift(a.poly.constant, np.where(beyond, 63, amount))
    else:
        shifted = np.where(beyond, 0, np.left_shift(a.poly.constant, np.where(beyond, 0, amount)))
    return settle(pl.constant(np.asarray(shifted)), width(type_), type_, a.origin)


def _shift_right_twice(arithmetic: Arithmetic, a: Integer, b: Integer, type_: Type) -> Value:
    """By an amount that is not known but at least c: a >> b is (a >> c) >> (b - c).  The threads of a warp may agree on the first
    (`id >> (5 + k)`), and then on both."""
    least = pl.total_bounds(b.poly)[0] if b.exact else 0
    if a.exact and 0 < least < width(type_):
        c = int(least)
        first = shift(arithmetic, ">>", a, Integer(pl.constant(c)), type_)
        if isinstance(first, Integer) and first.exact:
            a, b = first, Integer(pl.subtract(b.poly, pl.constant(c)), None, None, b.origin)
    return _lost(arithmetic, ">>", (a, b), type_)


def bitwise(arithmetic: Arithmetic, op: str, a: Integer, b: Integer, type_: Type) -> Value:
    """& | ^ where all lanes are known, where a mask of low bits makes a remainder, or where bits are disjoint or the same."""
    if a.exact and b.exact and a.poly.is_constant and b.poly.is_constant:
        x, y = a.poly.constant, b.poly.constant
        result = x & y if op == "&" else x | y if op == "|" else x ^ y
        return settle(pl.constant(result), None, type_, first_origin(a, b))
    if a.bits == b.bits and (a.bits is None or a.bits >= width(type_)) and pl.equal(a.poly, b.poly):
        return Integer(pl.ZERO if op == "^" else a.poly, a.bits, None, first_origin(a, b))
    if a.poly.is_constant:
        a, b = b, a
    mask = b.poly.constant if b.poly.is_constant and _mask_is_known(b, type_) else None
    if op == "&" and isinstance(mask, int):
        known = known_bits(a.poly, arithmetic.derivations) if a.exact and mask >= 0 else None
        if known is not None and not mask & ~known.where:
            return settle(pl.constant(known.bits & mask), None, type_, first_origin(a, b))
        masked = masked_alike(arithmetic, a, mask, type_) or _mask_bits(arithmetic, a, mask, type_)
        if masked is not None:
            return masked
    if op == "^" and isinstance(mask, int) and mask > 0 and not mask & (mask + 1) and _is_within(a, mask):
        return arithmetic.ring("-", b, a, type_)  # All bits that it may have are turned over.
    if op in "|^" and disjoint_bits(a, b):
        return arithmetic.ring("+", a, b, type_)
    low = _on_low_bits(arithmetic, op, a, b, type_)
    if low is not None:
        return low
    if op == "|" and _is_address(b):
        a, b = b, a
    if op == "|" and _is_address(a) and not _is_address(b):
        return arithmetic.ring("+", a, _added_bits(arithmetic, a, b, type_), type_)
    return _lost(arithmetic, op, (a, b), type_)


def _is_within(value: Integer, mask: int) -> bool:
    low, high = pl.total_bounds(value.poly) if value.exact else (-1.0, 0.0)
    return low >= 0 and high <= mask


def _is_address(value: Integer) -> bool:
    """Whether it is the address of an object and something, in as many of its bits as are known."""
    return any(s.kind is SymbolKind.BASE for s in value.poly.symbols())


def _added_bits(arithmetic: Arithmetic, a: Integer, b: Integer, type_: Type) -> Integer:
    """m of a | b = a + m, the bits of b that a has not: so an address stays one of its object."""
    cause = Cause(CauseKind.ANALYSIS, "`|` of values that are not known constants", first_origin(a, b))
    least, greatest = pl.total_bounds(b.poly) if b.exact else (-1.0, 0.0)
    low, high = integer_range(type_)
    if least >= 0:
        low, high = 0, int(min(greatest, high))
    key = ("added|", arithmetic.identity(a, type_), arithmetic.identity(b, type_), width(type_))
    added = arithmetic.keyed(key, Derivation("added|", (a, b), type_), cause, low, high)
    assert isinstance(added, Integer)
    return added


def _on_low_bits(arithmetic: Arithmetic, op: str, a: Integer, b: Integer, type_: Type) -> Value | None:
    """Both are known modulo 2^k, and the lanes differ in these bits only: they are known in the result, and the higher
    ones are the same function of the higher ones, which the lanes share: all of a block (`& (stride - 1)`), or those of a
    warp, where no more is known (`& ((1 << (5 + k)) - 1)`).

    Unsigned operands need to be right modulo 2^w only (`size - 1`, which wraps around for 0): so are all of their bits."""
    if not (a.exact and b.exact):
        if is_signed(type_) or any(v.bits is not None and v.bits < width(type_) for v in (a, b)):
            return None
    varying = max(_varying_bits(a.poly), _varying_bits(b.poly))
    if not 0 < varying <= _MOST_VARYING:
        return None
    result = _split_at(arithmetic, op, a, b, varying, type_)
    if result is not None:
        return result
    in_warps = max(_varying_bits(a.poly, WARP), _varying_bits(b.poly, WARP))
    return _split_at(arithmetic, op, a, b, in_warps, type_) if 0 < in_warps < varying else None


def _split_at(arithmetic: Arithmetic, op: str, a: Integer, b: Integer, varying: int, type_: Type) -> Value | None:
    """The result from the low bits, which are known, and the higher ones; None where they are not."""
    step = 1 << varying
    x, y = (known_residue(pl.map_coefficients(v.poly, lambda c: c % step), step) for v in (a, b))
    if x is None or y is None:
        return None
    bits = x & y if op == "&" else x | y if op == "|" else x ^ y
    low = Integer(pl.constant(bits), None, None, first_origin(a, b))
    above = [pl.subtract(v.poly, pl.constant(rest)) for v, rest in ((a, x), (b, y))]
    for this, other, bits_of in ((above[0], above[1], b), (above[1], above[0], a)):
        if not this.terms:
            return low if op == "&" else arithmetic.ring("+", Integer(other, bits_of.bits), low, type_)
    quotients = []
    for part in above:  # multiples of the step, whatever their coefficients are: whole numbers, of no type
        quotient = arithmetic.floor("/", Integer(part), step, LONG)
        if not isinstance(quotient, Integer):
            return None
        quotients.append(quotient)
    if not (a.exact and b.exact):
        shared = _high_bits(arithmetic, op, quotients, (a, b), varying, type_)
        return arithmetic.ring("+", Integer(pl.scale(shared.poly, step)), low, type_)
    high = bitwise(arithmetic, op, quotients[0], quotients[1], type_)
    if not isinstance(high, Integer) or not high.exact:
        return None
    return arithmetic.ring("+", Integer(pl.scale(high.poly, step)), low, type_)


def _high_bits(
    arithmetic: Arithmetic, op: str, quotients: list[Integer], operands: tuple[Integer, Integer], k: int, type_: Type
) -> Integer:
    """The function of the bits from k on, which the lanes share and nothing else is known of: one symbol."""
    cause = Cause(CauseKind.ANALYSIS, f"`{op}` of values that are not known constants", first_origin(*operands))
    key = ("high", op, tuple(q.poly.key() for q in quotients), tuple(v.bits for v in operands), k, width(type_))
    derivation = Derivation(f"high{op}", tuple(quotients), type_)
    top = (1 << (width(type_) - k)) - 1
    for quotient, operand in zip(quotients if op == "&" else (), operands, strict=False):
        least, greatest = pl.total_bounds(quotient.poly)
        if operand.exact and least >= 0:
            top = int(min(top, greatest))
    high = arithmetic.keyed(key, derivation, cause, 0, top)
    assert isinstance(high, Integer)
    return high


def _mask_is_known(b: Integer, type_: Type) -> bool:
    """An unsigned 64-bit mask such as ~3 is known modulo 2^64 only, as a negative number: that is all its bits."""
    c = b.poly.constant
    return b.exact or (b.bits is not None and b.bits >= width(type_) and isinstance(c, int) and c < 0)


def _varying_bits(poly: Poly, among: int | None = None) -> int:
    """The number of low bits in which the lanes' constants differ: those of all threads, or of each so many."""
    c = poly.constant
    if isinstance(c, int):
        return 0
    rows = c.reshape(1 if among is None else -1, among or -1)
    differing = np.bitwise_xor(rows, rows[:, :1]).ravel()
    return 64 if some(differing < 0) else int(differing.max()).bit_length()


def _mask_bits(arithmetic: Arithmetic, a: Integer, mask: int, type_: Type) -> Value | None:
    """x & (2^k - 1) = x mod 2^k for any x; x & ~(2^k - 1) = x - x mod 2^k; x & m is in [0, m]."""
    if mask >= 0 and mask & (mask + 1) == 0 and _has_bits(a, mask.bit_length()):
        return arithmetic.floor("%", a, mask + 1, type_)
    low_bits = ~mask & ((1 << width(type_)) - 1)
    if low_bits and low_bits & (low_bits + 1) == 0 and a.exact:
        rest = arithmetic.floor("%", a, low_bits + 1, type_)
        return arithmetic.ring("-", a, rest, type_) if isinstance(rest, Integer) else None
    if mask >= 0:
        low = _low_part(a, mask.bit_length())
        if low is not None:  # what lies above the mask is the only unknown
            return settle(pl.constant(low & mask), None, type_, a.origin)
        cause = Cause(CauseKind.ANALYSIS, "a bit pattern of a value not known here", a.origin)
        return arithmetic.keyed(
            ("&", a.poly.key(), a.bits, mask), Derivation("&", (a, Integer(pl.constant(mask))), type_), cause, 0, mask
        )
    return None


def _low_part(a: Integer, count: int) -> Coefficient | None:
    """The so many low bits, if the lanes' constants and the symbols' congruences determine them."""
    step = 1 << count
    return known_residue(pl.map_coefficients(a.poly, lambda c: c % step), step) if _has_bits(a, count) else None


def _has_bits(a: Integer, count: int) -> bool:
    """Whether the polynomial is right in so many low bits."""
    return count < 63 and (a.bits is None or count <= a.bits)


def _lost(arithmetic: Arithmetic, op: str, operands: tuple[Integer, ...], type_: Type) -> Value:
    """A function of its operands about which only the type's range is known, one symbol per operands."""
    cause = Cause(CauseKind.ANALYSIS, f"`{op}` of values that are not known constants", first_origin(*operands))
    low, high = integer_range(type_)
    if op in ("&", "|", "^") and all(v.exact and pl.total_bounds(v.poly)[0] >= 0 for v in operands):
        tops = [int(min(pl.total_bounds(v.poly)[1], high)) for v in operands]
        top = min(tops) if op == "&" else (1 << max(t.bit_length() for t in tops)) - 1
        low, high = 0, min(high, top)
    if op == ">>" and operands[0].exact:
        olow, ohigh = pl.total_bounds(operands[0].poly)
        low, high = max(low, finite(min(olow, 0)) or low), min(high, finite(max(ohigh, 0)) or high)
        low = 0 if olow >= 0 else low
    modulus = 1
    if op == "<<":
        base, least = (pl.total_bounds(v.poly)[0] if v.exact else -1.0 for v in operands)
        modulus = 1 << int(min(max(least, 0), _MOST_VARYING, width(type_) - 1))
        if is_signed(type_) and base >= 0:
            low = int(min(base * modulus, high))  # no overflow, as with a product by 2^b
    key = (op, tuple(arithmetic.identity(v, type_) for v in operands), width(type_), is_signed(type_))
    return arithmetic.keyed(key, Derivation(op, operands, type_), cause, low, high, modulus)
