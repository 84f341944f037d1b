"""Bits of a number that are known, though the number is not: `(u & ~0x3e | 2) >> 1 & 0x1f` is 1, whatever u is.

Bit-fields are parts of a unit that is loaded, of which a store puts in some bits and keeps the others.  What was put in is read off the
operations that made the number (derivation.py), as far as they go by bits: `& | ^`, quotients by and remainders modulo powers of two.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.domains.derivation import QUOTIENTS, Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Symbol
from analysis_core.text.records import dataclass

_MOST_STEPS = 12
"""Operations behind each other that are looked at."""

_ALL = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class KnownBits:
    """The bits of a two's complement number that are known: `where` has a 1 for each of them, `bits` their values, and
    0 elsewhere."""

    where: int
    bits: int

    @property
    def zeros(self) -> int:
        """The bits that are known to be 0."""
        return self.where & ~self.bits

    def both(self, other: KnownBits) -> KnownBits:
        """The known bits of `a & b`: a 0 on either side gives a 0."""
        ones = self.bits & other.bits
        return KnownBits(self.zeros | other.zeros | ones, ones)

    def either(self, other: KnownBits) -> KnownBits:
        """The known bits of `a | b`: a 1 on either side gives a 1."""
        ones = self.bits | other.bits
        return KnownBits(self.zeros & other.zeros | ones, ones)

    def one_of(self, other: KnownBits) -> KnownBits:
        """The known bits of `a ^ b`: those that are known on both sides."""
        where = self.where & other.where
        return KnownBits(where, (self.bits ^ other.bits) & where)

    def moved_down(self, count: int) -> KnownBits:
        """The known bits of the number divided by 2^count and rounded down."""
        return KnownBits(self.where >> count, self.bits >> count)

    def low(self, count: int) -> KnownBits:
        """The known bits of the number modulo 2^count."""
        kept = (1 << count) - 1
        return KnownBits(self.where & kept | _ALL & ~kept, self.bits & kept)

    def with_zeros(self, zeros: int) -> KnownBits:
        """These known bits, and those of `zeros` as bits that are 0."""
        return KnownBits(self.where | zeros, self.bits & ~zeros)


_NONE = KnownBits(0, 0)


def known_bits(poly: Poly, derivations: Mapping[Symbol, Derivation], steps: int = _MOST_STEPS) -> KnownBits:
    """The bits of a polynomial's value that are the same for all lanes."""
    if poly.is_constant:
        constant = poly.constant
        return KnownBits(_ALL, constant & _ALL) if isinstance(constant, int) else _NONE
    symbols = [m[0] for m, c in poly.terms.items() if len(m) == 1 and isinstance(c, int) and abs(c) == 1]
    if len(symbols) != len(poly.terms) or steps <= 0:
        return _NONE
    if len(symbols) == 1 and poly.terms[(symbols[0],)] == 1:
        return _of_symbol(symbols[0], derivations, steps - 1)
    return _of_difference(poly, symbols, derivations, steps - 1)


def _of_symbol(symbol: Symbol, derivations: Mapping[Symbol, Derivation], steps: int) -> KnownBits:
    derivation = derivations.get(symbol)
    found = _NONE if derivation is None else _of_operation(derivation, derivations, steps)
    if symbol.low is not None and symbol.high is not None and symbol.low >= 0 and symbol.high <= _ALL:
        found = found.with_zeros(_ALL & ~((1 << symbol.high.bit_length()) - 1))
    return found


def _of_operation(derivation: Derivation, derivations: Mapping[Symbol, Derivation], steps: int) -> KnownBits:
    if derivation.settled is not None or len(derivation.operands) != 2 or not all(v.exact for v in derivation.operands):
        return _NONE
    op, (a, b) = derivation.op, derivation.operands
    if op in "&|^":
        x, y = (known_bits(v.poly, derivations, steps) for v in (a, b))
        return x.both(y) if op == "&" else x.either(y) if op == "|" else x.one_of(y)
    count = _power(b.poly)
    if op == "floor%" and count is not None:
        return known_bits(a.poly, derivations, steps).low(count)
    if op in QUOTIENTS:
        count = _shift(b.poly) if op == ">>" else count if op == "floor/" else None
        return _NONE if count is None else known_bits(a.poly, derivations, steps).moved_down(count)
    return _NONE


def _of_difference(
    poly: Poly, symbols: list[Symbol], derivations: Mapping[Symbol, Derivation], steps: int
) -> KnownBits:
    """Of x - x mod 2^k: as x, with zeros at its end."""
    if len(symbols) != 2:
        return _NONE
    whole, rest = sorted(symbols, key=lambda symbol: -int(poly.terms[(symbol,)]))
    made = derivations.get(rest)
    if poly.terms[(whole,)] == poly.terms[(rest,)] or made is None or made.op != "floor%" or made.settled is not None:
        return _NONE
    a, b = made.operands
    count = _power(b.poly)
    if count is None or a.poly.terms != {(whole,): 1}:
        return _NONE
    return _of_symbol(whole, derivations, steps).with_zeros((1 << count) - 1)


def _power(poly: Poly) -> int | None:
    """k of 2^k."""
    number = poly.constant
    if not poly.is_constant or not isinstance(number, int) or number < 1 or number & (number - 1):
        return None
    return number.bit_length() - 1


def _shift(poly: Poly) -> int | None:
    number = poly.constant
    return number if poly.is_constant and isinstance(number, int) and 0 <= number < 64 else None
