"""The threads that meet in a run of the simulator, in shared and in global memory: another oracle than the stage's own replay, for whole kernels.

Every access is kept with how many barriers of its grid lie before it, and how often its thread has come to a barrier of any kind.  Two threads meet in an
element, of four bytes or fewer, if one of them writes, not both update it atomically, and neither is done before the other (happens_before.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from analysis_core.ir.nodes import BarrierScope, Kernel
from analysis_core.ir.types import PointerType, Space
from analysis_core.machine.block_shape import Shape
from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.machine import Meeting, Touched
from analysis_core.simulate.representation import Ints
from analysis_core.simulate.run import simulate
from tests.races.happens_before import Block

ELEMENTS = 1 << 14


@dataclass(frozen=True)
class _Entry:
    block: int
    thread: int
    grid_time: int
    steps: int
    kind: str
    value: bytes


class _Seen:
    """All accesses, by place, and what happens at barriers, by block."""

    def __init__(self, threads: int) -> None:
        self.entries: dict[tuple[int, int], list[_Entry]] = {}
        self.blocks: dict[int, Block] = defaultdict(lambda: Block(threads))
        self._grid = 0

    def barred(self, scope: BarrierScope, blocks: Ints, threads: Ints, meeting: Meeting | None) -> None:
        """Keeps a barrier, at which all of its block wait, or those of one part."""
        self._grid += scope is BarrierScope.GRID
        warps = threads // 32 if scope is BarrierScope.WARP else 0 * threads
        for block, warp in sorted(set(zip(blocks.tolist(), warps.tolist(), strict=True))):
            chosen = np.flatnonzero((blocks == block) & (warps == warp))
            if meeting is None:
                self.blocks[block].meet(threads[chosen])
            else:
                self.blocks[block].step(meeting, chosen.tolist(), threads[chosen].tolist())

    def see(self, touched: Touched) -> None:
        """Keeps an access of several threads."""
        values = dict(touched.stored)
        for n, (block, thread) in enumerate(zip(touched.blocks.tolist(), touched.threads.tolist(), strict=True)):
            times = self._grid, len(self.blocks[block].steps[thread])
            for part in range(0, touched.bytes, 4):
                value = np.asarray(values[part][n]).tobytes() if part in values else b""
                place = int(touched.regions[n]), int(touched.offsets[n]) + part
                self.entries.setdefault(place, []).append(_Entry(block, thread, *times, touched.rw, value))


_Clocks = Mapping[int, Mapping[int, list[Ints]]]


def _meet(one: _Entry, other: _Entry, clocks: _Clocks, shared: bool, values: bool) -> bool:
    kinds = {one.kind, other.kind}
    if kinds in ({"R"}, {"A"}) or (one.block, one.thread) == (other.block, other.thread):
        return False
    if values and kinds == {"W"} and one.value == other.value:
        return False
    if one.grid_time != other.grid_time:
        return False
    if one.block != other.block:
        return not shared
    known = clocks[one.block]
    return not (_is_before(one, other, known) or _is_before(other, one, known))


def _is_before(one: _Entry, other: _Entry, known: Mapping[int, list[Ints]]) -> bool:
    return bool(known[other.thread][other.steps][one.thread] > one.steps)


def someone_meets(kernel: Kernel, block: Shape, grid: Shape, sizes: Mapping[str, int], values: bool) -> str:
    """Two threads that meet in a run, "" if none do. `values`: threads that store the same do not."""
    arrays = ArrayArgument(np.arange(ELEMENTS, dtype=np.int32) * 7919 % 65521 + 1)
    arguments = {
        v.name: arrays if isinstance(v.type, PointerType) else sizes[v.name] for v in kernel.variables if v.parameter
    }
    seen = _Seen(block[0] * block[1] * block[2])
    outcome = simulate(kernel, LaunchRequest(block, grid, arguments), None, seen.see, seen.barred)
    clocks = {number: steps.clocks() for number, steps in seen.blocks.items()}
    for (region, offset), entries in seen.entries.items():
        shared = outcome.regions[region - 1].space is Space.SHARED
        if all(entry.kind == "R" for entry in entries):
            continue
        for n, one in enumerate(entries):
            for other in entries[n + 1 :]:
                if _meet(one, other, clocks, shared, values):
                    return f"{one} and {other} in byte {offset} of {outcome.regions[region - 1].name}"
    return ""
