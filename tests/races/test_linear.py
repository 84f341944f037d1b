"""Sums, formulas and threads as the solver is told them, against numbers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from analysis_core.domains.shape import make_shape
from analysis_core.races.linear import FALSE, TRUE, at_least, below, equal, is_within, minus, number, plus, term, times
from analysis_core.races.session import Session
from analysis_core.races.thread_formulas import Open, Thread


class _Told:
    """What a thread tells the formulas that it is part of."""

    def __init__(self) -> None:
        self.known: list[str] = []
        self.made = 0

    def fresh(self, low: int, high: int | None) -> dict[str, int]:
        name = f"u{self.made}"
        self.made += 1
        self.known += [at_least({name: 1}, number(low))]
        self.known += [] if high is None else [at_least(number(high), {name: 1})]
        return {name: 1}

    def know(self, fact: str) -> None:
        self.known.append(fact)


def test_what_is_said_of_numbers_is_decided() -> None:
    x = {"u0": 3, "": 1}
    assert at_least(plus(x, number(1)), x) == TRUE and below(x, x) == FALSE and equal(x, x) == TRUE
    assert term(minus(x, times(2, x))) == "(+ (- 1) (* (- 3) u0))" and term({}) == "0"


def test_a_sum_is_kept_out_of_ranges_that_it_cannot_reach() -> None:
    rng = random.Random(36)
    for _ in range(300):
        ends = [sorted(rng.randint(-9, 9) for _ in range(2)) for _ in range(2)]
        slopes = [rng.choice((-6, -4, -1, 2, 3, 8)) for _ in ends]
        start, low = rng.randint(-40, 40), rng.randint(-30, 30)
        high = low + rng.randint(0, 5)
        sums = [
            start + slopes[0] * a + slopes[1] * b
            for a in range(ends[0][0], ends[0][1] + 1)
            for b in range(ends[1][0], ends[1][1] + 1)
        ]
        distance = plus({"u0": slopes[0], "u1": slopes[1]}, number(start))
        ranges = {f"u{n}": (least, most) for n, (least, most) in enumerate(ends)}
        if any(low <= one <= high for one in sums):
            assert is_within(distance, low, high, ranges)


@pytest.mark.parametrize("dims", [(64, 1, 1), (48, 1, 1), (16, 4, 1), (4, 4, 4)])
@pytest.mark.parametrize("make", [lambda t: t % 8, lambda t: t // 5, lambda t: 7 - 3 * t, lambda t: t ^ 8])
def test_vectors_are_those_of_the_threads(dims: tuple[int, int, int], make: object) -> None:
    shape = make_shape(dims)
    lanes = shape.real & (np.arange(shape.padded) % 3 != 1)
    numbers = make(np.arange(shape.padded))  # type: ignore[operator]
    told = _Told()
    thread = Thread(shape, None, told)  # type: ignore[arg-type]
    try:
        entry = thread.vector(numbers, lanes)
    except Open:
        return
    session = Session()
    for one in np.flatnonzero(lanes)[::5]:
        here = [*told.known, equal(thread.number, number(int(one)))]
        assert session.model([[*here, equal(entry, number(int(numbers[one])))]], [])
        assert session.model([[*here, equal(entry, number(int(numbers[one]) + 1))]], []) is False


def test_sets_of_threads_are_those_of_the_block() -> None:
    shape = make_shape((96, 1, 1))
    for lanes in (np.arange(96) % 2 == 0, np.arange(96) % 32 < 3, np.arange(96) > 90):
        told = _Told()
        thread = Thread(shape, None, told)  # type: ignore[arg-type]
        inside = thread.inside(lanes)
        session = Session()
        for one in range(0, 96, 7):
            here = [*told.known, inside, equal(thread.number, number(one))]
            assert bool(session.model([here], [])) == bool(lanes[one])


def test_the_solver_says_when_there_is_nothing() -> None:
    session = Session()
    assert session.model([[], []], ["u0"]) == {}
    two = ["(>= u0 3)", "(= u1 (* 2 u0))"]
    found = session.model([two], ["u0"])
    assert found and found["u0"] >= 3 and found["u1"] == 2 * found["u0"]
    assert session.model([two, ["(< u1 6)"]], []) is False
    assert session.model([two, ["(= u2 (* u0 u1))", "(< u2 18)"]], []) is False
    assert session.model([["(< u0 (- 70))"]], []) is not False
