"""Launches of generated kernels (tests/properties/kernels) in the simulator, and what the analysis promised about them.

Pointers lead into the middle of arrays, so that indices of either sign hit something; what still misses is dropped by the
simulator, which leaves requests of fewer lanes: costs are monotone in the lanes, so bounds hold all the same.  Samples with
undefined behaviour prove nothing and are counted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis_core.cli.compare_simulation import Comparison, compare
from analysis_core.cost.evaluate import evaluate
from analysis_core.interp.interpret import interpret
from analysis_core.ir.launch import Launch
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import PointerType
from analysis_core.pipeline import lower, read
from analysis_core.simulate.arguments import Alias, Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.properties.kernels.generator import program
from tests.properties.kernels.generator import sample as sample_of
from tests.properties.kernels.printing import print_program
from tests.properties.kernels.syntax import Program

_ROOM = 1 << 17
UNDEFINED = frozenset({FaultKind.DIVISION_BY_ZERO, FaultKind.SHIFT, FaultKind.SIGNED_OVERFLOW, FaultKind.UNINITIALISED})


@dataclass
class Tally:
    """What became of the samples."""

    samples: int = 0
    undefined: int = 0
    endless: int = 0
    accesses: int = 0
    executed: int = 0


def launches(p: Program, kernel: Kernel, count: int) -> Iterator[LaunchRequest]:
    """Some launches of a generated kernel."""
    rng = random.Random(p.seed)
    generator = np.random.default_rng(p.seed)
    for _ in range(count):
        found = sample_of(p, rng)
        arguments: dict[str, Argument] = {}
        for number, array in enumerate(a for a in p.arrays if a.space == "global"):
            contents = generator.integers(0, rng.choice((1, 4, 40, 250)), _ROOM)
            arguments[f"room{number}"] = ArrayArgument(contents.astype(rng.choice((np.uint8, np.int32, np.float32))))
            arguments[array.name] = Alias(f"room{number}", _ROOM // 2)
        # Sizes of a million would only make indices miss; unsigned ones near their end rest on an assumption.
        arguments |= {name: min(value, 300) for name, value in found.values.items()}
        grid = (min(found.grid[0], 7), found.grid[1], found.grid[2])
        yield LaunchRequest(p.block, grid, arguments, rounds=400, overflow=True, lanes=2048, keep=frozenset())


def run(kernel: Kernel, request: LaunchRequest, tally: Tally) -> Outcome | None:
    """The launch, unless it proves nothing."""
    tally.samples += 1
    known = {v.name for v in kernel.variables if v.parameter}
    extra = {name: value for name, value in request.arguments.items() if name in known or name.startswith("room")}
    assert {v.name for v in kernel.variables if isinstance(v.type, PointerType) and v.parameter} <= set(extra)
    try:
        outcome = simulate(kernel, request)
    except Stopped as stop:
        if "does not end" not in stop.reason:
            raise
        tally.endless += 1
        return None
    if any(fault.kind in UNDEFINED for fault in outcome.faults):
        tally.undefined += 1
        return None
    return outcome


def examine(seed: int, tally: Tally, count: int = 3) -> tuple[str, list[str]]:
    """The kernel's text, and every promise of the analysis that a launch breaks."""
    p = program(seed)
    text = print_program(p)[0]
    settings = Settings(kernel_seconds=20.0)
    kernel = lower(
        read("k.cu", MemoryFiles({"k.cu": text.encode("latin-1")}), settings), settings, strict=True
    ).kernels[0]
    assert not kernel.unknowns, kernel.unknowns
    broken: list[str] = []
    facts = None
    for request in launches(p, kernel, count):
        outcome = run(kernel, request, tally)
        if outcome is None:
            continue
        if facts is None:
            launch = Launch(p.block, (None, None, None), "option", None, ())
            facts = evaluate(kernel, launch, interpret(kernel, launch, settings), settings)
        values = {name: v for name, v in request.arguments.items() if isinstance(v, int)}
        values |= {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid)}
        compared = compare((facts, None, values), outcome, kernel)
        tally.accesses += len(compared.accesses)
        tally.executed += sum(row.cost is not None for row in compared.accesses)
        broken += [f"{line} with {values}" for line in broken_rows(compared)]
    return text, broken


def broken_rows(compared: Comparison) -> Iterator[str]:
    """What is broken, in words."""
    for row in compared.accesses:
        if row.broken:
            yield f"{row.rw} {row.text}: worst {row.worst}, seen {row.cost}; times {row.expression}, seen {row.times}"
    for branch in compared.branches:
        if branch.broken:
            yield f"{branch.kind} at {branch.span.start}: {branch.divergence}, split {branch.splits}"
