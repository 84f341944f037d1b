"""Random cost programs against all their runs: the upper bound is never below, the lower never above, and where runs are said to differ
in cost they do."""

from __future__ import annotations

import random
from itertools import product

import pytest

from analysis_core.bounds.program import Affine, Arm, Assign, Branch, Choose, CostProgram, Stmt, While, affine
from analysis_core.expressions.expression import evaluate, to_text
from analysis_core.lp.infer import Options, infer
from analysis_core.lp.runs_differ import runs_differ
from tests.lp.cost_programs import extremes, less, parameter, random_runs, tick, v

PARAMETERS = (parameter("n", 0, 5), parameter("m", -2, 4))
VARIABLES = ("i", "j", "k")


class Generator:
    """Programs of up to three loops; most make progress, some do not."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.loops = 0

    def program(self) -> CostProgram:
        body: list[Stmt] = [Assign(x, self.affine_of(("n", "m"))) for x in VARIABLES if self.rng.random() < 0.8]
        return CostProgram(PARAMETERS, (*body, *self.block(0), *self.block(0)))

    def affine_of(self, names: tuple[str, ...]) -> Affine:
        rng = self.rng
        terms = {name: rng.choice((1, 1, 1, -1, 2)) for name in names if rng.random() < 0.4}
        return affine(rng.choice((0, 0, 0, 1, 2, -1, 4)), terms)

    def block(self, depth: int) -> tuple[Stmt, ...]:
        return tuple(s for _ in range(self.rng.randint(1, 3)) for s in self.statement(depth))

    def statement(self, depth: int) -> tuple[Stmt, ...]:
        rng = self.rng
        roll = rng.random()
        if roll < 0.3:
            low = rng.randint(0, 2)
            return (tick(low + rng.randint(0, 2), low),)
        if roll < 0.45:
            return (self.change(rng.choice(VARIABLES)),)
        if roll < 0.65 and depth < 3:
            arms = tuple(
                Arm((self.guard(),) if rng.random() < 0.4 else (), self.block(depth + 1))
                for _ in range(rng.randint(1, 2))
            )
            return (Branch((*arms, Arm((), ())), None),)
        if depth < 2 and self.loops < 3:
            return self.loop(depth)
        return ()

    def loop(self, depth: int) -> tuple[Stmt, ...]:
        rng = self.rng
        self.loops += 1
        name = rng.choice(VARIABLES)
        by = rng.choice((1, 1, 1, 2, 3))
        move: Stmt = Assign(name, affine(by, {name: 1}))
        if rng.random() < 0.2:
            move = Choose(name, affine(1, {name: 1}), affine(rng.choice((1, 3)), {name: 1}))
        end = v(rng.choice(("n", "m", *(x for x in VARIABLES if x != name))))
        guard = (less(v(name), end),)
        if rng.random() < 0.2:
            guard += (self.guard(),)
        body = [*self.block(depth + 1), move]
        first: tuple[Stmt, ...] = (Assign(name, self.affine_of(("n", "m"))),) if rng.random() < 0.6 else ()
        return (*first, While(guard, tuple(body), None, rng.random() < 0.3))

    def change(self, name: str) -> Stmt:
        rng = self.rng
        roll = rng.random()
        if roll < 0.5:
            return Assign(name, affine(rng.choice((1, 1, -1, 2)), {name: 1}))
        if roll < 0.8:
            return Assign(name, self.affine_of(("n", "m", *VARIABLES)))
        return Choose(name, Affine(0), affine(rng.choice((1, 2)), {"n": 1} if rng.random() < 0.5 else {}))

    def guard(self) -> Affine:
        return self.affine_of(("n", "m", *VARIABLES))


def check(seed: int) -> tuple[bool, bool]:
    """(whether there is an upper bound, whether both are equal) for the program of a seed."""
    p = Generator(seed).program()
    found = infer(p, "c", Options(work=50_000))
    rng = random.Random(seed)
    for values in product((0, 1, 2, 5), (-2, 0, 1, 4)):
        env = {q.name: x for q, x in zip(PARAMETERS, values)}
        low = evaluate(found.lower, env)
        high = None if found.upper is None else evaluate(found.upper.expression, env)
        ends = extremes(p, env, 2000)
        if ends is not None:
            assert ends[0] < ends[1] or not runs_differ(p, "c", env, 0), (seed, env)
            assert low <= ends[0], (seed, env, to_text(found.lower), ends)
            assert high is None or high >= ends[1], (seed, env, ends)
            continue
        for least, greatest, ended in random_runs(p, env, rng, 10, 400):
            assert high is None or high >= greatest, (seed, env, greatest)
            assert not ended or low <= least, (seed, env, least)
    return found.upper is not None, found.upper is not None and found.upper.expression == found.lower


@pytest.mark.parametrize("first", range(0, 20, 10))
def test_bounds_contain_all_runs(first: int) -> None:
    for seed in range(first, first + 10):
        check(seed)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1000, 3000, 100))
def test_many_bounds_contain_all_runs(first: int) -> None:
    found = [check(seed) for seed in range(first, first + 100)]
    assert sum(bounded for bounded, _ in found) >= 40
