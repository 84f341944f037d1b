"""Branches against an enumeration of lane values.

Random conditions of comparisons, `&&`, `||` and `!` over thread coordinates, blockIdx, parameters, a counter, a warp's own
value and data are tested under random masks of the same kind.  Then every symbol gets concrete values, C's truth is
evaluated lane by lane, and sides and splits are counted.  Whatever is counted must be among what the analysis said.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from analysis_core.domains import condition as cond
from analysis_core.domains import mask as masks
from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import make_shape
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import Integer
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.events import BranchEvent
from analysis_core.interp.loops.raggedness import stays_failed
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.ir.types import INT
from analysis_core.requests.branches import classify, event_splits, exit_spread, warp_splits
from analysis_core.requests.facts import Divergence
from analysis_core.text.span import FileId, Span

PLACE = Span(FileId("k.cu"), 0, 1)
SHAPES = [(32, 1, 1), (64, 1, 1), (96, 1, 1), (16, 4, 1), (8, 8, 1), (24, 2, 1), (20, 1, 1), (4, 4, 4)]
OPERATORS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal,
}  # fmt: skip


@dataclass
class World:
    """Symbols with the values that they can take; LANE symbols have one per thread, WARP symbols one per warp."""

    arithmetic: Arithmetic
    symbols: list[Symbol]
    rng: random.Random

    @staticmethod
    def make(rng: random.Random) -> World:
        arithmetic = Arithmetic(make_shape(rng.choice(SHAPES)), SymbolSource())
        fresh = arithmetic.source.fresh
        symbols = [
            fresh("blockIdx.x", Level.BLOCK, SymbolKind.GRID, 0, 3),
            fresh("n", Level.BLOCK, SymbolKind.PARAMETER, 0, 90),
            fresh("m", Level.BLOCK, SymbolKind.PARAMETER, 0, 64, 8, 0),
            fresh("v", Level.WARP, SymbolKind.UNKNOWN, -2, 9),
            fresh("d", Level.LANE, SymbolKind.DATA, 0, 7),
            fresh("k", Level.BLOCK, SymbolKind.ITERATION, 0, 40),
        ]
        return World(arithmetic, symbols, rng)

    def values(self) -> dict[Symbol, np.ndarray]:
        size = self.arithmetic.shape.padded
        chosen = {}
        for s in self.symbols:
            pool = range(-(-s.low // s.modulus) * s.modulus, s.high + 1, s.modulus)
            count = {Level.BLOCK: 1, Level.WARP: size // 32, Level.LANE: size}[s.level]
            chosen[s] = np.repeat([self.rng.choice(pool) for _ in range(count)], size // count)
        return chosen

    def polynomial(self) -> pl.Poly:
        """A sum of a few axes, symbols and numbers."""
        rng, shape = self.rng, self.arithmetic.shape
        number = np.arange(shape.padded) if rng.random() < 0.5 else shape.thread[rng.randrange(3)]
        number = number * rng.choice([0, 1, 1, 1, 2, -1]) + rng.randrange(-3, 40)
        if rng.random() < 0.2:
            number = number % rng.choice([2, 4, 8, 32])
        poly = pl.constant(number.astype(np.int64))
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            s = rng.choice(self.symbols)
            scale = rng.choice([1, 1, -1, 8, 16, 32])
            if rng.random() < 0.1:
                poly = pl.add(poly, pl.scale(pl.of_symbol(s), pl.constant(shape.thread[1]).constant))
            else:
                poly = pl.add(poly, pl.scale(pl.of_symbol(s), scale))
        return poly


Truth = Callable[[dict[Symbol, np.ndarray]], np.ndarray]


def evaluate(poly: pl.Poly, values: dict[Symbol, np.ndarray], size: int) -> np.ndarray:
    total = np.zeros(size, dtype=np.int64)
    for monomial, coefficient in poly.terms.items():
        term = np.broadcast_to(np.asarray(coefficient), size).copy()
        for symbol in monomial:
            term = term * values[symbol]
        total += term
    return total


def condition(world: World, depth: int = 2) -> tuple[Condition, Truth]:
    """A condition as the analysis sees it, and its truth for given values."""
    rng, size = world.rng, world.arithmetic.shape.padded
    if depth and rng.random() < 0.45:
        (a, f), (b, g) = condition(world, depth - 1), condition(world, depth - 1)
        if rng.random() < 0.5:
            return cond.conjunction(a, b), lambda values: f(values) & g(values)
        return cond.disjunction(a, b), lambda values: f(values) | g(values)
    if depth and rng.random() < 0.2:
        a, f = condition(world, depth - 1)
        return cond.negate(a), lambda values: ~f(values)
    left, right, op = world.polynomial(), world.polynomial(), rng.choice(list(OPERATORS))
    if rng.random() < 0.5:
        right = pl.constant(rng.randrange(0, 40)) if rng.random() < 0.5 else pl.of_symbol(rng.choice(world.symbols))
    made = world.arithmetic.compare(op, Integer(left), Integer(right), INT)
    return made, lambda values: OPERATORS[op](evaluate(left, values, size), evaluate(right, values, size))


def masked(world: World) -> tuple[Mask, Truth]:
    """A mask of up to two conditions, and the lanes that really run."""
    real = world.arithmetic.shape.real
    mask, truths = Mask(real), []
    for _ in range(world.rng.choice([0, 0, 1, 1, 2])):
        c, f = condition(world, 1)
        mask = masks.assume(mask, masks.refine(mask, c))
        truths.append(f)
    return mask, lambda values: np.logical_and.reduce([real, *(f(values) for f in truths)])


def event_of(mask: Mask, conditions: tuple[Condition, ...], kind: object, k: Symbol | None = None) -> BranchEvent:
    return BranchEvent(PLACE, PLACE, kind, (), conditions, mask, ex.integer(1), (True,), k)


def sides_of(sides: list[np.ndarray], runs: np.ndarray) -> list[list[int]]:
    """Per warp, the numbers of lanes on the sides that run."""
    counts = np.stack([(side & runs).reshape(-1, 32).sum(axis=1) for side in sides], axis=1)
    return [[int(c) for c in row if c] for row in counts]


@pytest.mark.parametrize("seed", range(250))
def test_what_warps_do_is_among_what_was_said(seed: int) -> None:
    world = World.make(random.Random(seed))
    mask, runs = masked(world)
    c, truth = condition(world)
    c = masks.refine(mask, c)
    event = event_of(mask, (c,), IfKind.IF)
    whole = classify(event)
    upper, lower = event_splits(event)
    each = warp_splits(event)
    for _ in range(40):
        values = world.values()
        t = truth(values)
        for warp, sizes in enumerate(sides_of([t, ~t], runs(values))):
            split = int(len(sizes) > 1)
            assert lower[warp] <= split <= upper[warp], (warp, sizes)
            if split:
                assert whole.divergence is not Divergence.NEVER
                assert each[warp].split.least <= min(sizes) <= max(sizes) <= each[warp].split.most
                assert whole.least <= min(sizes) <= max(sizes) <= whole.most


@pytest.mark.parametrize("seed", range(60))
def test_targets_of_a_switch(seed: int) -> None:
    world = World.make(random.Random(1000 + seed))
    mask, runs = masked(world)
    selector = world.polynomial()
    size = world.arithmetic.shape.padded
    labels = sorted({world.rng.randrange(0, 40) for _ in range(world.rng.randrange(1, 5))})
    entries = [world.arithmetic.compare("==", Integer(selector), Integer(pl.constant(x)), INT) for x in labels]
    rest = cond.decided(np.zeros(size, dtype=bool))
    for entry in entries:
        rest = cond.disjunction(rest, entry)
    conditions = tuple(masks.refine(mask, c) for c in (*entries, cond.negate(rest)))
    event = event_of(mask, conditions, "switch")
    whole = classify(event)
    upper, lower = event_splits(event)
    for _ in range(60):
        values = world.values()
        chosen = evaluate(selector, values, size)
        sides = [chosen == x for x in labels] + [~np.isin(chosen, labels)]
        for warp, sizes in enumerate(sides_of(sides, runs(values))):
            assert lower[warp] <= max(0, len(sizes) - 1) <= upper[warp]
            if len(sizes) > 1:
                assert whole.divergence is not Divergence.NEVER
                assert whole.least <= min(sizes) <= max(sizes) <= whole.most


@pytest.mark.parametrize("seed", range(200))
def test_lanes_leave_a_summarised_loop_no_further_apart(seed: int) -> None:
    """The test of round k, evaluated round by round; lanes that failed it are gone."""
    world = World.make(random.Random(2000 + seed))
    rng, shape = world.rng, world.arithmetic.shape
    k = world.symbols[-1]
    start = world.polynomial()
    poly = pl.add(start, pl.scale(pl.of_symbol(k), rng.choice([1, 2, 8, 16, 32, 31])))
    bound = pl.of_symbol(rng.choice(world.symbols[:5])) if rng.random() < 0.7 else pl.constant(rng.randrange(50))
    c = world.arithmetic.compare("<", Integer(poly), Integer(bound), INT)
    other, g = condition(world, 0) if rng.random() < 0.3 else (cond.decided(shape.real | True), None)
    both = cond.conjunction(c, other)
    event = replace(event_of(Mask(shape.real), (both,), LoopKind.FOR, k), ragged=not stays_failed(both, k))
    spread = exit_spread([event])
    upper, _ = event_splits(event)
    said = classify(event)
    for _ in range(20):
        values = world.values()
        here, splits = shape.real.copy(), np.zeros(shape.warps, dtype=np.int64)
        for number in range(k.high):
            values[k] = np.full(shape.padded, number)
            t = evaluate(poly, values, shape.padded) < evaluate(bound, values, shape.padded)
            t = t if g is None else t & g(values)
            for warp, sizes in enumerate(sides_of([t, ~t], here)):
                if len(sizes) > 1:
                    splits[warp] += 1
                    assert said.divergence is not Divergence.NEVER
                    assert said.least <= min(sizes) <= max(sizes) <= said.most
            here &= t
        assert (splits <= upper).all(), (splits, upper)
        assert spread is None or splits.max() <= spread


def test_worlds_are_not_too_many() -> None:
    """Quality: what is possible by thresholds and whole warps alone is met by some values."""
    met = told = 0
    for seed in range(120):
        world = World.make(random.Random(5000 + seed))
        world.symbols = [s for s in world.symbols if s.level is Level.BLOCK][:2]
        mask, runs = masked(world)
        c, truth = condition(world, 1)
        event = event_of(mask, (masks.refine(mask, c),), IfKind.IF)
        upper, _ = event_splits(event)
        seen = np.zeros_like(upper)
        for block in range(4):
            for n in range(91):
                values = {
                    s: np.full(world.arithmetic.shape.padded, v) for s, v in zip(world.symbols, (block, n), strict=True)
                }
                t = truth(values)
                seen |= [int(len(sizes) > 1) for sizes in sides_of([t, ~t], runs(values))]
        told += int(upper.sum())
        met += int(seen.sum())
    assert met >= 0.8 * told, (met, told)


def test_warps_whose_thresholds_are_at_different_distances_are_not_alike() -> None:
    """`if (t + 1000 < n) if (n <= t + 1000 + 100 * (t / 32))`: only in the second warp do the two cuts leave lanes between
    them, though each cut alone goes through both warps in the same way."""
    arithmetic = Arithmetic(make_shape((64, 1, 1)), SymbolSource())
    n = pl.of_symbol(arithmetic.source.fresh("n", Level.BLOCK, SymbolKind.PARAMETER, 0, None))
    number = np.arange(64, dtype=np.int64)
    near, far = pl.constant(number + 1000), pl.constant(number + 1000 + 100 * (number // 32))
    runs = arithmetic.compare("<", Integer(near), Integer(n), INT)
    mask = masks.assume(Mask(arithmetic.shape.real), runs)
    test = arithmetic.compare("<=", Integer(n), Integer(far), INT)
    each = warp_splits(event_of(mask, (masks.refine(mask, test),), IfKind.IF))
    assert [split.upper for split in each] == [0, 1]
