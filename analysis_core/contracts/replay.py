"""Runs of the simulator that break a contract.

    sizes that conditions allow  ->  those at which a bound lies on the wrong side  ->  run, small ones first  ->  what was paid, against what is stated

Tried are the numbers that launches in view pass, and small sizes on both sides of a warp and a block.  A run counts if nothing undefined happens in it
and no unsigned number wraps around, which bounds take for granted; what it pays then is what such a launch pays.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import prod

import numpy as np

from analysis_core.contracts.decide import safe, sizes_of
from analysis_core.contracts.part import Part, part_of
from analysis_core.contracts.sizes import Sizes
from analysis_core.contracts.verdicts import Broken, Contracted
from analysis_core.domains.thread_value import is_integral
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import Events
from analysis_core.ir.nodes import BuiltinKind, Kernel
from analysis_core.ir.operations import asked_by
from analysis_core.ir.stated import GridValue, ParameterValue, StatedContract, StatedName
from analysis_core.ir.types import PointerType
from analysis_core.lower.names.annotation_values import constant_value
from analysis_core.program.launch import Launch
from analysis_core.races.runs import ROUNDS, STATEMENTS, argument
from analysis_core.simulate.arguments import Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.counts import WarpCounts
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.representation import Array
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.support.settings import Settings
from analysis_core.syntax.read.annotation_tree import Term
from analysis_core.text.records import dataclass

_VALUES = (
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    16,
    31,
    32,
    33,
    48,
    63,
    64,
    65,
    96,
    100,
    127,
    128,
    255,
    256,
    257,
    300,
    512,
    1000,
    1024,
    0,
)
"""Sizes that are tried, and their next multiples where one is asked for."""

_MOST_RUNS = 16
"""Launches that are run for one contract, the first `_FEW` of them also with other contents of memory."""

_FEW = 4

_MOST_THREADS = 8192
"""Threads of a run; of a larger grid three blocks are run."""

_MOST_WORK = 12_000_000
"""Statements of all threads of a run."""

_SAMPLES = 200

Point = Mapping[str, int]
"""The values of integer parameters, by their names."""

Grid = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Try:
    """A launch to be run, and what the contract says of it.  `sure`: a lower bound says that it is broken."""

    point: Point
    grid: Grid
    stated: int
    sure: bool


@dataclass(slots=True)
class Account:
    """Statements that runs may still execute for the contracts of a kernel."""

    left: int = 4 * STATEMENTS

    def half(self) -> Account:
        """Half of it, taken out."""
        taken = self.left // 2
        self.left -= taken
        return Account(taken)


def broken(
    kernel: Kernel,
    launch: Launch,
    events: Events,
    one: StatedContract,
    found: Contracted,
    settings: Settings,
    account: Account,
) -> Broken | None:
    """A run that breaks the contract; None if none was found."""
    part = part_of(kernel, one.place, one.metric, settings)
    if part is not None and part.mixed:
        return None
    running = _Running(kernel, launch, one, settings, part, account)
    tries = list(islice(_tries(kernel, launch, events, one, found, settings), _MOST_RUNS))
    few = [(each, contents) for contents in (_apart, _zeros) for each in tries[:_FEW]]
    seen = (running.run(each, contents) for each, contents in (*((each, _mixed) for each in tries), *few))
    return next((each for each in seen if each is not None), None)


# --- which launches -------------------------------------------------------------------------------------------------


def _tries(
    kernel: Kernel, launch: Launch, events: Events, one: StatedContract, found: Contracted, settings: Settings
) -> Iterator[_Try]:
    """Launches that may break the contract, those that surely do first, and of these the smallest."""
    sizes = sizes_of(kernel, launch, events, settings, one)
    conditions = [
        *((each.condition, dict(kernel.annotations.names)) for each in kernel.annotations.assumptions),
        *((each.condition, dict(one.names)) for each in one.when),
    ]
    upper = None if found.upper is None else safe(found.upper)
    lower = None if found.lower is None else safe(found.lower)
    tries: list[_Try] = []
    points = {tuple(p.items()): p for p in _points(kernel, launch, sizes)}
    for point in filter(lambda p: _is_asserted(kernel, p), points.values()):
        for grid in _grids(kernel, launch, point):
            if not all(_value(term, names, kernel, launch, point, grid) for term, names in conditions):
                continue
            stated = _value(one.bound, dict(one.names), kernel, launch, point, grid)
            if stated is None:
                continue
            known = {ex.safe_name(name): value for name, value in point.items()}
            known |= {f"gridDim_{axis}": extent for axis, extent in zip("xyz", grid, strict=True)}
            most, least = (None if side is None else _at(side, known) for side in (upper, lower))
            if (
                most is not None
                and least is not None
                and _keeps(one.op, most, stated)
                and _keeps(one.op, least, stated)
            ):
                continue
            sure = _is_sure(one.op, least, most, stated)
            tries.append(_Try(point, grid, stated, sure))
    ordered = sorted(tries, key=lambda each: (prod(each.grid), sum(each.point.values())))
    yield from (each for each in ordered if each.sure)
    yield from _spread([each for each in ordered if not each.sure])


def _is_asserted(kernel: Kernel, point: Point) -> bool:
    """Whether sizes are as the kernel's own assertions ask for."""
    asked = ((point.get(kernel.variables[var].name), least, most) for var, least, most in kernel.asserted_sizes)
    return all(
        value is None or ((least is None or least <= value) and (most is None or value <= most))
        for value, least, most in asked
    )


