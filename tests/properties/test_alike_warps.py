"""Warps that are put together have the same worlds, each for itself, and these are where its value may lie.

Thresholds over one value, near and far from each other and from the ends of its range.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import make_shape
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import Integer
from analysis_core.ir.types import INT
from analysis_core.requests.warp_problems import Readings, problems
from analysis_core.requests.worlds import Worlds, worlds

THREADS = 256
ALL = Mask(np.ones(THREADS, dtype=bool))
WARPS = range(THREADS // 32)


def _told(found: Worlds) -> tuple[object, ...]:
    sets = (found.runs, found.may, *found.true, *found.false)
    return (*(part.tolist() for part in sets), found.edge.tolist())


def _alone(conditions: Sequence[Condition], warp: int) -> Worlds:
    ((_, problem),) = problems(ALL, conditions, [warp], Readings())
    return worlds(problem)


class Case:
    """`n` in its range, perhaps moving with a counter; `tests`: per condition, the places p of  p < n."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.arithmetic = Arithmetic(make_shape((THREADS, 1, 1)), SymbolSource())
        modulus, low = rng.choice([1, 1, 4, 32]), rng.choice([0, 0, 8, 100, 640])
        self.n = self._symbol(
            SymbolKind.PARAMETER, low // modulus * modulus, low + rng.choice([40, 300, 2000]), modulus
        )
        step = rng.choice([0, 0, 8, 64, 256])
        self.value = pl.of_symbol(self.n)
        if step:
            k = self._symbol(SymbolKind.ITERATION, 0, 5, 1)
            self.value = pl.add(self.value, pl.scale(pl.of_symbol(k), step))
        thread = np.arange(THREADS)
        places = [
            thread,
            thread + rng.choice([1, 5, 64]),
            np.full(THREADS, rng.choice([30, 256, 257, 900])),
            thread // 32 * 40,
        ]
        self.tests = [rng.choice(places) for _ in range(rng.choice([1, 2, 2, 3]))]

    def _symbol(self, kind: SymbolKind, low: int, high: int, modulus: int) -> Symbol:
        return self.arithmetic.source.fresh("n", Level.BLOCK, kind, low, high, modulus, 0)

    def conditions(self) -> list[Condition]:
        value = Integer(self.value)
        return [self.arithmetic.compare("<", Integer(pl.constant(p.astype(np.int64))), value, INT) for p in self.tests]


@pytest.mark.parametrize("seed", range(150))
def test_warps_that_are_alike_have_the_same_worlds(seed: int) -> None:
    conditions = Case(seed).conditions()
    keys: dict[object, tuple[object, ...]] = {}
    for group, problem in problems(ALL, conditions, WARPS, Readings()):
        told = _told(worlds(problem))
        assert keys.setdefault(problem.key, told) == told
        for warp in group:
            assert _told(_alone(conditions, warp)) == told


@pytest.mark.parametrize("seed", range(150))
def test_worlds_are_the_places_of_the_value(seed: int) -> None:
    case = Case(seed)
    conditions = case.conditions()
    values = range(case.n.low or 0, (case.n.high or 0) + 1, case.n.modulus)
    for warp in WARPS:
        said = _alone(conditions, warp)
        found = set(zip(*(sets.tolist() for sets in said.true), strict=True))
        lanes = slice(warp * 32, warp * 32 + 32)
        real = {
            tuple(int(np.packbits(p[lanes] < n, bitorder="little").view(np.uint32)[0]) for p in case.tests)
            for n in values
        }
        assert real <= found
        if len(case.value.terms) == 1:
            assert real == found


def test_a_threshold_far_away_leaves_warps_alike() -> None:
    """`tid < n` under `300 < n`: the first warp is where n begins, all others ask the same."""
    case = Case(0)
    n = Integer(pl.of_symbol(case._symbol(SymbolKind.PARAMETER, 0, 1 << 30, 1)))
    thread, far = (Integer(pl.constant(p.astype(np.int64))) for p in (np.arange(THREADS), np.full(THREADS, 300)))
    conditions = [case.arithmetic.compare("<", one, n, INT) for one in (thread, far)]
    groups = [group for group, _ in problems(ALL, conditions, WARPS, Readings())]
    assert groups == [(0,), tuple(range(1, 8))]
