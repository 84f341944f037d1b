"""Laws of the value domain, lane by lane: the ring of polynomials, select and blend, and the masks.

Everything is evaluated under random valuations: every symbol gets a number (per block, per warp or per lane, by its level)
and every literal is then true or false for each lane by its own polynomial.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis_core.domains import condition as cond
from analysis_core.domains import mask as masks
from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import Shape, make_shape
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.state import mask_base
from analysis_core.ir.types import INT

SEEDS = st.integers(0, 1 << 30)
SHAPES = [(64, 1, 1), (24, 2, 1), (16, 4, 1)]


class World:
    """A shape, some symbols of each level, and a valuation of all symbols that turn up."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.shape: Shape = make_shape(self.rng.choice(SHAPES))
        self.arithmetic = Arithmetic(self.shape, SymbolSource())
        fresh = self.arithmetic.source.fresh
        self.symbols = [
            fresh("n", Level.BLOCK, SymbolKind.PARAMETER, 0, 40),
            fresh("m", Level.BLOCK, SymbolKind.PARAMETER, 0, 7),
            fresh("w", Level.WARP, SymbolKind.DATA, -20, 20),
            fresh("t", Level.LANE, SymbolKind.DATA, -9, 9),
            fresh("x", Level.BLOCK, SymbolKind.CHOICE, 0, 1),
        ]
        self.values: dict[Symbol, np.ndarray] = {}

    def value_of(self, symbol: Symbol) -> np.ndarray:
        """The symbol's number for each lane: equal as its level says, within its range."""
        if symbol not in self.values:
            size, low, high = self.shape.padded, symbol.low or 0, symbol.high if symbol.high is not None else 50
            count = {Level.BLOCK: 1, Level.WARP: size // 32, Level.LANE: size}[symbol.level]
            numbers = np.array([self.rng.randint(low, high) for _ in range(count)], dtype=np.int64)
            self.values[symbol] = np.repeat(numbers, size // count)
        return self.values[symbol]

    def poly(self) -> Poly:
        rng, total = self.rng, pl.constant(self.rng.randint(-5, 5))
        for _ in range(rng.randrange(4)):
            factor = pl.constant(rng.choice((rng.randint(-3, 3), self.vector())))
            for _ in range(rng.randrange(3)):
                factor = pl.multiply(factor, pl.of_symbol(rng.choice(self.symbols)))
            total = pl.add(total, factor)
        return total

    def vector(self) -> np.ndarray:
        x, y, z = self.shape.thread
        return self.rng.choice((x, y, x % 4, 3 * x + y, x // 8, z + x))

    def evaluate(self, a: Poly) -> np.ndarray:
        total = np.zeros(self.shape.padded, dtype=np.int64)
        for monomial, coefficient in a.terms.items():
            product = np.broadcast_to(np.asarray(coefficient), total.shape).copy()
            for symbol in monomial:
                product *= self.value_of(symbol)
            total += product
        return total

    def condition(self, depth: int = 2) -> Condition:
        rng = self.rng
        if depth and rng.random() < 0.4:
            connect = rng.choice((cond.conjunction, cond.disjunction))
            return connect(self.condition(depth - 1), self.condition(depth - 1))
        if depth and rng.random() < 0.2:
            return cond.negate(self.condition(depth - 1))
        op = rng.choice(("<", "<=", ">", "==", "!="))
        return self.arithmetic.compare(op, Integer(self.poly()), Integer(self.poly()), INT)

    def truth(self, c: Condition) -> np.ndarray:
        """The condition's truth per lane: what is decided, else the formula's."""
        if c.atom is not None:
            assert c.atom.poly is not None
            number = self.evaluate(c.atom.poly)
            formula = number < 0 if c.atom.relation is Relation.NEGATIVE else number == 0
            formula = formula if c.positive else ~formula
        elif c.parts:
            connect = np.logical_and if c.all_of else np.logical_or
            formula = connect.reduce([self.truth(part) for part in c.parts])
        else:
            formula = np.zeros(self.shape.padded, dtype=bool)
        return c.true | (~c.false & formula)

    def members(self, mask: Mask) -> np.ndarray:
        """The lanes that run, under this valuation."""
        inside = mask.may.copy()
        for literal in mask.literals:
            inside &= ~literal.scope | self.truth(literal.formula)
        return inside


@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_polynomials_are_a_ring(seed: int) -> None:
    w = World(seed)
    a, b, c = w.poly(), w.poly(), w.poly()
    assert pl.equal(pl.add(a, b), pl.add(b, a))
    assert pl.equal(pl.multiply(a, b), pl.multiply(b, a))
    assert pl.equal(pl.multiply(a, pl.add(b, c)), pl.add(pl.multiply(a, b), pl.multiply(a, c)))
    assert pl.equal(pl.add(pl.add(a, b), c), pl.add(a, pl.add(b, c)))
    assert pl.equal(pl.multiply(pl.multiply(a, b), c), pl.multiply(a, pl.multiply(b, c)))
    assert pl.equal(pl.subtract(a, a), pl.ZERO)
    assert (w.evaluate(pl.multiply(a, b)) == w.evaluate(a) * w.evaluate(b)).all()
    assert (w.evaluate(pl.add(a, b)) == w.evaluate(a) + w.evaluate(b)).all()


@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_polynomials_lie_within_their_bounds_and_level(seed: int) -> None:
    w = World(seed)
    a = w.poly()
    numbers = w.evaluate(a)
    low, high = pl.bounds(a)
    assert (np.asarray(low) <= numbers).all() and (numbers <= np.asarray(high)).all()
    rows = numbers.reshape(-1, 32)
    if pl.level(a) is not Level.LANE:
        assert (rows == rows[:, :1]).all()
    if pl.level(a) is Level.BLOCK:
        assert (numbers == numbers[0]).all()


@given(SEEDS, st.sampled_from([8, 16, 32]))
@settings(max_examples=100, deadline=None)
def test_centred_polynomials_are_congruent(seed: int, bits: int) -> None:
    w = World(seed)
    a = pl.multiply(w.poly(), pl.constant(w.rng.choice((1, 1 << (bits - 2), (1 << bits) - 3))))
    centred = pl.centred(a, bits)
    assert ((w.evaluate(a) - w.evaluate(centred)) % (1 << bits) == 0).all()
    assert all(isinstance(c, int) or int(np.ptp(c)) < 1 << bits for c in centred.terms.values())


@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_conditions_say_what_their_formulas_say(seed: int) -> None:
    w = World(seed)
    op, a, b = w.rng.choice(("<", "<=", "==")), w.poly(), w.poly()
    said = w.truth(w.arithmetic.compare(op, Integer(a), Integer(b), INT))
    x, y = w.evaluate(a), w.evaluate(b)
    assert (said == {"<": x < y, "<=": x <= y, "==": x == y}[op]).all()
    c, d = w.condition(), w.condition()
    assert (w.truth(cond.negate(c)) == ~w.truth(c)).all()
    assert (w.truth(cond.conjunction(c, d)) == (w.truth(c) & w.truth(d))).all()
    assert (w.truth(cond.disjunction(c, d)) == (w.truth(c) | w.truth(d))).all()
    lanes = w.vector() % 2 == 0
    assert (w.truth(cond.within(c, lanes)) == (w.truth(c) | ~lanes)).all()


@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_equal_keys_are_equal_truths(seed: int) -> None:
    w = World(seed)
    seen: dict[object, Condition] = {}
    for _ in range(12):
        c = w.condition(1)
        other = seen.setdefault(c.key, c)
        both = c.undecided & other.undecided
        assert (w.truth(c)[both] == w.truth(other)[both]).all()


@given(SEEDS)
@settings(max_examples=200, deadline=None)
def test_masks_hold_the_threads_that_run(seed: int) -> None:
    w = World(seed)
    before = masks.assume(Mask(w.shape.real), w.condition(1))
    present = w.members(before)
    c = w.condition()
    refined = masks.refine(before, c)
    assert (w.truth(refined)[present] == w.truth(c)[present]).all()
    after = masks.assume(before, refined)
    assert (w.members(after) == (present & w.truth(c))).all()
    assert not (after.must & ~w.members(after)).any()
    # `since` tells the ones that went from the others, also for a mask that lost threads in the meantime.
    assert (w.truth(masks.since(after, before))[present] == w.members(after)[present]).all()
    # A jump to a case and a fall into it: a formula that is overridden where threads jump.
    jumps = cond.decided(w.vector() % 2 == 0)
    falls = cond.disjunction(w.rng.choice((jumps, w.condition(1))), masks.since(after, before))
    entered = masks.assume(before, masks.refine(before, falls))
    assert (w.members(entered) == (present & w.truth(falls))).all()
    less = masks.assume(before, cond.negate(w.condition(1)))
    left = masks.assume(less, masks.refine(less, w.condition(1)))
    gone = masks.since(left, mask_base(before, left))
    assert (w.truth(gone)[present] == w.members(left)[present]).all()


@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_conditions_are_a_boolean_algebra(seed: int) -> None:
    w = World(seed)
    a, b, c = w.condition(1), w.condition(1), w.condition(1)
    both, either = cond.conjunction, cond.disjunction
    pairs = (
        (cond.negate(cond.negate(a)), a),
        (cond.negate(both(a, b)), either(cond.negate(a), cond.negate(b))),
        (both(a, either(b, c)), either(both(a, b), both(a, c))),
        (both(a, b), both(b, a)),
        (both(a, a), a),
    )
    for left, right in pairs:
        assert (w.truth(left) == w.truth(right)).all()
        assert not (left.true & right.false).any() and not (left.false & right.true).any()
    assert not w.truth(both(a, cond.negate(a))).any() and w.truth(either(a, cond.negate(a))).all()


@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_assuming_is_monotone_and_knows_no_order(seed: int) -> None:
    w = World(seed)
    start, c, d = Mask(w.shape.real), w.condition(1), w.condition(1)
    once, twice = masks.assume(start, c), masks.assume(masks.assume(start, c), c)
    assert (w.members(once) == w.members(twice)).all()
    one, other = masks.assume(once, d), masks.assume(masks.assume(start, d), c)
    assert (w.members(one) == w.members(other)).all()
    assert not (one.may & ~once.may).any() and not (one.must & ~one.may).any()
    nobody = masks.assume(once, cond.negate(c))
    assert not w.members(nobody).any()
    # Threads that satisfy a condition and those that do not are all threads, and nobody is both.
    apart = masks.assume(start, cond.negate(c))
    assert (w.members(once) ^ w.members(apart) == start.may).all()


@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_a_join_holds_both_values(seed: int) -> None:
    """Undecided lanes: the join's bounds hold whatever the condition turns out to be, and no lane is more uniform."""
    w = World(seed)
    a, b, c = Integer(w.poly()), Integer(w.poly()), w.condition(1)
    joined = w.arithmetic.blend(c, a, b, INT)
    assert isinstance(joined, Integer)
    low, high = (np.broadcast_to(np.asarray(end), w.shape.padded) for end in pl.bounds(joined.poly))
    for value, lanes in ((a, ~c.false), (b, ~c.true)):
        numbers = w.evaluate(value.poly)
        assert (low[lanes] <= numbers[lanes]).all() and (numbers[lanes] <= high[lanes]).all()


@given(SEEDS)
@settings(max_examples=150, deadline=None)
def test_select_and_blend_choose_by_lane(seed: int) -> None:
    w = World(seed)
    a, b, lanes = w.poly(), w.poly(), w.vector() % 2 == 0
    assert (w.evaluate(pl.select(lanes, a, b)) == np.where(lanes, w.evaluate(a), w.evaluate(b))).all()
    c = w.condition(1)
    blended = w.arithmetic.blend(c, Integer(a), Integer(b), INT)
    assert isinstance(blended, Integer)
    truth = w.truth(c)
    expected = np.where(truth, w.evaluate(a), w.evaluate(b))
    _fix_new_symbols(w, blended.poly, truth, expected)
    assert (w.evaluate(blended.poly) == expected).all()


def _fix_new_symbols(w: World, poly: Poly, truth: np.ndarray, expected: np.ndarray) -> None:
    """Gives the symbols that the blend made the values that they stand for, and checks their promises."""
    for symbol in poly.symbols() - set(w.symbols):
        if symbol.kind is SymbolKind.CHOICE:
            waiting = np.broadcast_to(_coefficient_lanes(poly, symbol), truth.shape)
            numbers = truth.astype(np.int64)
            if symbol.level is not Level.LANE:
                for rows, where in _groups(symbol.level, numbers, waiting):
                    assert len(set(rows[where])) <= 1, "a uniform choice that lanes make differently"
                    rows[:] = rows[where][0] if where.any() else 0
            w.values[symbol] = numbers
        else:
            low = -(1 << 62) if symbol.low is None else symbol.low
            high = 1 << 62 if symbol.high is None else symbol.high
            waiting = np.broadcast_to(_coefficient_lanes(poly, symbol), truth.shape)
            known = w.evaluate(Poly({m: c for m, c in poly.terms.items() if symbol not in m}))
            numbers = expected - np.broadcast_to(known, truth.shape)  # what lies beyond a base that is known
            assert (numbers[waiting] >= low).all() and (numbers[waiting] <= high).all()
            w.values[symbol] = numbers


def _coefficient_lanes(poly: Poly, symbol: Symbol) -> np.ndarray:
    found = [np.asarray(c) != 0 for m, c in poly.terms.items() if symbol in m]
    return np.logical_or.reduce(np.broadcast_arrays(*found))


def _groups(level: Level, numbers: np.ndarray, waiting: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    if level is Level.BLOCK:
        return [(numbers, waiting)]
    return list(zip(numbers.reshape(-1, 32), waiting.reshape(-1, 32), strict=True))


@pytest.mark.parametrize("connect", [cond.conjunction, cond.disjunction])
def test_decided_conditions_stay_decided(connect: Callable[[Condition, Condition], Condition]) -> None:
    yes, no = cond.decided(np.ones(32, dtype=bool)), cond.decided(np.zeros(32, dtype=bool))
    assert connect(yes, no).is_decided
    assert connect(yes, yes).true.all()