def _spread(tries: Sequence[_Try]) -> Iterator[_Try]:
    """The first, the last, the one between, those between these, and so on."""
    step, met = max(1, len(tries) - 1), set[int]()
    while len(met) < len(tries):
        for at in range(0, len(tries), step):
            if at not in met:
                met.add(at)
                yield tries[at]
        step = max(1, step // 2)


def _is_sure(op: str, least: int | None, most: int | None, stated: int) -> bool:
    """Whether the least, or the most, that is paid breaks it."""
    above = op not in (">", ">=") and least is not None and not _keeps("<=" if op == "==" else op, least, stated)
    below = op not in ("<", "<=") and most is not None and not _keeps(">=" if op == "==" else op, most, stated)
    return above or below


def _keeps(op: str, paid: int, stated: int) -> bool:
    return {"<": paid < stated, "<=": paid <= stated, "==": paid == stated, ">=": paid >= stated, ">": paid > stated}[
        op
    ]


def _points(kernel: Kernel, launch: Launch, sizes: Sizes) -> Iterator[Point]:
    """Values of the parameters, the same ones at each time."""
    names = [
        kernel.variables[var].name
        for var in kernel.parameters
        if is_integral(kernel.variables[var].type) and not isinstance(kernel.variables[var].type, PointerType)
    ]
    ranges = (r for r in launch.arguments.ranges if r.least is not None and r.least == r.most and not r.run)
    passed = {r.name: r.least for r in ranges if r.least is not None}
    free = [name for name in names if ex.safe_name(name) not in sizes.worth]
    chance = random.Random(len(names))

    def whole(chosen: Mapping[str, int]) -> Point:
        point = {name: chosen.get(name, 64) for name in free}
        known = {ex.safe_name(name): value for name, value in point.items()}
        for name in names:
            if name not in point:
                value = _at(sizes.put(sizes.worth[ex.safe_name(name)]), known)
                point[name] = 64 if value is None else value
        return point

    if passed:
        yield whole(passed)
    values = {name: _values(sizes, ex.safe_name(name)) for name in free}
    longest = max(map(len, values.values()), default=1)
    yield from (whole({name: own[min(k, len(own) - 1)] for name, own in values.items()}) for k in range(longest))
    for _ in range(_SAMPLES if len(free) > 1 else 0):
        yield whole({name: chance.choice(own) for name, own in values.items()})


def _values(sizes: Sizes, name: str) -> Sequence[int]:
    """The values of a size that are tried."""
    unit, least, most = sizes.multiples.get(name, 1), sizes.least.get(name, 0), sizes.most.get(name)
    found = [-(-max(value, least) // unit) * unit for value in _VALUES]
    found += [-(-least // unit) * unit + unit * k for k in range(8)]
    kept = [value for value in dict.fromkeys(found) if most is None or value <= most]
    return kept or [least]


def _grids(kernel: Kernel, launch: Launch, point: Point) -> Iterator[Grid]:
    """Grids to try: that of the launch, as far as it is known, else one block, or enough of them for the greatest size."""
    if launch.stated_grid:
        names = dict(kernel.annotations.names)
        found = [_value(term, names, kernel, launch, point, (1, 1, 1)) for term in launch.stated_grid]
        if None not in found and all(n is not None and n >= 1 for n in found):
            x, y, z = (int(n) for n in found if n is not None)
            yield x, y, z
        return
    for most in dict.fromkeys((1, max(point.values(), default=1))):
        x, y, z = (
            n if n is not None else min(8, -(-most // extent)) if axis == 0 or extent > 1 else 1
            for axis, (n, extent) in enumerate(zip(launch.grid, launch.block, strict=True))
        )
        yield max(1, x), max(1, y), max(1, z)


def _value(
    term: Term, names: Mapping[str, StatedName], kernel: Kernel, launch: Launch, point: Point, grid: Grid
) -> int | None:
    """The value of a term in a launch."""
    known: dict[str, StatedName] = {}
    for name, meaning in names.items():
        match meaning:
            case ParameterValue(var):
                value = point.get(kernel.variables[var].name)
                if value is None:
                    return None
                known[name] = value
            case GridValue(BuiltinKind.BLOCK_DIM, axis):
                known[name] = launch.block[axis]
            case GridValue(BuiltinKind.GRID_DIM, axis):
                known[name] = grid[axis]
            case int():
                known[name] = meaning
            case _:
                return None
    return constant_value(term, known)


def _at(expression: Expression, known: Mapping[str, int]) -> int | None:
    try:
        return ex.evaluate(expression, known)
    except (KeyError, ZeroDivisionError):
        return None


# --- runs -----------------------------------------------------------------------------------------------------------


_NUMBERS = np.arange(1 << 16, dtype=np.int32)

Contents = Callable[[Array], Array]
"""What arrays hold, by the numbers of their words."""


def _mixed(numbers: Array) -> Array:
    return numbers * 7919 % 65521 + 1


def _apart(numbers: Array) -> Array:
    return numbers * 32 % 65536


def _zeros(numbers: Array) -> Array:
    return numbers * 0


@dataclass(frozen=True, slots=True, eq=False)
class _Running:
    """The runs for one contract.  `part`: what warps pay for, None for all."""

    kernel: Kernel
    launch: Launch
    one: StatedContract
    settings: Settings
    part: Part | None
    account: Account

    def run(self, tried: _Try, contents: Contents) -> Broken | None:
        """The run, if it breaks the contract."""
        one, blocks, threads = self.one, prod(tried.grid), prod(self.launch.block)
        some = None if blocks == 1 or blocks * threads <= _MOST_THREADS else (0, 1, blocks - 1)
        most = min(self.account.left, STATEMENTS, _MOST_WORK // (threads * (blocks if some is None else len(some))))
        if most <= 0 or (some is not None and (one.op in (">", ">=") or one.scope == "per_launch")):
            return None
        counted, weighed = (None, None) if self.part is None else (self.part.counted, self.part.weighed)
        request = LaunchRequest(
            self.launch.block, tried.grid, self._arguments(tried, contents), rounds=ROUNDS, statements=most,
            overflow=True, wraps=True, blocks=some, counted=counted, weighed=weighed, operations=self._operations(),
        )  # fmt: skip
        try:
            outcome = simulate(self.kernel, request)
        except BadArguments:
            return None
        except Stopped:
            self.account.left -= most
            return None
        self.account.left -= outcome.lane_statements // (threads * (blocks if some is None else len(some)))
        if outcome.wrapped or any(fault.kind is not FaultKind.RACE_IN_WARP for fault in outcome.faults):
            return None
        if not self._keeps_loop_bounds(outcome, tried):
            return None
        costs = paid_by_warps(outcome.warps, one.metric, self.settings)
        return None if costs is None else _judged(costs, one, self.launch, tried, some)

    def _operations(self) -> tuple[str, ...]:
        """Those that the metric of the contract weighs."""
        return asked_by({one: weights for one, weights in self.settings.metrics.items() if one == self.one.metric})

    def _keeps_loop_bounds(self, outcome: Outcome, tried: _Try) -> bool:
        """Whether loops end when annotations say so."""
        stated = self.kernel.annotations
        for each in stated.loop_bounds:
            most = _value(each.bound, dict(stated.names), self.kernel, self.launch, tried.point, tried.grid)
            if most is None or outcome.rounds.get(each.loop, 0) > most:
                return False
        return True

    def _arguments(self, tried: _Try, contents: Contents) -> Mapping[str, Argument]:
        return {
            v.name: ArrayArgument(contents(_NUMBERS))
            if isinstance(v.type, PointerType)
            else argument(v.type, tried.point.get(v.name), 64, True)
            for v in self.kernel.variables
            if v.parameter
        }


def paid_by_warps(warps: WarpCounts, metric: str, settings: Settings) -> Sequence[int] | None:
    """What each warp of a run paid; None for a metric that no run counts."""
    counts = warps.by_name()
    weights = settings.metrics.get(metric, {metric: 1})
    if any(name not in counts for name in weights):
        return None
    found = np.zeros(len(counts["steps"]), dtype=np.int64)
    for name, weight in weights.items():
        found = found + weight * counts[name]
    return [int(cost) for cost in found]


def _judged(
    costs: Sequence[int], one: StatedContract, launch: Launch, tried: _Try, some: Sequence[int] | None
) -> Broken | None:
    """What was paid, if that breaks the contract."""
    each = -(-prod(launch.block) // 32)
    blocks = [sum(costs[k : k + each]) for k in range(0, len(costs), each)]
    paid = {"per_warp": max(costs), "per_block": max(blocks), "per_launch": sum(costs)}[one.scope]
    # Of some of the blocks it is known that the most is no less.
    if _keeps("<=" if some is not None and one.op == "==" else one.op, paid, tried.stated):
        return None
    at = costs.index(paid) if one.scope == "per_warp" else each * blocks.index(paid) if one.scope == "per_block" else 0
    number = at // each if some is None else some[at // each]
    x, y, _ = tried.grid
    place = number % x, number // x % y, number // (x * y)
    return Broken(
        dict(tried.point),
        tried.grid,
        paid,
        tried.stated,
        None if one.scope == "per_launch" else place,
        at % each if one.scope == "per_warp" else None,
    )
