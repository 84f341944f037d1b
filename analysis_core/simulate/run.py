"""`simulate(kernel, request)`: a launch, executed.

Blocks go in chunks, in order; all threads of a chunk run in lock step, statement by statement.  That is one of the orders
that the hardware may choose; a kernel whose result depends on another one races, and shared races are told.  Grid barriers
need all blocks in one chunk.

Results are exact for the semantics of docs/hardware.md: what compilers merge, hoist or predicate is not modelled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from analysis_core.ir.nodes import (
    Access,
    Atomic,
    Barrier,
    BarrierScope,
    If,
    Kernel,
    Load,
    Local,
    Loop,
    Store,
    Switch,
    VarId,
)
from analysis_core.ir.operations import Operations
from analysis_core.ir.steps import weights_of
from analysis_core.ir.types import Space
from analysis_core.ir.walk import expressions_of, statements_of, subexpressions
from analysis_core.machine.block_shape import is_launchable
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import Binding, bind
from analysis_core.simulate.counts import AccessCount, BranchCount, Meter, PerWarp, Request, WarpCounts
from analysis_core.simulate.expressions import Compiler
from analysis_core.simulate.faults import Fault
from analysis_core.simulate.machine import BarrierTrace, Machine, Stopped, Trace
from analysis_core.simulate.memory import Region
from analysis_core.simulate.representation import Array, Ints
from analysis_core.simulate.statements import Context, Run, block
from analysis_core.simulate.weights import Weighing
from analysis_core.support.recursion import deep_recursion
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Progress = Callable[[int, int], None]
"""Told after every chunk: blocks done, blocks in all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gave.  `accesses` and `branches` in source order, those that were never executed included; `arrays`:
    the contents of array arguments afterwards; `notes`: what the run took for granted; `rounds`: of each loop, as a whole
    statement, the most rounds of one execution of it."""

    accesses: tuple[AccessCount, ...]
    branches: tuple[BranchCount, ...]
    warps: WarpCounts
    faults: tuple[Fault, ...]
    arrays: Mapping[str, Array]
    notes: tuple[str, ...]
    lane_statements: int
    wrapped: frozenset[str]  # unsigned variables that wrapped around at an update, if that was asked for
    rounds: Mapping[Span, int]
    regions: tuple[Region, ...]  # of the address space: region number n is the (n - 1)-th
    cycles: int | None  # of the block that a greedy schedule takes longest for (schedule.py), if that was asked for

    @property
    def work(self) -> int:
        """Steps of all warps together."""
        return int(self.warps.steps.sum())

    @property
    def span(self) -> int:
        """Cycles of the block that takes the most: each step and request by its latency, and at barriers the slowest warp's."""
        return int(self.warps.latency.max())


def simulate(
    kernel: Kernel,
    request: LaunchRequest,
    progress: Progress | None = None,
    trace: Trace | None = None,
    barred: BarrierTrace | None = None,
) -> Outcome:
    """Executes a launch; `trace` is told of every access as it happens, and `barred` of every barrier.  Raises `BadArguments` for arguments that do not fit the kernel, and `Stopped` where the
    kernel reaches something that cannot be executed."""
    if not is_launchable(request.block):
        raise Stopped(f"a block of {request.block} threads cannot be launched", None)
    binding = bind(kernel, request)
    if has_grid_barrier(kernel):
        x, y, z = request.block
        gx, gy, gz = request.grid
        request = replace(request, lanes=max(request.lanes, gx * gy * gz * (x * y * z + 31)))
    with deep_recursion(), np.errstate(all="ignore"):
        run = _compiled(kernel, request)
        machine = Machine(kernel, request, binding.space, dict(binding.bases), _cell(kernel))
        if has_grid_barrier(kernel) and machine.chunk_blocks < machine.blocks:
            raise Stopped("the grid is too large for a barrier of all its blocks", None)
        machine.trace, machine.barred = trace, barred
        binding.fill(machine.memory)
        warps = _all_chunks(machine, run, binding, progress)
    return _outcome(kernel, machine, binding, warps)


def _compiled(kernel: Kernel, request: LaunchRequest) -> Run:
    weighing = Weighing(weights_of(kernel), Operations(request.operations, request.weighed))
    compiler = Compiler(kernel, weighing, request.overflow)
    ctx = Context(compiler, _read_variables(kernel), wraps=request.wraps)
    return block(ctx, kernel.body)


