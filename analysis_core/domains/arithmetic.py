"""C's integer operators on thread-vector polynomials (DESIGN.md section 6).

`Arithmetic` is the context of one interpretation: it owns the source of fresh symbols and remembers which symbol
stands for which quotient, choice or unknown, so that the same expression over the same values gives the same value
(a side table from structure to symbol, alive for one run).

Everything here over-approximates: the concrete result of every thread lies in the concretisation of the abstract
one, for all values that the operands stand for.  Tested by tests/properties/test_arithmetic.py with an evaluator of
its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from math import floor

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.congruence import common_congruence, disjoint_bits, known_residue, never_zero
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import BoolVector, Shape
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import (
    Integer,
    Other,
    Value,
    finite,
    first_origin,
    integer_range,
    is_integral,
    is_signed,
    lane_bounds,
    level_of,
    settle,
    width,
)
from analysis_core.ir.types import ScalarKind, ScalarType, Type
from analysis_core.support.facts import Cause, CauseKind


@dataclass(slots=True)
class Arithmetic:
    """`remembered` maps the structure of a derived symbol to the symbol."""

    shape: Shape
    source: SymbolSource
    remembered: dict[Hashable, Symbol] = field(default_factory=dict)

    # --- fresh values -------------------------------------------------------------------------------------------

    def unknown(
        self, level: Level, type_: Type, cause: Cause, low: float | None = None, high: float | None = None
    ) -> Value:
        """A value of the type about which only its level and bounds are known."""
        kind = SymbolKind.DATA if cause.kind is CauseKind.DATA else SymbolKind.UNKNOWN
        if not is_integral(type_):
            return Other(level, kind is SymbolKind.DATA, cause)
        least, greatest = integer_range(type_)
        if low is not None and low > least:
            least = floor(low)
        if high is not None and high < greatest:
            greatest = floor(high)
        return Integer(pl.of_symbol(self.source.fresh("?", level, kind, least, greatest, cause=cause)))

    def derived(
        self,
        name: str,
        level: Level,
        operands: tuple[Integer, ...],
        low: float | None,
        high: float | None,
        cause: Cause,
        modulus: int = 1,
        residue: int = 0,
    ) -> Symbol:
        """A fresh symbol for a function of the operands: it depends on data if one of them does, and then shows that
        operand's cause."""
        source = next((s for v in operands for s in sorted(v.poly.symbols()) if s.kind is SymbolKind.DATA), None)
        kind = SymbolKind.UNKNOWN if source is None else SymbolKind.DATA
        why = cause if source is None or source.cause is None else source.cause
        ends = [None if end is None else finite(end) for end in (low, high)]
        return self.source.fresh(name, level, kind, ends[0], ends[1], modulus, residue, why)

    def recall(self, key: Hashable, make: Callable[[], Symbol]) -> Symbol:
        """The symbol remembered for `key`, made at its first use."""
        symbol = self.remembered.get(key)
        if symbol is None:
            symbol = self.remembered[key] = make()
        return symbol

    def identity(self, value: Integer, type_: Type) -> Hashable:
        """A key of the C value: equal keys, equal values of the type.  A value that was widened while inexact is equal to
        nothing, since its polynomial does not say whether it was extended by zeros or by its sign."""
        if value.bits is not None and value.bits < width(type_):
            self.source.count += 1
            return ("widened", self.source.count)
        return (value.poly.key(), value.bits)

    def constant(self, value: int | Coefficient, type_: Type) -> Integer:
        return settle(pl.constant(value), None, type_)

    def truth(self, c: Condition) -> Integer:
        """The condition as an integer 0 or 1, a choice symbol on the undecided lanes."""
        ones = pl.constant(c.true.astype(np.int64))
        undecided = c.undecided
        if not undecided.any():
            return Integer(ones, None, c)
        x = pl.of_symbol(self.choice(c))
        return Integer(pl.add(ones, pl.scale(x, pl.constant(undecided.astype(np.int64)).constant)), None, c)

    def choice(self, c: Condition) -> Symbol:
        """The 0/1 symbol of an undecided condition: the same formula, the same symbol."""
        level = _open_level(c)
        return self.recall(
            ("choice", c.key),
            lambda: self.source.fresh("choice", level, SymbolKind.CHOICE, 0, 1, cause=c.cause),
        )

    # --- ring operations ----------------------------------------------------------------------------------------

    def ring(self, op: str, a: Integer, b: Integer, type_: Type) -> Value:
        """+ - * in the ring modulo 2^w."""
        combine = {"+": pl.add, "-": pl.subtract, "*": pl.multiply}[op]
        bits = _least(a.bits, b.bits)
        return self.shorten(settle(combine(a.poly, b.poly), bits, type_, first_origin(a, b)), type_)

    def shorten(self, value: Integer, type_: Type) -> Value:
        """A polynomial of too many terms becomes one symbol of the same level and bounds."""
        if not value.poly.too_long:
            return value
        cause = Cause(CauseKind.ANALYSIS, "the expression has too many terms to be followed exactly", value.origin)
        low, high = pl.total_bounds(value.poly)
        if not value.exact:
            low, high = integer_range(type_)
        return self.unknown(pl.level(value.poly), type_, cause, low, high)

    # --- division -----------------------------------------------------------------------------------------------

    def divide(self, op: str, a: Integer, b: Integer, type_: Type) -> Value:
        """/ and %, truncating towards zero as in C."""
        if a.exact and b.exact and a.poly.is_constant and b.poly.is_constant:
            return self._divide_constants(op, a, b, type_)
        divisor = b.poly.constant if b.poly.is_constant else None
        low, _ = lane_bounds(a, type_)
        nonnegative = a.exact and bool(np.all(np.asarray(low) >= 0))
        if isinstance(divisor, int) and divisor > 0 and nonnegative:
            return self._floor(op, a, divisor, type_)
        return self._quotient_symbol(op, a, b, type_, nonnegative)

    def _divide_constants(self, op: str, a: Integer, b: Integer, type_: Type) -> Value:
        """All lanes known; a lane that divides by zero has no value, so any will do."""
        x = pl.coefficient_vector(a.poly.constant, self.shape.padded)
        y = pl.coefficient_vector(b.poly.constant, self.shape.padded)
        y = np.where(y == 0, 1, y)
        quotient = np.sign(x) * np.sign(y) * (np.abs(x) // np.abs(y))
        result = quotient if op == "/" else x - quotient * y
        return settle(pl.constant(result), None, type_, first_origin(a, b))

    def _floor(self, op: str, a: Integer, d: int, type_: Type) -> Value:
        """floor(P / d) or P mod d for d > 0: entry by entry where the rest of the division is proved in [0, d)."""
        if d == 1:
            return a if op == "/" else self.constant(0, type_)
        rest = pl.map_coefficients(a.poly, lambda c: c % d)
        low, high = pl.total_bounds(rest)
        if low >= 0 and high < d:
            quotient = pl.map_coefficients(a.poly, lambda c: c // d)
            return settle(quotient if op == "/" else rest, None, type_, a.origin)
        if op == "%":
            residue = known_residue(rest, d)
            if residue is not None:
                return settle(pl.constant(residue), None, type_, a.origin)
            return self._residue_symbol(rest, d, a)
        return self._floor_quotient(a, rest, d, type_)

    def _residue_symbol(self, rest: Poly, d: int, a: Integer) -> Value:
        """P mod d where it is not a known vector: one symbol in [0, d-1] for equal remainders."""
        level = pl.level(rest)
        cause = Cause(CauseKind.ANALYSIS, f"a remainder modulo {d} that depends on values not known here", a.origin)
        modulus, residue = common_congruence(rest, d)
        symbol = self.recall(
            ("mod", rest.key(), d),
            lambda: self.derived("rem", level, (a,), 0, d - 1, cause, modulus, residue),
        )
        return Integer(pl.of_symbol(symbol), None, None, a.origin)

    def _floor_quotient(self, a: Integer, rest: Poly, d: int, type_: Type) -> Value:
        """P / d = exact part + floor(rest / d), the latter one symbol."""
        whole = pl.map_coefficients(a.poly, lambda c: c // d)
        low, high = (floor(end / d) if finite(end) is not None else None for end in pl.total_bounds(rest))
        cause = Cause(CauseKind.ANALYSIS, f"a quotient by {d} that depends on values not known here", a.origin)
        symbol = self.recall(
            ("div", rest.key(), d),
            lambda: self.derived("quo", pl.level(rest), (a,), low, high, cause),
        )
        return settle(pl.add(whole, pl.of_symbol(symbol)), None, type_, a.origin)

    def _quotient_symbol(self, op: str, a: Integer, b: Integer, type_: Type, nonnegative: bool) -> Value:
        """Nothing exact is known; equal operands give an equal result, and |a / b| <= |a|, |a % b| < |b|."""
        level = Level(max(level_of(a), level_of(b)))
        reason = "a division" if op == "/" else "a remainder"
        cause = Cause(CauseKind.ANALYSIS, f"{reason} by a value that is not a known constant", first_origin(a, b))
        low, high = (float(end) for end in integer_range(type_))
        alow, ahigh = (np.asarray(end) for end in lane_bounds(a, type_))
        blow, bhigh = (np.asarray(end) for end in lane_bounds(b, type_))
        reach = max(abs(float(alow.min())), abs(float(ahigh.max())))
        if op == "%" and float(blow.min()) >= 0:
            reach = min(reach, max(float(bhigh.max()) - 1, 0.0))
        low, high = max(low, 0.0 if nonnegative and float(blow.min()) >= 0 else -reach), min(high, reach)
        symbol = self.recall(
            (op, self.identity(a, type_), self.identity(b, type_), width(type_), is_signed(type_)),
            lambda: self.derived("quo", level, (a, b), low, high, cause),
        )
        return Integer(pl.of_symbol(symbol), None, None, first_origin(a, b))

    # --- shifts and bits ----------------------------------------------------------------------------------------

    def shift(self, op: str, a: Integer, b: Integer, type_: Type) -> Value:
        """<< is a product with 2^b, >> the floor of a quotient (arithmetic for signed types)."""
        amount = b.poly.constant if b.exact and b.poly.is_constant else None
        if amount is None or np.any(np.asarray(amount) < 0) or np.any(np.asarray(amount) >= width(type_)):
            return self._lost(op, (a, b), type_)
        factor = 1 << amount if isinstance(amount, int) else np.left_shift(np.int64(1), amount)
        if op == "<<":
            return self.shorten(settle(pl.scale(a.poly, factor), a.bits, type_, first_origin(a, b)), type_)
        if a.exact and a.poly.is_constant:
            return settle(pl.constant(np.floor_divide(a.poly.constant, factor)), None, type_, first_origin(a, b))
        if not a.exact or not isinstance(factor, int):
            return self._lost(op, (a, b), type_)
        return self._floor("/", a, factor, type_)

    def bitwise(self, op: str, a: Integer, b: Integer, type_: Type) -> Value:
        """& | ^ where all lanes are known, where a mask of low bits makes a remainder, or where bits are disjoint."""
        if a.exact and b.exact and a.poly.is_constant and b.poly.is_constant:
            x, y = a.poly.constant, b.poly.constant
            result = x & y if op == "&" else x | y if op == "|" else x ^ y
            return settle(pl.constant(result), None, type_, first_origin(a, b))
        if a.poly.is_constant:
            a, b = b, a
        mask = b.poly.constant if b.exact and b.poly.is_constant else None
        if op == "&" and isinstance(mask, int):
            masked = self._mask_bits(a, mask, type_)
            if masked is not None:
                return masked
        if op in "|^" and disjoint_bits(a, b):
            return self.ring("+", a, b, type_)
        return self._lost(op, (a, b), type_)

    def _mask_bits(self, a: Integer, mask: int, type_: Type) -> Value | None:
        """x & (2^k - 1) = x mod 2^k for any x; x & ~(2^k - 1) = x - x mod 2^k; x & m is in [0, m]."""
        if mask >= 0 and mask & (mask + 1) == 0 and (a.bits is None or mask < 1 << a.bits):
            return self._floor("%", a, mask + 1, type_)
        low_bits = ~mask & ((1 << width(type_)) - 1)
        if low_bits and low_bits & (low_bits + 1) == 0 and a.exact:
            rest = self._floor("%", a, low_bits + 1, type_)
            return self.ring("-", a, rest, type_) if isinstance(rest, Integer) else None
        if mask >= 0:
            cause = Cause(CauseKind.ANALYSIS, "a bit pattern of a value not known here", a.origin)
            return self._keyed(("&", a.poly.key(), a.bits, mask), (a,), cause, 0, mask)
        return None

    def _keyed(self, key: Hashable, operands: tuple[Integer, ...], cause: Cause, low: float, high: float) -> Value:
        """The symbol remembered for a function of the operands within the bounds."""
        level = Level(max(level_of(v) for v in operands))
        symbol = self.recall(key, lambda: self.derived("?", level, operands, low, high, cause))
        return Integer(pl.of_symbol(symbol), None, None, first_origin(*operands))

    def _lost(self, op: str, operands: tuple[Integer, ...], type_: Type) -> Value:
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
        key = (op, tuple(self.identity(v, type_) for v in operands), width(type_), is_signed(type_))
        return self._keyed(key, operands, cause, low, high)

    # --- conversions --------------------------------------------------------------------------------------------

    def convert(self, value: Value, source: Type, target: Type) -> Value:
        """A C conversion.  Integer to integer is a reduction modulo 2^w; floats keep only their level."""
        if not is_integral(target):
            return Other(level_of(value), _is_data(value), _cause_of(value), value.origin)
        if isinstance(value, Other):
            reason = "converted from a floating-point value"
            kind = CauseKind.DATA if value.data else CauseKind.ANALYSIS
            return self.unknown(value.level, target, value.cause or Cause(kind, reason, value.origin))
        if isinstance(target, ScalarType) and target.kind is ScalarKind.BOOL:
            return self.truth(self.test(value, source))
        if value.exact:
            if _in_range(value, source, target):
                return value
            settled = settle(value.poly, width(target), target, value.origin)
        elif value.bits is not None and value.bits >= width(target):
            settled = settle(value.poly, value.bits, target, value.origin)
        else:
            return value  # widened while inexact: still right modulo 2^bits
        return settled if settled.exact or width(target) >= 32 else self._narrowed(settled, target)

    def _narrowed(self, value: Integer, target: Type) -> Value:
        """A short type that wraps: its congruence modulo 2^w does not survive promotion, its range does."""
        low, high = integer_range(target)
        cause = Cause(CauseKind.ANALYSIS, "a value that may wrap around in a narrow type", value.origin)
        key = ("narrow", value.poly.key(), low, high)
        return self._keyed(key, (value,), cause, low, high)

    # --- comparisons --------------------------------------------------------------------------------------------

    def compare(self, op: str, a: Value, b: Value, type_: Type) -> Condition:
        """< <= > >= == != on operands of `type_`."""
        if isinstance(a, Other) or isinstance(b, Other):
            return self.opaque_condition(Level(max(level_of(a), level_of(b))), _is_data(a) or _is_data(b), (a, b))
        if op in (">", ">="):
            return self.compare({">": "<", ">=": "<="}[op], b, a, type_)
        if op == "!=":
            return cond.negate(self.compare("==", a, b, type_))
        wraps = not (a.exact and b.exact)
        difference = pl.subtract(a.poly, b.poly)
        if op == "<=":
            difference = pl.add(difference, pl.constant(-1))
        relation = Relation.ZERO if op == "==" else Relation.NEGATIVE
        true, false = self._decide(a, b, difference, relation, wraps, op, type_)
        if (true | false).all():
            return Condition(true, false)
        if wraps:
            return self._wrapped_literal(op, relation, a, b, type_, true, false)
        data = any(s.kind is SymbolKind.DATA for s in difference.symbols())
        cause = next((s.cause for s in sorted(difference.symbols()) if s.cause is not None), None)
        key: Hashable = (relation, difference.key())
        return cond.literal(Atom(key, relation, difference, pl.level(difference), data, cause), true, false)

    def _wrapped_literal(
        self, op: str, relation: Relation, a: Integer, b: Integer, type_: Type, true: BoolVector, false: BoolVector
    ) -> Condition:
        """A comparison of values known modulo 2^w only: their difference does not decide their order, so the literal is
        that of the two operands (`tid - 1 < tid` is false for thread 0 of unsigned values, and true for the others)."""
        key = (relation, op, self.identity(a, type_), self.identity(b, type_), width(type_), is_signed(type_))
        level = Level(max(level_of(a), level_of(b)))
        data = _is_data(a) or _is_data(b)
        atom = Atom(key, Relation.OPAQUE, None, level, data, _cause_of(a) or _cause_of(b))
        return cond.literal(atom, true, false)

    def _decide(
        self, a: Integer, b: Integer, difference: Poly, relation: Relation, wraps: bool, op: str, type_: Type
    ) -> tuple[BoolVector, BoolVector]:
        size = self.shape.padded
        if not wraps:
            low, high = (np.broadcast_to(np.asarray(end), size) for end in pl.bounds(difference))
            alow, ahigh = lane_bounds(a, type_)
            blow, bhigh = lane_bounds(b, type_)
            shift = -1.0 if op == "<=" else 0.0
            low = np.maximum(low, np.asarray(alow) - np.asarray(bhigh) + shift)
            high = np.minimum(high, np.asarray(ahigh) - np.asarray(blow) + shift)
            if relation is Relation.NEGATIVE:
                return high < 0, low >= 0
            apart = (low > 0) | (high < 0) | never_zero(difference, size)
            return (low == 0) & (high == 0), apart
        nobody = np.zeros(size, dtype=bool)
        everybody = np.ones(size, dtype=bool)
        if a.bits == b.bits == width(type_) and pl.equal(a.poly, b.poly):
            return (nobody, everybody) if op == "<" else (everybody, nobody)
        alow, ahigh = lane_bounds(a, type_)
        blow, bhigh = lane_bounds(b, type_)
        if relation is Relation.ZERO:
            return nobody, np.broadcast_to((np.asarray(ahigh) < blow) | (np.asarray(alow) > bhigh), size)
        strict = np.asarray(ahigh) < blow if op == "<" else np.asarray(ahigh) <= blow
        never = np.asarray(alow) >= bhigh if op == "<" else np.asarray(alow) > bhigh
        return np.broadcast_to(strict, size), np.broadcast_to(never, size)

    def test(self, value: Value, type_: Type) -> Condition:
        """C's truth of a value: not equal to zero."""
        if isinstance(value, Other):
            return self.opaque_condition(value.level, value.data, (value,))
        if value.condition is not None:
            return value.condition
        return self.compare("!=", value, Integer(pl.ZERO), type_)

    def opaque_condition(self, level: Level, data: bool, values: tuple[Value, ...]) -> Condition:
        """A truth value about which only its level is known."""
        nobody = np.zeros(self.shape.padded, dtype=bool)
        cause = next((c for c in map(_cause_of, values) if c is not None), None)
        key = ("opaque", self.source.count)
        self.source.count += 1
        return cond.literal(Atom(key, Relation.OPAQUE, None, level, data, cause), nobody, nobody)

    # --- joins --------------------------------------------------------------------------------------------------

    def blend(self, c: Condition, a: Value, b: Value, type_: Type) -> Value:
        """`a` where the condition is true, `b` where it is false; undecided lanes keep the correlation b + x*(a - b)
        under a block- or warp-uniform condition, or a constant difference (DESIGN.md section 14, rule 5)."""
        if a is b:
            return a
        if isinstance(a, Other) or isinstance(b, Other):
            return self._blend_other(c, a, b)
        if pl.equal(a.poly, b.poly):
            return Integer(
                a.poly, _least(a.bits, b.bits), a.condition if a.condition is b.condition else None, a.origin
            )
        bits, origin = _least(a.bits, b.bits), first_origin(a, b)
        undecided = c.undecided
        settled = pl.select(c.true, a.poly, b.poly)
        if not undecided.any():
            return Integer(settled, bits, None, origin)
        difference = pl.subtract(a.poly, b.poly)
        if _open_level(c) is not Level.LANE or difference.is_constant or not is_signed_integer(type_):
            x = pl.scale(pl.of_symbol(self.choice(c)), pl.constant(undecided.astype(np.int64)).constant)
            blended = pl.add(settled, pl.multiply(x, difference))
            return self.shorten(Integer(blended, bits, None, origin), type_)
        return self._hull(c, a, b, settled, type_)

    def _hull(self, c: Condition, a: Integer, b: Integer, settled: Poly, type_: Type) -> Value:
        """Undecided lanes get a per-lane symbol between the least and the greatest of both values."""
        reason = "different values on the two sides of a condition that is not known"
        cause = c.cause or Cause(CauseKind.ANALYSIS, reason, first_origin(a, b))
        (alow, ahigh), (blow, bhigh) = lane_bounds(a, type_), lane_bounds(b, type_)
        undecided = c.undecided
        low = float(np.min(np.minimum(alow, blow)))
        high = float(np.max(np.maximum(ahigh, bhigh)))
        symbol = self.recall(
            ("hull", c.key, self.identity(a, type_), self.identity(b, type_), width(type_), is_signed(type_)),
            lambda: self.source.fresh("?", Level.LANE, _unknown_kind(cause), finite(low), finite(high), cause=cause),
        )
        poly = pl.select(undecided, pl.of_symbol(symbol), settled)
        exact_now = None if a.exact and b.exact else _least(a.bits, b.bits)
        return Integer(poly, exact_now, None, first_origin(a, b))

    def _blend_other(self, c: Condition, a: Value, b: Value) -> Value:
        level = Level(max(level_of(a), level_of(b)))
        if level is not Level.LANE:
            level = Level(max(level, c.level))
        return Other(level, _is_data(a) or _is_data(b) or c.data, _cause_of(a) or _cause_of(b) or c.cause)


def _in_range(value: Integer, source: Type, target: Type) -> bool:
    """Whether the exact value of the source type is one of the target's."""
    if is_signed(target) and is_signed(source) and width(target) >= width(source):
        return True
    low, high = (np.asarray(end) for end in lane_bounds(value, source))
    least, greatest = integer_range(target)
    return bool(low.min() >= least and high.max() <= greatest)


def is_signed_integer(type_: Type) -> bool:
    """Whether the hull of two values may replace their exact difference: integers, not pointers."""
    return isinstance(type_, ScalarType)


def _open_level(c: Condition) -> Level:
    """How uniform the formula is on the lanes that wait for it."""
    if c.atom is not None:
        return c.atom.level
    return Level(max((_open_level(p) for p in c.parts), default=Level.LANE)) if _aligned(c) else Level.LANE


def _aligned(c: Condition) -> bool:
    """Whether every part is open on the same lanes: only then do all open lanes wait for the same formula."""
    undecided = c.undecided
    return all(bool((p.undecided == undecided).all()) for p in c.parts)


def _unknown_kind(cause: Cause) -> SymbolKind:
    return SymbolKind.DATA if cause.kind is CauseKind.DATA else SymbolKind.UNKNOWN


def _least(a: int | None, b: int | None) -> int | None:
    return min((bits for bits in (a, b) if bits is not None), default=None)


def _is_data(value: Value) -> bool:
    if isinstance(value, Other):
        return value.data
    return any(s.kind is SymbolKind.DATA for s in value.poly.symbols())


def _cause_of(value: Value) -> Cause | None:
    if isinstance(value, Other):
        return value.cause
    return next((s.cause for s in sorted(value.poly.symbols()) if s.cause is not None), None)
