"""62 kernels with contracts that hold, are violated and are not shown: what is said of each stands behind it, what holds is broken by no launch, and what is
violated is broken by the launch that is named."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from analysis_core.contracts.part import part_of
from analysis_core.contracts.replay import paid_by_warps
from analysis_core.contracts.verdicts import Contracted, Standing
from analysis_core.ir.nodes import BuiltinKind, Kernel
from analysis_core.ir.stated import GridValue, ParameterValue, StatedContract, StatedName
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType
from analysis_core.lower.names.annotation_values import constant_value
from analysis_core.pipeline.pipeline import analyse_file, load
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.simulate.arguments import Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

FILES = sorted((Path(__file__).parent / "kernels").glob("*.cu"))
SETTINGS = Settings(hints=True, metrics={"dram": {"sectors": 32, "conflicts": 1}})
SAID = re.compile(r"// (holds|violated|not shown)$")
LAUNCHES = {"by day": 4, "at night": 50}


@cache
def _judged(path: Path) -> tuple[tuple[Kernel, Launch, StatedContract, Contracted], ...]:
    files = MemoryFiles({"k.cu": path.read_bytes()})
    report = analyse_file("k.cu", files, SETTINGS, strict=True)
    _, module = load("k.cu", files, SETTINGS, strict=True)
    found = []
    for kernel, told in zip(module.kernels, report.kernels, strict=True):
        for launch, shown in zip(choose_launches(kernel, SETTINGS), told.launches, strict=True):
            contracts = {one.span: one for one in kernel.annotations.contracts}
            found += [(kernel, launch, contracts[one.span], one) for one in shown.profile.contracts]
    return tuple(found)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_said_stands_behind_each_contract(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    expected = {number: found[1] for number, line in enumerate(lines) if (found := SAID.search(line))}
    told = {text.count("\n", 0, one.span.start): one.standing.value for _, _, _, one in _judged(path)}
    assert told == expected


def test_every_kind_of_answer_is_given_to_sixty_kernels() -> None:
    kernels: dict[tuple[str, str], set[Standing]] = {}
    for path in FILES:
        for kernel, _, _, one in _judged(path):
            kernels.setdefault((path.stem, kernel.name), set()).add(one.standing)
    assert sum(standings == set(Standing) for standings in kernels.values()) >= 60


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_launch_breaks_what_holds(path: Path) -> None:
    _check(path, LAUNCHES["by day"])


@pytest.mark.nightly
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_launch_breaks_what_holds_at_night(path: Path) -> None:
    _check(path, LAUNCHES["at night"])


def _check(path: Path, launches: int) -> None:
    ran = 0
    for kernel, launch, contract, one in _judged(path):
        if one.standing is Standing.HOLDS:
            for paid, stated in _paid(kernel, launch, contract, launches):
                ran += 1
                assert _keeps(contract.op, paid, stated), (kernel.name, one.text, paid, stated)
    assert 2 * ran > launches * sum(one.standing is Standing.HOLDS for _, _, _, one in _judged(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_violated_is_replayed(path: Path) -> None:
    for kernel, _, contract, one in _judged(path):
        assert (one.broken is not None) == (one.standing is Standing.VIOLATED)
        if one.broken is not None:
            assert not _keeps(contract.op, one.broken.paid, one.broken.stated), (kernel.name, one.text)


def _keeps(op: str, paid: int, stated: int) -> bool:
    return {"<": paid < stated, "<=": paid <= stated, "==": paid == stated, ">=": paid >= stated, ">": paid > stated}[
        op
    ]


def _paid(kernel: Kernel, launch: Launch, one: StatedContract, count: int) -> Iterator[tuple[int, int]]:
    """What is paid in random launches for which the contract speaks, and what it states."""
    rng = random.Random(kernel.name + one.text)
    part = part_of(kernel, one.place, one.metric, SETTINGS)
    for _ in range(20 * count):
        point = {kernel.variables[v].name: _size(rng) for v in kernel.parameters}
        grid = _grid(rng, kernel, launch, point)
        conditions = [(c.condition, kernel.annotations.names) for c in kernel.annotations.assumptions]
        conditions += [(c.condition, one.names) for c in one.when]
        if grid is None or not all(_value(c, names, kernel, launch, point, grid) for c, names in conditions):
            continue
        stated = _value(one.bound, one.names, kernel, launch, point, grid)
        if stated is None:
            continue
        arguments = {v.name: _argument(rng, v.type, point.get(v.name)) for v in kernel.variables if v.parameter}
        request = LaunchRequest(launch.block, grid, arguments, rounds=3000, counted=part and part.counted)
        try:
            outcome = simulate(kernel, request)
        except (Stopped, BadArguments):
            continue
        capped = [
            (_value(c.bound, kernel.annotations.names, kernel, launch, point, grid), c)
            for c in kernel.annotations.loop_bounds
        ]
        if any(most is not None and outcome.rounds.get(c.loop, 0) > most for most, c in capped):
            continue
        if any(fault.kind is not FaultKind.RACE_IN_WARP for fault in outcome.faults):
            continue
        costs = paid_by_warps(outcome.warps, one.metric, SETTINGS)
        assert costs is not None
        warps = -(-launch.block[0] * launch.block[1] * launch.block[2] // 32)
        blocks = [sum(costs[k : k + warps]) for k in range(0, len(costs), warps)]
        yield {"per_warp": max(costs), "per_block": max(blocks), "per_launch": sum(costs)}[one.scope], stated
        count -= 1
        if not count:
            return


def _size(rng: random.Random) -> int:
    return rng.choice((rng.randrange(5), rng.randrange(40), rng.randrange(300), 32 * rng.randrange(9), 256, 16))


def _argument(rng: random.Random, type_: object, value: int | None) -> Argument:
    if isinstance(type_, PointerType):
        numbers = np.arange(1 << 16, dtype=np.int32)
        return ArrayArgument(rng.choice((numbers * rng.randrange(1 << 15), numbers * 0, numbers * 32)) % (1 << 14))
    if isinstance(type_, ScalarType) and type_.kind is ScalarKind.INT:
        return 0 if value is None else value
    return 1.0


def _grid(rng: random.Random, kernel: Kernel, launch: Launch, point: Mapping[str, int]) -> tuple[int, int, int] | None:
    if launch.stated_grid:
        names = kernel.annotations.names
        x, y, z = (_value(term, names, kernel, launch, point, (1, 1, 1)) or 0 for term in launch.stated_grid)
        return (x, y, z) if min(x, y, z) > 0 and x * y * z <= 400 else None
    x, y, z = (rng.randrange(1, 4) if extent is None else extent for extent in launch.grid)
    return x, y, z


def _value(
    term: object,
    names: Sequence[tuple[str, StatedName]],
    kernel: Kernel,
    launch: Launch,
    point: Mapping[str, int],
    grid: tuple[int, int, int],
) -> int | None:
    known: dict[str, StatedName] = {}
    for name, meaning in names:
        match meaning:
            case ParameterValue(var):
                known[name] = point[kernel.variables[var].name]
            case GridValue(BuiltinKind.BLOCK_DIM, axis):
                known[name] = launch.block[axis]
            case GridValue(BuiltinKind.GRID_DIM, axis):
                known[name] = grid[axis]
            case int():
                known[name] = meaning
    return constant_value(term, known)  # type: ignore[arg-type]