def _all_chunks(machine: Machine, run: Run, binding: Binding, progress: Progress | None) -> list[list[Ints]]:
    """Runs the grid; the metrics of every warp, chunk by chunk."""
    found: list[list[Ints]] = []
    for first in range(0, machine.blocks, machine.chunk_blocks):
        blocks = min(machine.chunk_blocks, machine.blocks - first)
        machine.begin(first, blocks)
        for var, value in binding.values:
            machine.values[var] = value
        run(machine, machine.everyone)
        steps = machine.steps + machine.sectors + machine.wavefronts
        if machine.timeline is not None:
            machine.cycles = max(machine.cycles, machine.timeline.cycles())
        metrics = (machine.sectors, machine.excessive, machine.wavefronts, machine.conflicts, machine.divergences)
        found.append([*metrics, steps, machine.latency(), *machine.operations.values()])
        for meter in (*machine.meters.values(), *machine.branches.values()):
            meter.fold(machine.rows)
        if progress is not None:
            progress(first + blocks, machine.blocks)
    return found


def _read_variables(kernel: Kernel) -> frozenset[VarId]:
    """Variables that some expression of the kernel reads."""
    return frozenset(
        node.var
        for stmt in statements_of(kernel)
        for expr in expressions_of(stmt)
        for node in subexpressions(expr)
        if isinstance(node, Local)
    )


def has_grid_barrier(kernel: Kernel) -> bool:
    """Whether all blocks of a launch wait for each other in it."""
    return any(isinstance(s, Barrier) and s.scope is BarrierScope.GRID for s in statements_of(kernel))


def _cell(kernel: Kernel) -> int:
    """Bytes of the cells in which races are looked for: the narrowest access, a power of two of at most 4."""
    widths = [s.access.width for s in statements_of(kernel) if isinstance(s, Load | Store)]
    return min([4, *(w & -w for w in widths if w)])


# --- results --------------------------------------------------------------------------------------------------------

_NEVER = PerWarp(0, 0, 0)


def _outcome(kernel: Kernel, machine: Machine, binding: Binding, warps: list[list[Ints]]) -> Outcome:
    columns = [np.concatenate(parts) for parts in zip(*warps)]
    sectors, excessive, wavefronts, conflicts, divergences, steps, latency, *rest = columns
    operations = dict(zip(machine.request.operations, rest, strict=True))
    arrays = {
        name: np.frombuffer(machine.memory.contents(region).tobytes(), dtype=values.dtype).reshape(values.shape)
        for name, region, values in binding.arrays
        if machine.request.keep is None or name in machine.request.keep
    }
    return Outcome(
        tuple(_accesses(kernel, machine)),
        tuple(_branches(kernel, machine)),
        WarpCounts(sectors, excessive, wavefronts, conflicts, divergences, steps, latency, operations),
        machine.faults.all(),
        arrays,
        binding.notes,
        machine.lane_statements,
        frozenset(machine.wrapped),
        machine.rounds,
        machine.memory.regions,
        machine.cycles if machine.request.schedule else None,
    )


def _accesses(kernel: Kernel, machine: Machine) -> list[AccessCount]:
    found = []
    for stmt in statements_of(kernel):
        match stmt:
            case Load(access=access):
                rw = "R"
            case Store(access=access):
                rw = "W"
            case Atomic(access=access):
                rw = "A"
            case _:
                continue
        found.append(_access(access, rw, machine.meters.get(access.id), machine.contention.get(access.id)))
    return found


def _access(access: Access, rw: str, meter: Meter | None, contention: int | None) -> AccessCount:
    if meter is None:
        meter = Meter.of(1)
    histogram = {Request(*kind): count for kind, count in sorted(meter.kinds.items())}
    return AccessCount(
        access.id,
        access.span,
        access.text,
        access.via,
        rw,
        meter.space or Space.UNKNOWN,
        access.width,
        meter.folded_times or _NEVER,
        meter.folded_cost or _NEVER,
        meter.folded_excess or _NEVER,
        histogram,
        contention,
    )


def _branches(kernel: Kernel, machine: Machine) -> list[BranchCount]:
    found = []
    seen = set()
    for stmt in statements_of(kernel):
        match stmt:
            case If(span=span, kind=kind):
                word = kind.value
            case Loop(span=span):
                word = "loop"
            case Switch(span=span):
                word = "switch"
            case _:
                continue
        if (span, word) in seen:
            continue
        seen.add((span, word))
        meter = machine.branches.get((span, word)) or Meter.of(1)
        active: dict[int, int] = {}
        for (lanes, _, _), count in sorted(meter.kinds.items()):
            active[lanes] = active.get(lanes, 0) + count
        found.append(BranchCount(span, word, meter.folded_times or _NEVER, meter.folded_cost or _NEVER, active))
    return found
