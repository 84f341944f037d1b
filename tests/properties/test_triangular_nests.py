"""How often the body of a nest runs whose inner loops depend on outer counters: never more than the formula says, and
just as often where each of two loops goes by one.

The count here is Python's own loops over the nest's bounds, lane by lane, the most of any warp's lanes together."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from analysis_core.expressions import expression as ex
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

BOUNDS = (
    "n",
    "p",
    "5",
    "n + 2",
    "{o}",
    "{o} + 1",
    "{o} + 3",
    "n - {o}",
    "p - {o}",
    "9 - {o}",
    "{o} + t % 4",
    "2 * {o}",
    "min({o}, p)",
    "min(n - {o}, 5)",
    "min({o} + t % 4, n - {o})",
)
STARTS = ("0", "0", "1", "{o}", "{o} + 1", "p", "n - {o}")


@dataclass(frozen=True)
class Level:
    """`for (int v = start; v < bound; v += step)`."""

    name: str
    start: str
    bound: str
    step: int


def drawn(draw: random.Random, depth: int) -> list[Level]:
    """The outer loop's bounds name no counter, an inner loop's the one around it or the first."""
    levels: list[Level] = []
    for name in "ijk"[:depth]:
        outer = draw.choice([level.name for level in levels]) if levels else None
        kept = [text for text in BOUNDS if outer or "{o}" not in text]
        starts = [text for text in STARTS if outer or "{o}" not in text]
        bound, start = draw.choice(kept).format(o=outer), draw.choice(starts).format(o=outer)
        levels.append(Level(name, start, bound, draw.choice((1, 1, 1, 2))))
    return levels


def source(levels: list[Level]) -> str:
    lines = ["__global__ void nest(int *out, int n, int p) {", "    int t = threadIdx.x;"]
    lines += [f"for (int {v.name} = {v.start}; {v.name} < {v.bound}; {v.name} += {v.step})" for v in levels]
    return "\n".join([*lines, "    out[t] = 1;", "}", ""])


def rounds(levels: list[Level], values: dict[str, int]) -> set[tuple[int, ...]]:
    """The rounds of the innermost loop that a lane makes, by their numbers."""
    if not levels:
        return {()}
    first, found = levels[0], set()
    start, bound = (eval(text, {}, values) for text in (first.start, first.bound))
    for number, value in enumerate(range(start, bound, first.step)):
        found |= {(number, *inner) for inner in rounds(levels[1:], {**values, first.name: value})}
    return found


def most_of_warp(levels: list[Level], n: int, p: int) -> int:
    """Lanes run a round together if it has the same number in all loops."""
    return len(set().union(*(rounds(levels, {"n": n, "p": p, "t": t}) for t in range(4))))


def times_of(text: str) -> ex.Expression:
    settings = Settings(bounds=False, kernel_seconds=20.0)
    report = analyse_file("nest.cu", MemoryFiles({"nest.cu": text.encode()}), settings)
    accesses = report.kernels[0].launches[0].facts.accesses  # none, where no round is ever made
    return accesses[0].times if accesses else ex.ZERO


@pytest.mark.parametrize("seed", range(60))
def test_nests_run_no_more_often_than_their_formula_says(seed: int) -> None:
    draw = random.Random(seed)
    levels = drawn(draw, 2 + seed % 2)
    text = source(levels)
    times = times_of(text)
    for n, p in [(0, 0), (1, 0), (0, 1), (3, 2), (2, 7), (8, 3), (11, 12), (17, 5)]:
        values = {name: {"n": n, "p": p}.get(name, 1000) for name in ex.symbols(times)}
        counted = most_of_warp(levels, n, p)
        assert counted <= ex.evaluate(times, values), (n, p, counted, ex.to_text(times), text)


@pytest.mark.parametrize(
    ("inner", "count"),
    [
        (Level("j", "0", "i", 1), lambda n: n * (n - 1) // 2),
        (Level("j", "0", "i + 1", 1), lambda n: n * (n + 1) // 2),
        (Level("j", "i", "n", 1), lambda n: n * (n + 1) // 2),
        (Level("j", "i + 1", "n", 1), lambda n: n * (n - 1) // 2),
        (Level("j", "0", "n - i", 1), lambda n: n * (n + 1) // 2),
    ],
)
def test_two_loops_by_one_are_counted_exactly(inner: Level, count) -> None:  # type: ignore[no-untyped-def]
    levels = [Level("i", "0", "n", 1), inner]
    times = times_of(source(levels))
    for n in range(20):
        assert ex.evaluate(times, {"n": n}) == count(n) == most_of_warp(levels, n, 0)


@pytest.mark.parametrize("inner", ["min(i, p)", "min(p, i)"])
def test_a_capped_triangle_is_no_more_than_the_triangle_and_than_the_cap(inner: str) -> None:
    times = times_of(source([Level("i", "0", "n", 1), Level("j", "0", inner, 1)]))
    for n in range(20):
        counts = [ex.evaluate(times, {"n": n, "p": p}) for p in (3, 100)]
        assert counts == [min(3 * n, triangle := n * (n - 1) // 2), triangle]
