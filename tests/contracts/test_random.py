"""Random contracts in random kernels, right at the certified bounds and one beside them: what holds is broken by no run, and what is violated is replayed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import pytest

from analysis_core.contracts.part import Part, part_of
from analysis_core.contracts.replay import paid_by_warps
from analysis_core.contracts.verdicts import Broken, Contracted, Standing
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.pipeline import analyse_file, lower, read
from analysis_core.simulate.arguments import Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.harness.wild_kernels import N, W, Wild, arguments, wild

METRICS = ("sectors", "excessive_sectors", "wavefronts", "conflicts", "divergences", "steps", "dram", "work")
WORK = {"flops": 3, "instructions": 1, "requests": 5, "bytes.shared": 1, "calls.min": 7, "atomics": 4, "divisions": 9}
SETTINGS = Settings(kernel_seconds=60.0, metrics={"dram": {"sectors": 32, "conflicts": 1}, "work": WORK})
Point = tuple[int, int, int]
"""`n`, `w` and the blocks of a grid."""

WHEN: Mapping[str, Callable[[int, int], bool]] = {
    "": lambda n, w: True,
    "n == 64": lambda n, w: n == 64,
    "n % 32 == 0": lambda n, w: n % 32 == 0,
    "n <= 100 && w <= 8": lambda n, w: n <= 100 and w <= 8,
    "w == 3": lambda n, w: w == 3,
    "n >= 33": lambda n, w: n >= 33,
    "w < n": lambda n, w: w < n,
    "n == 31 && w == 2": lambda n, w: (n, w) == (31, 2),
    "n % 64 == 0 && w % 8 == 0 && w >= 8": lambda n, w: n % 64 == 0 and w % 8 == 0 and w >= 8,
    "n == w": lambda n, w: n == w,
}
KEEPS: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda paid, stated: paid < stated,
    "<=": lambda paid, stated: paid <= stated,
    "==": lambda paid, stated: paid == stated,
    ">=": lambda paid, stated: paid >= stated,
    ">": lambda paid, stated: paid > stated,
}


@dataclass(frozen=True)
class Asked:
    """A contract at a line.  `bound` is `apart` more than an expression, or than nothing."""

    line: int
    metric: str
    op: str
    scope: str
    when: str
    bound: Expression = ex.ZERO
    apart: int = 0

    @property
    def text(self) -> str:
        when = f" when {self.when}" * (self.when != "")
        return f"//@ expect {self.metric} {self.op} {ex.to_text(self.bound)} + {self.apart} {self.scope}{when}".replace(
            "+ -", "- "
        )

    def stated(self, point: Point) -> int:
        return ex.evaluate(self.bound, _named(point)) + self.apart


def _named(point: Point) -> dict[str, int]:
    n, w, blocks = point
    return {"n": n, "w": w, "gridDim_x": blocks, "gridDim.x": blocks, "gridDim_y": 1, "gridDim_z": 1}


def _at(expression: Expression, point: Point) -> int | None:
    try:
        return ex.evaluate(expression, _named(point))
    except (KeyError, ZeroDivisionError):  # a loop's rounds, of which contracts have no name
        return None


@dataclass(frozen=True)
class _Case:
    """A kernel, and how it is launched: `stated`, by an annotation that makes the grid from `n`."""

    made: Wild
    stated: bool

    def text(self, asked: Sequence[Asked]) -> str:
        x, y, _ = self.made.block
        launch = [(self.made.signature, f"//@ launch block=({x}, {y}) grid=(ceil(n/{x}))")] * self.stated
        return self.made.text([*launch, *((one.line, one.text) for one in asked)])

    @property
    def settings(self) -> Settings:
        return SETTINGS if self.stated else Settings(**{**_plain(SETTINGS), "block": self.made.block})

    def point(self, chance: random.Random) -> Point:
        n, w = chance.choice(N), chance.choice(W)
        if chance.random() < 0.15:
            w = n = chance.choice(W)
        return n, w, -(-n // self.made.block[0]) if self.stated else chance.choice((1, 2, 3, 4))


def _plain(settings: Settings) -> dict[str, object]:
    return {"kernel_seconds": settings.kernel_seconds, "metrics": settings.metrics}


def _asked(case: _Case, chance: random.Random) -> list[Asked]:
    """Where and of what contracts will be: of the kernel, and of a few of its statements."""
    lines = [case.made.signature] * 3 + [chance.choice(case.made.statements) for _ in range(5)]
    scopes = ("per_warp", "per_block", "per_launch")
    return [
        Asked(line, chance.choice(METRICS), ">=", chance.choice(scopes), chance.choice(list(WHEN))) for line in lines
    ]


def _judged(case: _Case, asked: Sequence[Asked]) -> list[tuple[Asked, Contracted]]:
    """What is said of each that was understood."""
    text = case.text(asked)
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), case.settings, strict=True)
    (launch,) = report.kernels[0].launches
    lines = text.splitlines()
    by_line = {text.count("\n", 0, one.span.start): one for one in launch.profile.contracts}
    numbers = [at for at, line in enumerate(lines) if line.startswith("//@ expect")]
    inorder = sorted(asked, key=lambda one: one.line)
    return [(one, by_line[at]) for one, at in zip(inorder, numbers, strict=True) if at in by_line]


def _beside(case: _Case, known: Sequence[tuple[Asked, Contracted]], chance: random.Random) -> Iterator[Asked]:
    """Contracts at the bounds that are known, and one beside them."""
    for one, said in known:
        point = case.point(chance)
        for side, ops in ((said.upper, ("<=", "<", "==")), (said.lower, (">=", ">", "=="))):
            if side is None or chance.random() < 0.3:
                continue
            value, apart = _at(side, point), chance.choice((-1, 0, 0, 1))
            if value is not None:
                bound = side if chance.random() < 0.6 and ex.size(side) < 60 else ex.integer(value)
                yield Asked(one.line, one.metric, chance.choice(ops), one.scope, one.when, bound, apart)


def _paid(case: _Case, kernel: Kernel, part: Part | None, point: Point, given: Mapping[str, Argument]) -> object:
    """By metric the costs of all warps of one launch; None if it does not count."""
    request = LaunchRequest(
        case.made.block, (point[2], 1, 1), given, rounds=5000, statements=20_000, overflow=True, wraps=True,
        counted=None if part is None else part.counted, weighed=None if part is None else part.weighed, operations=tuple(WORK),
    )  # fmt: skip
    try:
        outcome = simulate(kernel, request)
    except Stopped:
        return None
    if outcome.wrapped or any(fault.kind is not FaultKind.RACE_IN_WARP for fault in outcome.faults):
        return None
    return outcome.warps


def _of_scope(costs: Sequence[int], scope: str, block: tuple[int, int, int]) -> int:
    warps = -(-prod(block) // 32)
    blocks = [sum(costs[k : k + warps]) for k in range(0, len(costs), warps)]
    return {"per_warp": max(costs), "per_block": max(blocks), "per_launch": sum(costs)}[scope]


def _broken(case: _Case, kernel: Kernel, judged: Sequence[tuple[Asked, Contracted]], points: Sequence[Point],
            chance: random.Random) -> Iterator[tuple[Asked, Contracted, str]]:  # fmt: skip
    """Contracts that runs break, and the run."""
    for point in points:
        n, w, blocks = point
        held = [(one, said) for one, said in judged if WHEN[one.when](n, w)]
        if not blocks or not held:
            continue
        for given in arguments(chance, n, w):
            for place in {said.place for _, said in held}:
                parts = {metric: part_of(kernel, place, metric, case.settings) for metric in METRICS}
                warps = _paid(case, kernel, parts["work"], point, given)
                if warps is None:
                    continue
                for one, said in held:
                    part = parts[one.metric]
                    if said.place == place and not (part and part.mixed):
                        costs = paid_by_warps(warps, one.metric, case.settings)  # type: ignore[arg-type]
                        assert costs is not None
                        paid = _of_scope(costs, one.scope, case.made.block)
                        if not KEEPS[one.op](paid, one.stated(point)):
                            yield one, said, f"{paid} where {one.stated(point)} is stated, at {point}"


def _is_replayed(case: _Case, kernel: Kernel, one: Asked, said: Contracted, run: Broken) -> bool:
    """Whether a launch as it is told pays what is told, and that breaks the contract."""
    n, w, blocks = point = run.values["n"], run.values["w"], run.grid[0]
    if not WHEN[one.when](n, w) or run.stated != one.stated(point) or KEEPS[one.op](run.paid, run.stated):
        return False
    if case.stated and blocks != -(-n // case.made.block[0]):
        return False
    part = part_of(kernel, said.place, one.metric, case.settings)
    numbers = np.arange(1 << 16, dtype=np.int32)
    for held in (numbers * 7919 % 65521 + 1, numbers * 32 % 65536, numbers * 0):
        pointers = {name: ArrayArgument(held) for name in ("out", "in", "wide", "count")}
        warps = _paid(case, kernel, part, point, {**pointers, "n": n, "w": w})
        costs = None if warps is None else paid_by_warps(warps, one.metric, case.settings)  # type: ignore[arg-type]
        if costs is not None and _of_scope(costs, one.scope, case.made.block) == run.paid:
            return True
    return False


def check(seed: int, launches: int) -> tuple[list[str], Counter[str]]:
    """What is wrong with the contracts of one kernel, and how often each thing was said."""
    chance = random.Random(seed)
    case = _Case(wild(seed), chance.random() < 0.5)
    known = _judged(case, _asked(case, chance))
    asked = list(_beside(case, known, chance))
    judged = _judged(case, asked)
    data = MemoryFiles({"k.cu": case.text(asked).encode()})
    kernel = lower(read("k.cu", data, case.settings), case.settings).kernels[0]
    counted = Counter(said.standing.value for _, said in judged)
    wrong = []
    points = [case.point(chance) for _ in range(launches)]
    for one, said, how in _broken(case, kernel, judged, points, chance):
        if said.standing is Standing.HOLDS:
            wrong.append(f"{one.text} (line {one.line + 1}) is said to hold: {how}")
        counted[f"{said.standing.value}, broken by a run"] += 1
    for one, said in judged:
        if said.broken is not None and not _is_replayed(case, kernel, one, said, said.broken):
            wrong.append(f"{one.text} (line {one.line + 1}): no run breaks it as told: {said.broken}")
    return [f"seed {seed}: {each}\n{case.text(())}" for each in wrong], counted


@pytest.mark.parametrize("seed", range(6))
def test_contracts_of_random_kernels(seed: int) -> None:
    assert check(seed, 4)[0] == []


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1000, 2000, 20))
def test_contracts_of_many_random_kernels(first: int) -> None:
    for seed in range(first, first + 20):
        assert check(seed, 25)[0] == []
