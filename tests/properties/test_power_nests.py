"""How often the body of a nest runs whose loops multiply and divide their counters: never more than the formula says, just as often
where the inner loop makes one round more in each round of the outer one, and at no bound that the simulator breaks.

The count here is Python's own loops over the nest."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest

from analysis_core.expressions import expression as ex
from analysis_core.pipeline.pipeline import analyse_file, lower, read
from analysis_core.simulate.arguments import Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.run import simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.lp.kernels import bounds_of
from tests.lp.test_bounds_hold import broken_bounds

SIZES = (0, 1, 2, 3, 4, 5, 8, 9, 31, 32, 33, 64, 100, 1000, 1024)


@dataclass(frozen=True)
class Level:
    """`for (v = start; test; v = step)`, as C and as Python read it (`/` is `//` there)."""

    name: str
    start: str
    test: str
    step: str

    def python(self, part: str) -> str:
        return part.replace("/", "//")


def growing(name: str, start: str, test: str, factor: int) -> Level:
    return Level(name, start, test, f"{name} * {factor}")


def shrinking(name: str, start: str, test: str, divisor: int) -> Level:
    return Level(name, start, test, f"{name} / {divisor}")


def drawn(draw: random.Random) -> list[Level]:
    levels = [Level("r", "0", "r < p", "r + 1")] if draw.random() < 0.3 else []
    less = draw.choice(("<", "<="))
    levels.append(growing("i", draw.choice("1123"), f"i {less} n", draw.choice((2, 2, 2, 3, 4, 8))))
    if draw.random() < 0.6:
        start = draw.choice(("i", "i / 2", "i / 4", "i / 8", "i / 2 / 3", "i * 2", "i * 3", "i - 1", "i + 1", "i >> 1"))
        levels.append(
            shrinking(
                "j", start, draw.choice(("j > 0", "j >= 1", "j > 1", "j >= 3", "j != 0")), draw.choice((2, 2, 2, 4))
            )
        )
    else:
        test = draw.choice(("j < i", "j <= i", "j < 2 * i", "j <= 3 * i", "3 * j < i", "j < i + 1", "j < i - 1"))
        levels.append(growing("j", draw.choice("1123"), test, draw.choice((2, 2, 2, 4))))
    return levels


def source(levels: list[Level], type_: str = "int") -> str:
    lines = ["__global__ void nest(int *out, int n, int p) {", "    int t = threadIdx.x;"]
    lines += [f"for ({type_} {v.name} = {v.start}; {v.test}; {v.name} = {v.step})" for v in levels]
    return "\n".join([*lines, "    out[t] = 1;", "}", ""])


def rounds(levels: list[Level], values: dict[str, int]) -> int:
    """How often the innermost body runs."""
    if not levels:
        return 1
    first, found = levels[0], 0
    values = {**values, first.name: eval(first.python(first.start), {}, values)}
    while eval(first.test, {}, values):
        found += rounds(levels[1:], values)
        values[first.name] = eval(first.python(first.step), {}, values)
    return found


def times_of(text: str) -> ex.Expression:
    settings = Settings(bounds=False, kernel_seconds=20.0)
    report = analyse_file("nest.cu", MemoryFiles({"nest.cu": text.encode()}), settings)
    accesses = report.kernels[0].launches[0].facts.accesses
    return accesses[0].times if accesses and accesses[0].times is not None else ex.ZERO


@pytest.mark.parametrize("seed", range(80))
def test_nests_run_no_more_often_than_their_formula_says(seed: int) -> None:
    levels = drawn(random.Random(seed))
    text = source(levels)
    times = times_of(text)
    for n in SIZES:
        for p in (0, 1, 3):
            values = {name: {"n": n, "p": p}.get(name, 1000) for name in ex.symbols(times)}
            counted = rounds(levels, {"n": n, "p": p})
            assert counted <= ex.evaluate(times, values), (n, p, counted, ex.to_text(times), text)


@pytest.mark.parametrize(
    "levels",
    [
        [growing("i", "2", "i < n", 2), shrinking("j", "i / 2", "j > 0", 2)],
        [growing("i", "2", "i <= n", 2), shrinking("j", "i >> 1", "j >= 1", 2)],
        [growing("i", "1", "i < n", 2), shrinking("j", "i / 2", "j != 0", 2)],
        [growing("i", "1", "i < n", 4), shrinking("j", "i", "j > 0", 2)],
        [growing("i", "1", "i < n", 2), growing("j", "1", "j < i", 2)],
        [growing("i", "1", "i < n", 4), growing("j", "1", "j <= i", 2)],
        [growing("i", "3", "i < n", 2), growing("j", "1", "j <= i", 2)],
    ],
)
@pytest.mark.parametrize("type_", ["int", "unsigned"])
def test_a_nest_of_powers_is_counted_exactly(levels: list[Level], type_: str) -> None:
    times = times_of(source(levels, type_))
    assert ex.symbols(times) == {"n"}
    for n in SIZES:
        assert ex.evaluate(times, {"n": n}) == rounds(levels, {"n": n, "p": 0}), (n, ex.to_text(times))


@pytest.mark.parametrize("seed", range(12))
def test_the_simulator_never_pays_more(seed: int) -> None:
    text = source(drawn(random.Random(1000 + seed)))
    bounds = bounds_of(text, block=(64, 1, 1))
    settings = Settings()
    (kernel,) = lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings).kernels
    for n, p in ((0, 1), (1, 1), (2, 2), (9, 1), (32, 2), (100, 3)):
        out = ArrayArgument(np.zeros(64, dtype=np.int32))
        arguments: dict[str, Argument] = {"n": n, "p": p, "out": out}
        outcome = simulate(kernel, LaunchRequest((64, 1, 1), (1, 1, 1), arguments, rounds=100_000))
        values = {"n": n, "p": p, "gridDim.x": 1, "gridDim.y": 1, "gridDim.z": 1}
        if all(ex.symbols(m.per_warp.upper) <= values.keys() for m in bounds.metrics.values() if m.per_warp.upper):
            assert not list(broken_bounds(bounds, outcome, values)), (n, p, text)
