"""The state of a run: a chunk of blocks whose threads go through the kernel together.

Variables hold one entry per lane of the chunk, or one value for all.  Arrays are shared between variables until one of
them is written in part; then it is copied (`_owned`).  Everything that changes during a run is in this object.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import field
from enum import Enum

import numpy as np

from analysis_core.ir.nodes import Access, AccessId, BarrierScope, BuiltinKind, Kernel, ObjectId, VarId
from analysis_core.ir.types import Space
from analysis_core.machine.latencies import LATENCIES
from analysis_core.machine.sizes import is_of_threads
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.counts import Meter
from analysis_core.simulate.faults import Fault, FaultKind, Faults
from analysis_core.simulate.lanes import WARP, Lanes
from analysis_core.simulate.memory import REGION_BITS, AddressSpace, Memory
from analysis_core.simulate.races import Races
from analysis_core.simulate.representation import Array, Bools, Ints, Vector
from analysis_core.simulate.schedule import Timeline
from analysis_core.simulate.weights import Weight
from analysis_core.support.facts import Cause
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_BYTES = 1 << 24
"""Shared and local memory of the blocks that run together."""


class Stopped(Exception):
    """The run cannot go on: `reason` is a sentence for the user, `span` the place."""

    def __init__(self, reason: str, span: Span | None, cause: Cause | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span
        self.cause = cause


class Spent(Stopped):
    """The account of statements is used up."""


@dataclass(frozen=True, slots=True)
class Touched:
    """One execution of an access by some lanes: for each its block's number, its thread's number within the block, where
    in which region (by number, from 1) it moved `bytes` bytes. `stored`: of a store, by the byte within the access, what each leaves there."""

    access: AccessId
    rw: str  # R, W, A
    bytes: int
    blocks: Ints
    threads: Ints
    regions: Ints
    offsets: Ints
    stored: tuple[tuple[int, Array], ...] = ()


Trace = Callable[[Touched], None]


@dataclass(frozen=True, slots=True)
class Meeting:
    """What threads do at a barrier that is an object, at these addresses: a `step` of the IR, by `counts`, with `tokens`, which are other ones at each
    arrival."""

    step: str
    places: Ints
    counts: Ints
    tokens: Ints


BarrierTrace = Callable[[BarrierScope, Ints, Ints, Meeting | None], None]
"""Told of the numbers of the blocks, and of the threads in them, that come to a barrier."""


class FrameKind(Enum):
    LOOP, SWITCH, FUNCTION = range(3)


@dataclass
class Frame:
    """A construct that lanes can leave early: those that left for its end, those that `continue`."""

    kind: FrameKind
    left: list[Lanes] = field(default_factory=list)
    again: list[Lanes] = field(default_factory=list)


class Machine:
    """One run of a launch. `begin` starts a chunk of blocks."""

    def __init__(
        self, kernel: Kernel, request: LaunchRequest, space: AddressSpace, bases: dict[ObjectId, int], cell: int
    ) -> None:
        self.kernel, self.request = kernel, request
        self.bases = {number: np.int64(base) for number, base in bases.items()}
        x, y, z = request.block
        self.threads = x * y * z
        self.padded = -(-self.threads // WARP) * WARP
        gx, gy, gz = request.grid
        chosen = range(gx * gy * gz) if request.blocks is None else request.blocks
        self._numbers = np.array(chosen, dtype=np.int64)
        self.blocks = len(self._numbers)
        fitting = _MOST_BYTES // max(1, space.bytes_of(Space.SHARED) + self.padded * space.bytes_of(Space.LOCAL))
        self.chunk_blocks = max(1, min(self.blocks, request.lanes // self.padded, fitting))
        self._cell = cell
        self.memory = Memory(space, self.chunk_blocks, self.chunk_blocks * self.padded)
        self.faults = Faults()
        self.frames: list[Frame] = []
        self.meters: dict[AccessId, Meter] = {}
        self.branches: dict[tuple[Span, str], Meter] = {}
        self.lane_statements = 0
        self.rounds: dict[Span, int] = {}
        self.rounds_left, self.statements_left = request.rounds, request.statements
        self.contention: Counter[AccessId] = Counter()
        self.trace: Trace | None = None
        self.barred: BarrierTrace | None = None
        self.arrivals = 0
        self.wrapped: set[str] = set()
        self.cycles = 0
        self._dims = tuple(np.uint32(n) for n in request.block)
        self._grid = tuple(np.uint32(n) for n in request.grid)
        self.size = 0
        self.begin(0, self.chunk_blocks)

    # --- chunks -----------------------------------------------------------------------------------------------------

    def begin(self, first: int, blocks: int) -> None:
        """Makes ready for `blocks` blocks from the `first` one to be run."""
        x, y, _ = self.request.block
        gx, gy, _ = self.request.grid
        self.chunk = self._numbers[first : first + blocks]
        if self.size != blocks * self.padded:
            self.size = blocks * self.padded
            self.rows = self.size // WARP
            number = np.tile(np.arange(self.padded), blocks)
            self.block_of = np.repeat(np.arange(blocks), self.padded)
            self._threads = tuple(a.astype(np.uint32) for a in (number % x, number // x % y, number // (x * y)))
            everyone = Lanes(self.size)
            self.everyone = everyone.where(number < self.threads)
            self.races = Races(self.memory, blocks, self.padded, self._cell)
        block = self.chunk
        self._blocks = tuple(self._along(b) for b in (block % gx, block // gx % gy, block // (gx * gy)))
        self.alive: Bools = np.zeros(self.size, dtype=bool)
        self.alive[self.everyone.numbers] = True
        self.steps = np.zeros(self.rows, dtype=np.int64)
        self.operations = {name: np.zeros(self.rows, dtype=np.int64) for name in self.request.operations}
        self.divergences, self.sectors, self.excessive, self.wavefronts, self.conflicts, self.waits = (
            np.zeros(self.rows, dtype=np.int64) for _ in range(6)
        )
        count = len(self.kernel.variables)
        self.values: list[Vector | None] = [None] * count
        self._owned = [False] * count
        self._defined: list[Bools | None] = [None] * count
        self.memory.forget_blocks()
        self.races.restart()
        self.timeline = Timeline(self.padded // WARP) if self.request.schedule else None

    def _along(self, blocks: Ints) -> Vector:
        """A block index for every lane: one value where all blocks of the chunk share it."""
        if (blocks == blocks[0]).all():
            return np.uint32(blocks[0])
        return np.repeat(blocks.astype(np.uint32), self.padded)

    def builtin(self, kind: BuiltinKind, axis: int) -> Vector:
        """threadIdx and its relatives, for the whole chunk."""
        match kind:
            case BuiltinKind.THREAD_IDX:
                return self._threads[axis]
            case BuiltinKind.BLOCK_IDX:
                return self._blocks[axis]
            case BuiltinKind.BLOCK_DIM:
                return self._dims[axis]
            case BuiltinKind.GRID_DIM:
                return self._grid[axis]

    # --- variables --------------------------------------------------------------------------------------------------

    def read(self, var: VarId, lanes: Lanes) -> Vector | None:
        """The variable's value for these lanes; None if it was never assigned."""
        value = self.values[var]
        if isinstance(value, np.ndarray) and lanes.index is not None:
            return value[lanes.index]
        return value

    def undefined(self, var: VarId, lanes: Lanes) -> Bools | None:
        """The active lanes for which the variable was never assigned; None if there is none."""
        if self.values[var] is None:
            return np.ones(lanes.count, dtype=bool)
        defined = self._defined[var]
        if defined is None:
            return None
        missing = ~lanes.take(defined)
        return missing if missing.any() else None

    def assign(self, var: VarId, value: Vector, lanes: Lanes) -> None:
        """Gives the variable a value for these lanes."""
        if lanes.count == self.everyone.count:
            # Lanes that only pad the block are never read.
            if lanes.index is None or not isinstance(value, np.ndarray):
                self.values[var], self._owned[var], self._defined[var] = value, False, None
                return
            self._defined[var] = None
        known = self.values[var]
        if known is None:
            known = np.zeros(self.size, dtype=value.dtype)
            if lanes.count < self.everyone.count:
                self._defined[var] = np.zeros(self.size, dtype=bool)
            self.values[var], self._owned[var] = known, True
        elif not isinstance(known, np.ndarray):
            known = np.full(self.size, known, dtype=value.dtype)
            self.values[var], self._owned[var] = known, True
        elif not self._owned[var]:
            known = known.copy()
            self.values[var], self._owned[var] = known, True
        known[lanes.numbers] = value
        defined = self._defined[var]
        if defined is not None:
            defined[lanes.numbers] = True

    def forget(self, var: VarId, lanes: Lanes) -> None:
        """The variable's value is no longer defined for these lanes (a copy of something that is not)."""
        if lanes.count == self.everyone.count:
            self.values[var], self._defined[var] = None, None
            return
        if self.values[var] is None:
            return
        defined = self._defined[var]
        if defined is None:
            defined = self._defined[var] = np.ones(self.size, dtype=bool)
        defined[lanes.numbers] = False

    # --- what is counted --------------------------------------------------------------------------------------------

    def meter(self, access: AccessId) -> Meter:
        """The meter of an access."""
        if access not in self.meters:
            self.meters[access] = Meter.of(self.chunk_blocks * self.padded // WARP)
        return self.meters[access]

    def branch(self, span: Span, kind: str) -> Meter:
        """The meter of a branch."""
        if (span, kind) not in self.branches:
            self.branches[span, kind] = Meter.of(self.chunk_blocks * self.padded // WARP)
        return self.branches[span, kind]

    def traced(
        self, rw: str, access: Access, lanes: Lanes, addresses: Ints, stored: tuple[tuple[int, Array], ...] = ()
    ) -> None:
        """Reports an access to whoever traces the run."""
        if self.trace is not None:
            regions = addresses >> REGION_BITS
            offsets = addresses - np.array([0, *(region.base for region in self.memory.regions)])[regions]
            lane = lanes.numbers
            blocks, threads = self.chunk[lane // self.padded], lane % self.padded
            self.trace(Touched(access.id, rw, access.width, blocks, threads, regions, offsets, stored))

    def step(self, weight: Weight, lanes: Lanes) -> None:
        """The steps of every warp with an active lane; operations are of lanes or of warps."""
        steps = weight.steps
        if steps:
            if lanes.index is None:
                self.steps += steps
            else:
                self.steps[lanes.rows] += steps
            if self.timeline is not None:
                self.timeline.step(lanes.rows, steps)
        for name, number in weight.operations:
            self.operate(name, number, lanes)

    def operate(self, name: str, number: int, lanes: Lanes) -> None:
        """So much of an operation, of each active lane or of every warp with one."""
        self.operations[name][lanes.rows] += number * (lanes.active if is_of_threads(name) else 1)

    def wait(self, rows: Ints, cost: Ints, shared: bool) -> None:
        """The latency of one request by each of `rows`, of so many sectors or wavefronts."""
        self.waits[rows] += LATENCIES.of_requests(cost, shared)
        if self.timeline is not None:
            self.timeline.request(rows, cost, shared)

    def latency(self) -> Ints:
        """Cycles along the execution of every warp so far, the time that it waited at barriers included."""
        return LATENCIES.step * self.steps + self.waits

    def come(self, scope: BarrierScope, lanes: Lanes, meeting: Meeting | None = None) -> None:
        """Reports a barrier to whoever traces the run."""
        if self.barred is not None:
            lane = lanes.numbers
            self.barred(scope, self.chunk[lane // self.padded], lane % self.padded, meeting)

    def meet(self, lanes: Lanes, of_grid: bool) -> None:
        """Lets warps wait at a barrier for the slowest one of their block, or of the grid. Warps that have ended count
        too."""
        latency = self.latency()
        together = len(latency) if of_grid else self.padded // WARP
        slowest = np.repeat(latency.reshape(-1, together).max(axis=1), together)
        self.waits[lanes.rows] += (slowest - latency)[lanes.rows]
        if self.timeline is not None:
            self.timeline.barrier(lanes.rows)

    # --- what goes wrong --------------------------------------------------------------------------------------------

    def place_of(self, lane: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """blockIdx and threadIdx of a lane."""
        gx, gy, _ = self.request.grid
        block = int(self.chunk[self.block_of[lane]])
        thread = tuple(int(axis[lane]) for axis in self._threads)
        return (block % gx, block // gx % gy, block // (gx * gy)), (thread[0], thread[1], thread[2])

    def fault(self, kind: FaultKind, span: Span, lanes: Array, text: str, other: int | None = None) -> None:
        """Reports a fault of these lanes (numbers); `text` tells of the first one, and of lane `other`, if there is one."""
        block, thread = self.place_of(int(lanes[0]))
        beside, absent = (None, None) if other is None else self.place_of(other)
        self.faults.add(Fault(kind, span, text, block, thread, len(lanes), absent, None if beside == block else beside))
