"""One case of one warp: derived values computed anew, on 32 lanes, under the decisions made so far.

See case_split.py for the idea.  A `CaseRun` has an arithmetic of its own, so that what is derived again but still has no
polynomial becomes a new symbol with a new derivation, about which the next decision can be made.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import field

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.relations import Relations
from analysis_core.domains.repeat import repeated
from analysis_core.domains.shape import WARP, BoolVector, IntVector, Shape, every, some
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import Integer, Value
from analysis_core.ir.types import LONG, Type
from analysis_core.text.records import dataclass

WARP_NAME = "warp"

_DEEPEST = 8
"""Derivations inside of derivations that are followed."""


@dataclass(frozen=True, slots=True, eq=False)
class Quotient:
    """In this case  dividend[t] = first + d[t]  with  first = quotient*divisor + rest,  0 <= rest < divisor; lanes with
    d < `wrap` are in the same row as `first`, the next `reach` ones in the row after (wrap None: all up to `reach` are
    in the first row)."""

    first: Poly
    divisor: Poly
    quotient: Symbol
    rest: Poly
    wrap: int | None
    reach: int


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """One of the cases of a decision: symbols replaced, the truth of a comparison (by `truth_key`) for each lane, or a
    quotient.  `residue`: (symbol, modulus, residue) where that is all it says."""

    replaced: Mapping[Symbol, Poly] = field(default_factory=dict)
    truth_key: Hashable = None
    truth: BoolVector | None = None
    quotient: Quotient | None = None
    residue: tuple[Symbol, int, int] | None = None


class Fresh:
    """Symbols of decisions and of what is derived again: the same in every case, so that what was decided about a value is
    found again and equal requests stay equal."""

    def __init__(self, first: int) -> None:
        self.source = SymbolSource()
        self.source.count = first
        self.remembered: dict[Hashable, Symbol] = {}
        self.derivations: dict[Symbol, Derivation] = {}
        self.lanes: dict[tuple[tuple[int, ...], int], tuple[Poly, Poly]] = {}
        """Polynomials over the block, by identity, for the lanes of some warps: the same in every case too."""
        self.truths: dict[tuple[tuple[int, ...], int], tuple[BoolVector, BoolVector]] = {}
        """The same for truth vectors."""
        self._made: dict[Hashable, Symbol] = {}

    @property
    def lonely(self) -> int:
        """A number for a value that equals no other, apart from the symbols that are found again."""
        return self.source.count - len(self.remembered) - len(self._made)

    def symbol(self, key: Hashable, name: str, level: Level, low: int | None, high: int | None) -> Symbol:
        """The symbol of the key with these bounds."""
        whole = (key, low, high)
        if whole not in self._made:
            self._made[whole] = self.source.fresh(name, level, SymbolKind.DERIVED, low, high)
        return self._made[whole]

    def at_least(self, known: Symbol, low: int) -> Symbol:
        """What stands for a size where it is no less than `low`."""
        key = ("at least", known, low)
        if key not in self._made:
            s = known
            self._made[key] = self.source.fresh(s.name, s.level, s.kind, low, s.high, s.modulus, s.residue, s.cause)
        return self._made[key]


_REAL = np.ones(WARP, dtype=bool)
_NOWHERE: IntVector = np.zeros(WARP, dtype=np.int64)
_LANES = Shape((WARP, 1, 1), WARP, (np.arange(WARP, dtype=np.int64), _NOWHERE, _NOWHERE), _REAL)


@dataclass(slots=True, eq=False)
class _Reading:
    """What finding out a value or a condition has asked.  `derived`: it takes a derivation.  `rests`: all symbols that were asked
    or came out; `found`: those of them that are another value here; `depth`: derivations inside of each other, too many for
    any case where the answer is one of this case alone."""

    derived: bool = False
    rests: set[Symbol] = field(default_factory=set)
    found: set[Symbol] = field(default_factory=set)
    depth: int = 0

    def asks(self, other: _Reading) -> None:
        """Takes in what was asked by the way."""
        self.rests |= other.rests
        self.found |= other.found
        self.depth = max(self.depth, other.depth)

    def add(self, symbol: Symbol, value: Poly | None, lonely: bool) -> None:
        """The symbol that was asked, and what it is.  `lonely`: symbols were made that no other case finds again."""
        self.rests.add(symbol)
        self.found.add(symbol)
        if value is not None:
            self.rests |= value.symbols()
        self.depth = _NEVER if lonely else self.depth + self.derived


_NEVER = 1 << 20
"""A depth that no case has."""


class NotAlike(Exception):
    """Raised if the warps of a group differ by more than a multiple of their number; they must be looked at one by
    one."""


class Tangled(Exception):
    """Raised if a symbol was replaced by something that depends on it, so that the case cannot be followed."""


class CaseRun:
    """`warps`: the numbers of the warps that are looked at together, in increasing order.  `made`: the decisions so far.

    Mostly a block's warps are alike but for an offset: the lanes of `tid + 1` are 32*W + (1 .. 32).  Then one run with W as
    a symbol stands for all of them; where they are not alike, `NotAlike` is raised.

    `parent`: the case with all decisions but the last.  What does not rest on the last one is taken from there, and counted as
    work all the same, so that no budget depends on it."""

    def __init__(
        self,
        warps: tuple[int, ...],
        derivations: Mapping[Symbol, Derivation],
        made: tuple[Alternative, ...],
        fresh: Fresh,
        parent: CaseRun | None = None,
    ) -> None:
        self.warps = warps
        self.warp_symbol = fresh.symbol(("warp", warps), WARP_NAME, Level.WARP, warps[0], warps[-1])
        self.made = made
        self.fresh = fresh
        self.arithmetic = Arithmetic(_LANES, fresh.source, fresh.remembered, fresh.derivations)
        self._derivations = derivations
        self._replaced: dict[Symbol, Poly] = {s: p for a in made for s, p in a.replaced.items()}
        self._truths = {a.truth_key: a.truth for a in made if a.truth is not None}
        self._quotients = [a.quotient for a in made if a.quotient is not None]
        self._values: dict[Symbol, Poly | None] = {}
        self._conditions: dict[int, tuple[Condition, Condition]] = {}  # by identity: masks share their literals
        self._open: set[Symbol] = set()
        self._depth = 0
        self._readings: dict[Symbol, _Reading] = {}
        self._conditions_read: dict[int, _Reading] = {}
        self._asking: _Reading | None = None
        told = parent is not None and not parent.arithmetic.relations.nonnegative
        told = told and made[-1].truth is None and made[-1].quotient is None
        self._parent = parent if told else None
        self.work = 1  # derivations repeated, and the case itself
        self.arithmetic.relations = self._kept()

    def _kept(self) -> Relations:
        """The bounds of a decision's symbol that a later decision has replaced in its turn: `v >= 0` is what the first of
        them said, and the polynomial that stands for v does not show it."""
        facts: list[Poly] = []
        introduced: set[Symbol] = set()
        for alternative in self.made:
            for symbol in introduced.intersection(alternative.replaced):
                value = self.expand(pl.of_symbol(symbol))
                low, high = pl.total_bounds(value)
                if symbol.low is not None and low < symbol.low:
                    facts.append(pl.subtract(value, pl.constant(symbol.low)))
                if symbol.high is not None and high > symbol.high:
                    facts.append(pl.subtract(pl.constant(symbol.high), value))
            introduced.update(s for value in alternative.replaced.values() for s in value.symbols())
        return Relations(tuple(f for f in facts if all(isinstance(c, int) for c in f.terms.values())))

    def poly(self, a: Poly) -> Poly:
        """A polynomial over the block, restricted to the warp's lanes and with this case's decisions put in."""
        return self.expand(self.lanes_of(a))

    def lanes_of(self, a: Poly) -> Poly:
        """The polynomial for the lanes of any of the warps: vectors become the lanes of the first warp, and what the
        others are ahead a multiple of the warp's number."""
        if all(isinstance(c, int) for c in a.terms.values()):
            return a
        key = (self.warps, id(a))
        if key not in self.fresh.lanes:
            self.fresh.lanes[key] = (a, self._lanes_of(a))
        return self.fresh.lanes[key][1]

    def _lanes_of(self, a: Poly) -> Poly:
        first = pl.lanes_of(a, self.warps[0] * WARP, (self.warps[0] + 1) * WARP)
        if len(self.warps) == 1:
            return first
        ahead = {m: self._step(c) for m, c in a.terms.items() if not isinstance(c, int)}
        number = pl.subtract(pl.of_symbol(self.warp_symbol), pl.constant(self.warps[0]))
        for monomial, step in ahead.items():
            if step:
                first = pl.add(first, pl.multiply(number, Poly({monomial: step})))
        return first

    def _step(self, vector: IntVector) -> int:
        """How much each warp's lanes are ahead of those of the warp before it."""
        rows = vector.reshape(-1, WARP)[list(self.warps)]
        ahead = rows - rows[0]
        step = int(ahead[1, 0]) // (self.warps[1] - self.warps[0])
        expected = step * (np.array(self.warps, dtype=np.int64) - self.warps[0])
        if some(ahead != expected[:, np.newaxis]):
            raise NotAlike
        return step

    def lanes(self, vector: BoolVector) -> BoolVector:
        """A truth vector of the block for the lanes of any of the warps."""
        key = (self.warps, id(vector))
        known = self.fresh.truths.get(key)
        if known is None:
            rows = vector.reshape(-1, WARP)[list(self.warps)]
            if len(self.warps) > 1 and some(rows != rows[0]):
                raise NotAlike
            known = self.fresh.truths[key] = (vector, np.asarray(rows[0]))
        return known[1]

    def expand(self, a: Poly) -> Poly:
        """A polynomial over the warp's lanes with all decided symbols replaced."""
        values = {s: value for s in a.symbols() if (value := self._value(s)) is not None}
        return pl.substitute(a, values) if values else a

    def tidy(self, a: Poly) -> Poly:
        """The polynomial in which quotient * divisor + rest is the dividend again, as the address had it before it was
        divided."""
        for q in self._quotients:
            if q.wrap is None or not q.rest.terms:
                continue
            (rest,) = next(iter(q.rest.terms))
            product = tuple(sorted((q.quotient, rest)))
            coefficient = a.terms.get(product)
            if coefficient is None:
                continue
            whole = pl.subtract(self.expand(q.first), pl.add(pl.scale(pl.of_symbol(q.quotient), q.wrap), q.rest))
            without = Poly({m: c for m, c in a.terms.items() if m != product})
            a = pl.add(without, pl.scale(whole, coefficient))
        return a

    def _value(self, symbol: Symbol) -> Poly | None:
        """What the symbol is in this case, None if it stays itself."""
        asking, reading = self._asking, self._readings.get(symbol)
        if reading is None:
            derived = symbol not in self._replaced
            if derived and symbol not in self._derivations:
                if asking is not None:
                    asking.rests.add(symbol)
                return None
            reading = None if self._parent is None else self._parent._readings.get(symbol)
            if reading is None or not self._take(reading):
                reading = self._asking = _Reading(derived)
                lonely = self.fresh.lonely
                try:
                    value = self._found(symbol, reading)
                finally:
                    self._asking = asking
                self._values[symbol] = value
                self._readings[symbol] = reading
                reading.add(symbol, value, self.fresh.lonely != lonely)
        if asking is not None:
            asking.asks(reading)
        return self._values[symbol]

    def _take(self, known: _Reading) -> bool:
        """Takes what the parent has found out, if it is the same here."""
        parent = self._parent
        assert parent is not None
        if (
            self.arithmetic.relations.nonnegative
            or self._depth + known.depth > _DEEPEST
            or not known.rests.isdisjoint(self.made[-1].replaced)
        ):
            return False
        for symbol in known.found:
            if symbol not in self._readings:
                reading = self._readings[symbol] = parent._readings[symbol]
                self._values[symbol] = parent._values[symbol]
                self.work += reading.derived
        return True

    def _found(self, symbol: Symbol, reading: _Reading) -> Poly | None:
        """What the symbol is, found out here."""
        replaced = self._replaced.get(symbol)
        if replaced is not None:
            if symbol in self._open:
                raise Tangled
            self._open.add(symbol)
            result: Poly | None = self.expand(replaced)
            self._open.discard(symbol)
        elif self._depth < _DEEPEST:
            self._depth += 1
            result = self._again(self._derivations[symbol])
            self._depth -= 1
            if result is not None and not self._replaced.keys().isdisjoint(result.symbols()):
                result = self.expand(result)  # a decision was about what the derivation gives in this case
        else:
            reading.depth = _NEVER
            result = None
        return result

    def _again(self, d: Derivation) -> Poly | None:
        """The derivation repeated; None where it gives nothing that may stand for the symbol."""
        self.work += 1
        condition = None if d.condition is None else self.condition(d.condition)
        operands = [Integer(self.poly(v.poly), v.bits) for v in d.operands]
        value = self._apply(d, operands, condition)
        return value.poly if isinstance(value, Integer) and value.exact else None

    def _apply(self, d: Derivation, operands: list[Integer], condition: Condition | None) -> Value | None:
        if d.op in ("/", "%") and len(operands) == 2 and condition is None:
            least, _ = pl.total_bounds(d.operands[0].poly)  # what was replaced may no longer show it
            dividend, divisor = operands
            return self._divided(d.op, dividend, divisor, d.type if d.type is not None else LONG, least >= 0)
        return repeated(self.arithmetic, d, operands, condition)

    def _divided(self, op: str, a: Integer, b: Integer, type_: Type, nonnegative: bool) -> Value:
        for q in self._quotients if a.exact and b.exact else ():
            known = self._by_quotient(op, a.poly, b.poly, q)
            if known is not None:
                return Integer(known)
        divisor = b.poly.constant
        if a.exact and b.exact and nonnegative and b.poly.is_constant and isinstance(divisor, int) and divisor > 0:
            return self.arithmetic.floor(op, a, divisor, LONG)  # no larger than the dividend, which fits its type
        if a.exact and b.exact and isinstance(divisor, int) and b.poly.is_constant and divisor > 0:
            sign = self.sign(a.poly, Relation.NEGATIVE)
            if not some(sign.undecided):
                return self.arithmetic.truncated(op, a, divisor, sign.true, LONG)
        return self.arithmetic.divide(op, a, b, type_)

    def _by_quotient(self, op: str, a: Poly, b: Poly, q: Quotient) -> Poly | None:
        """The quotient or remainder, if the dividend lies within the rows that the decision speaks of."""
        if not pl.equal(b, self.expand(q.divisor)):
            return None
        distance = pl.subtract(a, self.expand(q.first))
        if not distance.is_constant:
            return None
        d = pl.coefficient_vector(distance.constant, WARP)
        if d.min() < 0 or d.max() > q.reach:
            return None
        stepped = np.zeros(WARP, dtype=np.int64) if q.wrap is None else (d >= q.wrap).astype(np.int64)
        quotient = pl.add(self.expand(pl.of_symbol(q.quotient)), pl.constant(stepped))
        if op == "/":
            return quotient
        first_row = pl.add(self.expand(q.rest), pl.constant(d))
        if q.wrap is None:
            return first_row
        return pl.select(stepped.astype(bool), pl.constant(d - q.wrap), first_row)

    def depends(self, symbol: Symbol, on: Symbol) -> bool:
        """Whether the symbol is `on`, or derived from it."""
        pending, seen = [symbol], set()
        while pending:
            top = pending.pop()
            if top is on:
                return True
            derivation = self._derivations.get(top) or self.arithmetic.derivations.get(top)
            if derivation is None or top in seen:
                continue
            seen.add(top)
            pending.extend(s for v in derivation.operands for s in v.poly.symbols())
            if derivation.condition is not None:
                pending.extend(cond.symbols(derivation.condition))
        return False

    # --- conditions ---------------------------------------------------------------------------------------------

    def condition(self, c: Condition) -> Condition:
        """A condition over the block, restricted to the warp's lanes and with this case's decisions put in."""
        asking, reading = self._asking, self._conditions_read.get(id(c))
        if reading is None:
            reading = None if self._parent is None else self._parent._conditions_read.get(id(c))
            if reading is not None and self._take(reading):
                assert self._parent is not None
                self._conditions[id(c)] = self._parent._conditions[id(c)]
            else:
                reading = self._asking = _Reading()
                lonely = self.fresh.lonely
                try:
                    found = self._condition(c)
                finally:
                    self._asking = asking
                self._conditions[id(c)] = (c, found)
                if self.fresh.lonely != lonely:
                    reading.depth = _NEVER
            self._conditions_read[id(c)] = reading
        if asking is not None:
            asking.asks(reading)
        return self._conditions[id(c)][1]

    def _condition(self, c: Condition) -> Condition:
        true, false = self.lanes(c.true), self.lanes(c.false)
        if every(true | false):
            return Condition(true, false)
        if c.atom is not None:
            inner = self._literal(c, true, false)
        else:
            parts = [self.condition(part) for part in c.parts]
            inner = parts[0]
            for part in parts[1:]:
                inner = cond.conjunction(inner, part) if c.all_of else cond.disjunction(inner, part)
        yes, no = true | (inner.true & ~false), false | (inner.false & ~true)
        if every(yes | no):
            return Condition(yes, no)
        return Condition(yes, no, inner.atom, inner.positive, inner.parts, inner.all_of)

    def _literal(self, c: Condition, true: BoolVector, false: BoolVector) -> Condition:
        atom = c.atom
        assert atom is not None
        if atom.poly is None:
            return Condition(true, false, atom, c.positive)
        found = self.sign(self.poly(atom.poly), atom.relation)
        return found if c.positive else cond.negate(found)

    def sign(self, difference: Poly, relation: Relation) -> Condition:
        """difference < 0 or == 0, with what was decided about it."""
        op = "==" if relation is Relation.ZERO else "<"
        found = self.arithmetic.compare(op, Integer(difference), Integer(pl.ZERO), LONG)
        truth = self._truths.get((relation, difference.key()))
        if truth is not None:
            return cond.decided((found.true | truth) & ~found.false)
        return found
