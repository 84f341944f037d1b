"""What a greedy schedule takes: no issue slot is idle while a warp could issue.

A multiprocessor issues for a few warps at a time.  A step takes one slot for a cycle, a request one for as many cycles as it has sectors or
wavefronts; the warp goes on when the latency is over, and at a barrier when all warps of its block have come or ended.  Each
block is alone, and which of two ready warps goes first is decided by how long they are ready.
"""

from __future__ import annotations

from dataclasses import field
from heapq import heapify, heappop, heappush

from analysis_core.machine.latencies import LATENCIES, SCHEDULERS
from analysis_core.simulate.representation import Ints
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Operation:
    """`slots`: cycles in which the warp issues; `latency`: until it goes on, these included.  `times` of them in a row."""

    slots: int
    latency: int
    times: int = 1


BARRIER = None
"""Stands between the operations of a warp where it waits for its block."""

_Warp = list[Operation | None]


@dataclass
class Timeline:
    """What the warps of a chunk of blocks do, in order; `warps` of a block."""

    warps: int
    operations: dict[int, _Warp] = field(default_factory=dict)

    def step(self, rows: Ints, weight: int) -> None:
        """Adds steps of each of these warps."""
        one = Operation(1, LATENCIES.step, weight)
        for row in rows.tolist():
            self.operations.setdefault(row, []).append(one)

    def request(self, rows: Ints, cost: Ints, shared: bool) -> None:
        """Adds a request of each of these warps."""
        latency = LATENCIES.of_requests(cost, shared)
        for row, slots, cycles in zip(rows.tolist(), cost.tolist(), latency.tolist(), strict=True):
            self.operations.setdefault(row, []).append(Operation(slots, cycles))

    def barrier(self, rows: Ints) -> None:
        """Notes that these warps come to a barrier of their block."""
        for row in rows.tolist():
            self.operations.setdefault(row, []).append(BARRIER)

    def cycles(self) -> int:
        """The cycles of the block that takes longest."""
        blocks: dict[int, list[_Warp]] = {}
        for row, operations in self.operations.items():
            blocks.setdefault(row // self.warps, []).append(operations)
        return max((greedy(warps, SCHEDULERS) for warps in blocks.values()), default=0)


def greedy(warps: list[_Warp], processors: int) -> int:
    """Cycles until the last of these warps has ended."""
    todo = [_spelled(warp) for warp in warps]
    free = [0] * processors
    ready = [(0, number) for number in range(len(todo))]
    waiting: list[tuple[int, int]] = []
    at = [0] * len(todo)
    end = 0
    while ready or waiting:
        if not ready:  # all that have not ended have come
            release = max(end, max(time for time, _ in waiting))
            ready, waiting = [(release, number) for _, number in waiting], []
            heapify(ready)
            continue
        time, number = heappop(ready)
        if at[number] == len(todo[number]):
            end = max(end, time)
            continue
        operation = todo[number][at[number]]
        at[number] += 1
        if operation is BARRIER:
            waiting.append((time, number))
            continue
        start = max(time, heappop(free))
        heappush(free, start + operation.slots)
        heappush(ready, (start + operation.latency, number))
    return end


def _spelled(warp: _Warp) -> _Warp:
    """Each operation as often as it comes."""
    return [one for operation in warp for one in ([operation] * operation.times if operation is not None else [None])]
