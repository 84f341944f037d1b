"""Launches of generated kernels (tests/properties/kernels) in the simulator, and what the analysis promised about them.

Pointers lead into the middle of arrays, so that indices of either sign hit something; what still misses is dropped by the
simulator, which leaves requests of fewer lanes: costs are monotone in the lanes, so bounds hold all the same.  Samples with
undefined behaviour, and those that break a listed assumption ("the loop counter `k` does not wrap around"), prove
nothing and are counted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis_core.cli.compare_simulation import Comparison, compare
from analysis_core.interp.core.events import Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import PointerType, Space
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import Launch
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.facts import KernelFacts
from analysis_core.simulate.arguments import Alias, Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.properties.kernels.generator import sample as sample_of
from tests.properties.kernels.printing import print_program
from tests.properties.kernels.shrinking import shrink
from tests.properties.kernels.spellings import Spelled
from tests.properties.kernels.syntax import Program

_ROOM = 1 << 17
UNDEFINED = frozenset(
    {
        FaultKind.CONVERSION,
        FaultKind.DIVISION_BY_ZERO,
        FaultKind.FOREIGN_POINTER,
        FaultKind.SHIFT,
        FaultKind.SIGNED_OVERFLOW,
        FaultKind.UNINITIALISED,
    }
)


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken promise: `kind` is worst, times, never or best."""

    kind: str
    text: str


@dataclass
class Tally:
    """What became of the samples; `widest`: accesses that met as many lanes as the analysis thinks possible."""

    samples: int = 0
    undefined: int = 0
    endless: int = 0
    void: int = 0
    accesses: int = 0
    executed: int = 0
    widest: int = 0


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
        yield LaunchRequest(
            p.block, grid, arguments, rounds=400, overflow=True, lanes=2048, keep=frozenset(), wraps=True
        )


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


def kernel_of(text: str) -> Kernel:
    """The one kernel of a generated text, all of which is understood."""
    settings = Settings()
    files = MemoryFiles({"k.cu": text.encode("latin-1")})
    kernel = lower(read("k.cu", files, settings), settings, strict=True).kernels[0]
    assert not kernel.unknowns, kernel.unknowns
    return kernel


def examine(p: Program, tally: Tally, count: int = 3, spelled: bool = False) -> list[Broken]:
    """Every promise of the analysis that a launch of the kernel breaks; `spelled`: its text in other words."""
    text = print_program(p, spelling=Spelled(p.seed) if spelled else None)[0]
    settings = Settings(kernel_seconds=20.0)
    kernel = kernel_of(text)
    broken: list[Broken] = []
    facts = events = None
    for request in launches(p, kernel, count):
        outcome = run(kernel, request, tally)
        if outcome is None:
            continue
        if facts is None or events is None:
            launch = Launch(p.block, (None, None, None), "option", None, ())
            events = interpret(kernel, launch, settings)
            facts = evaluate(kernel, launch, events).facts
        values = {name: v for name, v in request.arguments.items() if isinstance(v, int)}
        values |= {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid)}
        compared = compare((facts, None, values), outcome, kernel)
        if compared.void:
            tally.void += 1
            continue
        tally.accesses += len(compared.accesses)
        tally.executed += sum(row.cost is not None for row in compared.accesses)
        found = (*broken_rows(compared), *cheaper(facts, events, outcome, tally))
        broken += [Broken(b.kind, f"{b.text} with {values}") for b in found]
    return broken


def broken_rows(compared: Comparison) -> Iterator[Broken]:
    """What exceeds the analysis."""
    for row in compared.accesses:
        if row.broken:
            kind = "worst" if row.cost is not None and row.cost[2] > row.worst else "times"
            text = f"{row.rw} {row.text}: worst {row.worst}, seen {row.cost}; times {row.expression}, seen {row.times}"
            yield Broken(kind, text)
    for branch in compared.branches:
        if branch.broken:
            yield Broken("never", f"{branch.kind} at {branch.span.start}: {branch.divergence}, split {branch.splits}")


def cheaper(facts: KernelFacts, events: Events, outcome: Outcome, tally: Tally) -> Iterator[Broken]:
    """Requests that cost less than `best`, which speaks of those with the most lanes that the analysis thinks possible."""
    counts = {access.id: access for access in outcome.accesses}
    for fact in facts.accesses:
        if fact.space not in (Space.GLOBAL, Space.SHARED):
            continue  # nothing is counted elsewhere
        rows = [e.mask.may.reshape(-1, 32).sum(axis=1).max() for e in events.accesses if e.access.id in fact.ids]
        for count in (counts[number] for number in fact.ids if number in counts):
            widest = [r.cost for r in count.histogram if r.active == max(rows)] if count.space is fact.space else []
            tally.widest += bool(widest)
            if widest and min(widest) < fact.best:
                yield Broken("best", f"{fact.rw.value} {fact.text}: best {fact.best}, seen {min(widest)}")


def smallest(p: Program, kinds: frozenset[str], attempts: int = 300) -> str:
    """The text of the smallest kernel like this one that breaks a promise of one of these kinds."""

    def still(candidate: Program) -> bool:
        try:
            return any(b.kind in kinds for b in examine(candidate, Tally()))
        except (KeyError, StopIteration, AssertionError):
            return False  # a name lost its declaration while shrinking

    small = shrink(p, still, attempts)
    return f"// block {small.block}\n{print_program(small)[0]}"
