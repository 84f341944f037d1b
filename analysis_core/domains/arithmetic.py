"""C's integer operators on thread-vector polynomials (docs/decisions/01-thread-vectors.md).

`Arithmetic` is the context of one interpretation: it owns the source of fresh symbols and remembers which symbol
stands for which quotient, choice or unknown, so that the same expression over the same values gives the same value
(a side table from structure to symbol, alive for one run).

Everything here over-approximates: the concrete result of every thread lies in the concretisation of the abstract
one, for all values that the operands stand for: tests/properties/test_arithmetic.py has an evaluator of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field, replace
from math import floor

import numpy as np

from analysis_core.domains import bits, joins, own_data
from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.alike_lanes import alike_values
from analysis_core.domains.bit_parts import moved_alike
from analysis_core.domains.condition import Atom, Comparison, Condition, Relation
from analysis_core.domains.congruence import common_congruence, known_residue, never_zero
from analysis_core.domains.deciders import deciding, deciding_cause, left_deciding, told
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.earlier import Earlier
from analysis_core.domains.joined_tests import taken_apart
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.range_checks import range_check
from analysis_core.domains.recombine import apart, divided_constants, divides_turns
from analysis_core.domains.relations import NONE, Relations, bounds, is_never_zero
from analysis_core.domains.shape import WARP, BoolVector, IntVector, Shape, every, some
from analysis_core.domains.signs import by_sign, of_all
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import (
    Integer,
    Other,
    Value,
    cause_of,
    finite,
    first_origin,
    integer_range,
    is_data,
    is_integral,
    is_signed,
    lane_bounds,
    least_bits,
    level_of,
    settle,
    why_lost,
    width,
)
from analysis_core.ir.types import ScalarKind, ScalarType, Type
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.records import dataclass

_WRAPS = {
    True: "an unsigned value that may not fit into `int`",
    False: "a value that is negative, or too large, for an unsigned type",
}

_SHARED_DATA = "a value that each lane computes from what all lanes share"
_End = float | None
_Lanes = IntVector | None

_COMBINED = {"+": pl.add, "-": pl.subtract, "*": pl.multiply}


@dataclass(slots=True)
class Arithmetic:
    """C's operators on values of all threads. `remembered`: the derived symbol for each structure; `derivations`: what
    each was made from; `relations`: assumptions about several symbols together."""

    shape: Shape
    source: SymbolSource
    remembered: dict[Hashable, Symbol] = field(default_factory=dict)
    derivations: dict[Symbol, Derivation] = field(default_factory=dict)
    relations: Relations = NONE
    asked: list[Hashable] = field(default_factory=list)  # of `remembered`, since the last checkpoint (rejoin.py)
    earlier: Earlier | None = None  # an interpretation that may have gone this way before

    # --- fresh values -------------------------------------------------------------------------------------------

    def unknown(
        self, level: Level, type_: Type, cause: Cause, low: _End = None, high: _End = None, alike: _Lanes = None
    ) -> Value:
        """A value of which only uniformity, bounds and the lanes that share it (`Symbol.alike`) are known."""
        kind = SymbolKind.DATA if cause.kind is CauseKind.DATA else SymbolKind.UNKNOWN
        if not is_integral(type_):
            return Other(level, kind is SymbolKind.DATA, cause, own=kind is SymbolKind.DATA and level is Level.LANE)
        least, greatest = integer_range(type_)
        least = floor(low) if low is not None and low > least else least
        greatest = floor(high) if high is not None and high < greatest else greatest
        return Integer(pl.of_symbol(self.source.fresh("?", level, kind, least, greatest, cause=cause, alike=alike)))

    def derived(
        self,
        name: str,
        level: Level,
        derivation: Derivation,
        low: float | None,
        high: float | None,
        cause: Cause,
        modulus: int = 1,
        residue: int = 0,
    ) -> Symbol:
        """A fresh symbol for a function of its operands. It is data, or unknown, if an operand is, with that operand's
        cause: what the analysis lost lane by lane comes before what memory decides."""
        operands = {s for v in derivation.operands for s in v.poly.symbols()}
        condition = derivation.condition
        choosing = frozenset[Symbol]() if condition is None else cond.symbols(condition)
        used = operands | choosing
        source = min((s for s in used if s.kind is SymbolKind.UNKNOWN and s.level is Level.LANE), default=None)
        source = source or deciding(operands, choosing)
        source = source or min((s for s in used if s.kind is SymbolKind.UNKNOWN), default=None)
        kind = SymbolKind.DERIVED if source is None else source.kind
        if source is None and condition is not None and cond.has_opaque(condition):
            kind = SymbolKind.DATA if condition.data else SymbolKind.UNKNOWN
        why = cause if source is None or source.cause is None else told(source.cause, source, derivation, level)
        ends = [None if end is None else finite(end) for end in (low, high)]
        symbol = self.source.fresh(name, level, kind, ends[0], ends[1], modulus, residue, why)
        self.derivations[symbol] = derivation
        return symbol

    def is_own_data(self, value: Value) -> bool:
        """Whether contents of memory that each lane has for itself go into it (own_data.py)."""
        return own_data.is_own_data(value, self.derivations)

    def recall(self, key: Hashable, make: Callable[[], Symbol]) -> Symbol:
        """The symbol remembered for `key`, made at its first use."""
        self.asked.append(key)
        symbol = self.remembered.get(key)
        if symbol is None:
            symbol = make()
            if self.earlier is not None:
                symbol = self.earlier.symbol(key, symbol, self.derivations)
            self.remembered[key] = symbol
        return symbol

    def identity(self, value: Integer, type_: Type) -> Hashable:
        """A key of the C value: equal keys, equal values of the type.  A value that was widened while inexact is equal to
        nothing, since its polynomial does not say whether it was extended by zeros or by its sign."""
        if value.bits is not None and value.bits < width(type_):
            return self.source.unique()
        return (value.poly.key(), value.bits)

    def constant(self, value: int | Coefficient, type_: Type) -> Integer:
        return settle(pl.constant(value), None, type_)

    def truth(self, c: Condition) -> Integer:
        """The condition as an integer 0 or 1, a choice symbol on the undecided lanes."""
        ones = pl.constant(c.true.astype(np.int64))
        undecided = c.undecided
        if not some(undecided):
            return Integer(ones, None, c)
        x = pl.of_symbol(self.choice(c))
        return Integer(pl.add(ones, pl.scale(x, pl.constant(undecided.astype(np.int64)).constant)), None, c)

    def keyed(
        self, key: Hashable, derivation: Derivation, cause: Cause, low: float, high: float, modulus: int = 1
    ) -> Value:
        """The symbol remembered by a key for a function of the operands; within bounds, a multiple of the modulus."""
        operands = derivation.operands
        level = Level(max(level_of(v) for v in operands))
        symbol = self.recall(key, lambda: self.derived("?", level, derivation, low, high, cause, modulus))
        return Integer(pl.of_symbol(symbol), None, None, first_origin(*operands))

    def choice(self, c: Condition) -> Symbol:
        """The symbol, 0 or 1, of an undecided condition; equal formulas have one symbol."""

        def make() -> Symbol:
            symbol = self.source.fresh("choice", cond.open_level(c), SymbolKind.CHOICE, 0, 1, cause=c.cause)
            self.derivations[symbol] = Derivation("choice", (), None, cond.formula(c))
            return symbol

        return self.recall(("choice", c.key), make)

    # --- ring operations ----------------------------------------------------------------------------------------

    def ring(self, op: str, a: Integer, b: Integer, type_: Type) -> Value:
        """+ - * in the ring modulo 2^w."""
        bits = least_bits(a.bits, b.bits)
        poly = _COMBINED[op](a.poly, b.poly)
        result = settle(poly, bits, type_, first_origin(a, b))
        if bits is None and not result.exact and self.relations.nonnegative and self._stays_in_range(poly, type_):
            result = Integer(poly, None, None, result.origin)
        return self.shorten(result, type_)

    def _stays_in_range(self, poly: Poly, type_: Type) -> bool:
        """Whether the relations show that no thread's value leaves the type."""
        low, high = bounds(poly, self.relations)
        least, greatest = integer_range(type_)
        return bool(np.all(np.asarray(low) >= least) and np.all(np.asarray(high) <= greatest))

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
            return divided_constants(op, a, b, type_, self.shape.padded)
        divisor = b.poly.constant if b.poly.is_constant else None
        low, _ = lane_bounds(a, type_)
        nonnegative = a.exact and pl.least(low) >= 0
        if a.exact and not nonnegative and self.relations.nonnegative:
            nonnegative = bool(np.all(np.asarray(bounds(a.poly, self.relations)[0]) >= 0))
        if isinstance(divisor, int) and divisor > 0 and nonnegative:
            return self.floor(op, a, divisor, type_)
        if op == "%" and isinstance(divisor, int) and divides_turns(divisor, a, type_):
            return self.floor(op, a, divisor, type_)
        if isinstance(divisor, int) and divisor > 0 and a.exact:
            sign = self.compare("<", a, Integer(pl.ZERO), type_)
            if not some(sign.undecided):
                return self.truncated(op, a, divisor, sign.true, type_)
        part = apart(self, op, a, b, type_, nonnegative)
        return part or self._quotient_symbol(op, a, b, type_, nonnegative)

    def truncated(self, op: str, a: Integer, d: int, negative: BoolVector, type_: Type) -> Value:
        """/ and % by d > 0 where every lane's sign is known: -(-x / d) is floor((x + d - 1) / d)."""
        raised = pl.add(a.poly, pl.scale(pl.constant(negative.astype(np.int64)), d - 1))
        quotient = self.floor("/", Integer(raised, None, None, a.origin), d, type_)
        if op == "/" or not isinstance(quotient, Integer):
            return quotient
        return self.ring("-", a, Integer(pl.scale(quotient.poly, d)), type_)

    def floor(self, op: str, a: Integer, d: int, type_: Type) -> Value:
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
        return moved_alike(self, a, d, type_) or self._floor_quotient(a, rest, d, type_)

    def _residue_symbol(self, rest: Poly, d: int, a: Integer) -> Value:
        """P mod d where it is not a known vector: one symbol in [0, d-1] for equal remainders."""
        level = pl.level(rest)
        cause = Cause(CauseKind.ANALYSIS, f"a remainder modulo {d} that depends on values not known here", a.origin)
        modulus, residue = common_congruence(rest, d)
        symbol = self.recall(
            ("mod", rest.key(), d),
            lambda: self.derived("rem", level, _integers("floor%", rest, d), 0, d - 1, cause, modulus, residue),
        )
        return Integer(pl.of_symbol(symbol), None, None, a.origin)

    def _floor_quotient(self, a: Integer, rest: Poly, d: int, type_: Type) -> Value:
        """P / d = exact part + floor(rest / d), the latter one symbol."""
        whole = pl.map_coefficients(a.poly, lambda c: c // d)
        low, high = (floor(end / d) if finite(end) is not None else None for end in pl.total_bounds(rest))
        cause = Cause(CauseKind.ANALYSIS, f"a quotient by {d} that depends on values not known here", a.origin)
        symbol = self.recall(
            ("div", rest.key(), d),
            lambda: self.derived("quo", pl.level(rest), _integers("floor/", rest, d), low, high, cause),
        )
        return settle(pl.add(whole, pl.of_symbol(symbol)), None, type_, a.origin)

    def _quotient_symbol(self, op: str, a: Integer, b: Integer, type_: Type, nonnegative: bool) -> Value:
        """Nothing exact is known; equal operands give an equal result, and |a / b| <= |a|, |a % b| < |b|."""
        level = Level(max(level_of(a), level_of(b)))
        reason = "a division" if op == "/" else "a remainder"
        known = b.poly.is_constant and isinstance(b.poly.constant, int)
        what = "of a value that may be negative" if known else "by a value that is not a known constant"
        cause = Cause(CauseKind.ANALYSIS, f"{reason} {what}", first_origin(a, b))
        low, high = (float(end) for end in integer_range(type_))
        alow, ahigh = (np.asarray(end) for end in lane_bounds(a, type_))
        blow, bhigh = (np.asarray(end) for end in lane_bounds(b, type_))
        reach = max(abs(float(alow.min())), abs(float(ahigh.max())))
        if op == "%" and float(blow.min()) >= 0:
            reach = min(reach, max(float(bhigh.max()) - 1, 0.0))
        low, high = max(low, 0.0 if nonnegative and float(blow.min()) >= 0 else -reach), min(high, reach)
        symbol = self.recall(
            self.quotient_key(op, a, b, type_),
            lambda: self.derived("quo", level, Derivation(op, (a, b), type_), low, high, cause),
        )
        return Integer(pl.of_symbol(symbol), None, None, first_origin(a, b))

    def quotient_key(self, op: str, a: Integer, b: Integer, type_: Type) -> Hashable:
        """By which the symbol of a division is remembered."""
        return (op, self.identity(a, type_), self.identity(b, type_), width(type_), is_signed(type_))

    # --- bits and joins, in files of their own ------------------------------------------------------------------

    def shift(self, op: str, a: Integer, b: Integer, type_: Type) -> Value:
        """<< and >>."""
        return bits.shift(self, op, a, b, type_)

    def bitwise(self, op: str, a: Integer, b: Integer, type_: Type) -> Value:
        """& | ^."""
        return bits.bitwise(self, op, a, b, type_)

    def blend(self, c: Condition, a: Value, b: Value, type_: Type) -> Value:
        """`a` where the condition is true, `b` where it is false."""
        return joins.blend(self, c, a, b, type_)

    def extreme(self, op: str, a: Integer, b: Integer, type_: Type) -> Value:
        """min and max."""
        return joins.extreme(self, op, a, b, type_)

    # --- conversions --------------------------------------------------------------------------------------------

    def convert(self, value: Value, source: Type, target: Type) -> Value:
        """A C conversion.  Integer to integer is a reduction modulo 2^w; floats keep only their level."""
        if not is_integral(target):
            one, own = (value,), self.is_own_data(value)
            near = own_data.are_near(one, self.derivations)
            return Other(level_of(value), is_data(value), cause_of(value), value.origin, own, alike_values(one), near)
        if isinstance(value, Other):
            why = why_lost(value, "converted from a floating-point value")
            return self.unknown(value.level, target, why, alike=value.alike)
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
        if settled.exact:
            return settled
        if width(target) < 32:
            return self._narrowed(settled, target)
        return self.unwound(settled, target) if is_signed(target) else settled

    def unwound(self, value: Integer, target: Type) -> Integer:
        """The value P - 2^w * q without wrap-around: exact if all lanes of a warp wrap around equally often, q times.
        Signed sums and comparisons that follow are exact then (`a <= a + n - 1`), and so is an order of unsigned
        values (`min(i, n - 1)`)."""
        turn = 1 << width(target)
        if value.bits != width(target) or turn >= 1 << 63 or pl.level(value.poly) is Level.LANE:
            return value
        shifted = pl.add(value.poly, pl.constant(turn // 2 if is_signed(target) else 0))
        low, high = (floor(end / turn) if finite(end) is not None else None for end in pl.total_bounds(shifted))
        cause = Cause(CauseKind.ANALYSIS, _WRAPS[is_signed(target)], value.origin)
        symbol = self.recall(
            ("div", shifted.key(), turn),
            lambda: self.derived("wrap", pl.level(shifted), _integers("floor/", shifted, turn), low, high, cause),
        )
        return Integer(pl.subtract(value.poly, pl.scale(pl.of_symbol(symbol), turn)), None, None, value.origin)

    def _narrowed(self, value: Integer, target: Type) -> Value:
        """A short type that wraps: its congruence modulo 2^w does not survive promotion, its range does."""
        low, high = integer_range(target)
        cause = Cause(CauseKind.ANALYSIS, "a value that may wrap around in a narrow type", value.origin)
        key = ("narrow", value.poly.key(), low, high)
        return self.keyed(key, Derivation("narrow", (value,), target), cause, low, high)

    # --- comparisons --------------------------------------------------------------------------------------------

    def compare(self, op: str, a: Value, b: Value, type_: Type) -> Condition:
        """< <= > >= == != on operands of `type_`."""
        if isinstance(a, Other) or isinstance(b, Other):
            return self.opaque_condition(Level(max(level_of(a), level_of(b))), is_data(a) or is_data(b), (a, b))
        if op in (">", ">="):
            return self.compare({">": "<", ">=": "<="}[op], b, a, type_)
        if op == "!=":
            return cond.negate(self.compare("==", a, b, type_))
        if a.exact != b.exact and pl.level(a.poly) is not pl.level(b.poly):
            a, b = (v if v.exact else self.unwound(v, type_) for v in (a, b))
        wraps = not (a.exact and b.exact)
        difference = pl.subtract(a.poly, b.poly)
        if op == "<=":
            difference = pl.add(difference, pl.constant(-1))
        relation = Relation.ZERO if op == "==" else Relation.NEGATIVE
        true, false = self._decide(a, b, difference, relation, wraps, op, type_)
        if every(true | false):
            return Condition(true, false)
        if wraps:
            checked = range_check(self, op, a, b, type_) if relation is Relation.NEGATIVE else None
            if checked is not None:
                return checked
            return self._wrapped_literal(op, relation, a, b, type_, true, false)
        checked = taken_apart(self, difference, relation)
        if checked is not None:
            return checked
        data = any(s.kind is SymbolKind.DATA for s in difference.symbols())
        cause = deciding_cause(difference.symbols())
        key: Hashable = (relation, difference.key())
        mirror = cond.mirror(difference) if relation is Relation.NEGATIVE else None
        return cond.literal(Atom(key, relation, difference, pl.level(difference), data, cause, mirror), true, false)

    def _wrapped_literal(
        self, op: str, relation: Relation, a: Integer, b: Integer, type_: Type, true: BoolVector, false: BoolVector
    ) -> Condition:
        """A comparison of values known modulo 2^w only: their difference does not decide their order, so the literal is
        that of the two operands (`tid - 1 < tid` is false for thread 0 of unsigned values, and true for the others)."""
        key = (relation, op, self.identity(a, type_), self.identity(b, type_), width(type_), is_signed(type_))
        level = Level(max(level_of(a), level_of(b)))
        data = is_data(a) or is_data(b)
        compared = Comparison(op, a, b, type_)
        cause = left_deciding(cause_of(a) or cause_of(b), pl.subtract(a.poly, b.poly).symbols())
        atom = Atom(key, Relation.OPAQUE, None, level, data, cause, None, compared)
        return cond.literal(atom, true, false)

    def _decide(
        self, a: Integer, b: Integer, difference: Poly, relation: Relation, wraps: bool, op: str, type_: Type
    ) -> tuple[BoolVector, BoolVector]:
        size = self.shape.padded
        if not wraps and a.poly.is_constant and b.poly.is_constant:
            x, y = (pl.coefficient_vector(v.poly.constant, size) for v in (a, b))
            holds = x < y if op == "<" else x <= y if op == "<=" else x == y
            return holds, ~holds
        if not wraps:
            low, high = pl.bounds(difference)
            if b.poly.terms or op == "<=" or integer_range(type_)[0] >= 0:  # else the range leaves signs as they are
                alow, ahigh = lane_bounds(a, type_)
                blow, bhigh = lane_bounds(b, type_)
                shift = -1.0 if op == "<=" else 0.0
                low = pl.greater(low, alow - bhigh + shift)
                high = pl.less(high, ahigh - blow + shift)
            true, false = (of_all(holds, size) for holds in by_sign(low, high, relation))
            if relation is Relation.ZERO:
                false = false | never_zero(difference, size)
            if self.relations == NONE or every(true | false):
                return true, false
            return self._by_relations(difference, relation, true, false)
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

    def _by_relations(
        self, difference: Poly, relation: Relation, true: BoolVector, false: BoolVector
    ) -> tuple[BoolVector, BoolVector]:
        """What the relations decide beside, warp by warp: where they decide some lanes of a warp only (the first one of
        `i < n`), the formula says more of all of them than one lane taken out of it."""
        size = self.shape.padded
        holds, fails = (of_all(h, size) for h in by_sign(*bounds(difference, self.relations), relation))
        if relation is Relation.ZERO and is_never_zero(difference, self.relations):
            fails = np.ones(size, dtype=bool)
        decided = (true | false | holds | fails).reshape(-1, WARP).all(axis=1).repeat(WARP)
        return true | (holds & decided & ~false), false | (fails & decided & ~true)

    def test(self, value: Value, type_: Type) -> Condition:
        """C's truth of a value: not equal to zero."""
        if isinstance(value, Other):
            return self.opaque_condition(value.level, value.data, (value,))
        if value.condition is not None:
            return value.condition
        return self.compare("!=", value, Integer(pl.ZERO), type_)

    def opaque_condition(self, level: Level, data: bool, values: tuple[Value, ...]) -> Condition:
        """A truth value of which only the uniformity is known; its cause is that of the value in which lanes differ."""
        nobody = np.zeros(self.shape.padded, dtype=bool)
        told = sorted(values, key=level_of, reverse=True)
        cause = next((c for c in map(cause_of, told) if c is not None), None)
        first, near = next(iter(told), None), own_data.are_near(values, self.derivations)
        if isinstance(first, Other) and first.level is Level.LANE and first.data and (near or not first.own):
            cause = why_lost(replace(first, own=False), _SHARED_DATA)
        atom = Atom(self.source.unique(), Relation.OPAQUE, None, level, data, cause, alike=alike_values(values))
        return cond.literal(atom, nobody, nobody)


def _in_range(value: Integer, source: Type, target: Type) -> bool:
    """Whether the exact value of the source type is one of the target's."""
    if is_signed(target) and is_signed(source) and width(target) >= width(source):
        return True
    low, high = lane_bounds(value, source)
    least, greatest = map(float, integer_range(target))  # as the ends of the value are: 2^64 - 1 is 2^64 in both
    return pl.least(low) >= least and pl.greatest(high) <= greatest


def _integers(op: str, dividend: Poly, divisor: int) -> Derivation:
    """A division of integers, without a C type."""
    return Derivation(op, (Integer(dividend), Integer(pl.constant(divisor))), None)
