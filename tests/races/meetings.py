"""The threads that meet in a run of the simulator, in shared and in global memory: another oracle than the stage's own replay, for whole kernels.

Every access is kept with how many barriers of its grid, its block, and of parts of it lie before it.  Two threads meet in an element, of four bytes or fewer, if one of them writes,
not both update it atomically, and no barrier at which both wait lies between: barriers of a part of a block are kept with the threads that came.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis_core.ir.nodes import BarrierScope, Kernel
from analysis_core.ir.types import PointerType, Space
from analysis_core.machine.block_shape import Shape
from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.machine import Touched
from analysis_core.simulate.representation import Ints
from analysis_core.simulate.run import simulate

ELEMENTS = 1 << 14


@dataclass(frozen=True)
class _Entry:
    block: int
    thread: int
    grid_time: int
    block_time: int
    part_time: int
    kind: str
    value: bytes


class _Seen:
    """`quiet`: one value stored by several threads is no meeting."""

    def __init__(self) -> None:
        self.entries: dict[tuple[int, int], list[_Entry]] = {}
        self._grid = 0
        self._block: dict[int, int] = {}
        self.parts: dict[int, list[set[int]]] = {}

    def barred(self, scope: BarrierScope, blocks: Ints, threads: Ints) -> None:
        """Counts a barrier, at which all of its block wait, or those of one part."""
        if scope is BarrierScope.GRID:
            self._grid += 1
        elif scope is BarrierScope.BLOCK:
            for block in set(blocks.tolist()):
                self._block[block] = self._block.get(block, 0) + 1
        else:
            warps = threads // 32 if scope is BarrierScope.WARP else 0 * threads
            for block, warp in sorted(set(zip(blocks.tolist(), warps.tolist(), strict=True))):
                came = threads[(blocks == block) & (warps == warp)]
                self.parts.setdefault(block, []).append(set(came.tolist()))

    def see(self, touched: Touched) -> None:
        """Keeps an access of several threads."""
        values = dict(touched.stored)
        for n, (block, thread) in enumerate(zip(touched.blocks.tolist(), touched.threads.tolist(), strict=True)):
            times = self._grid, self._block.get(block, 0), len(self.parts.get(block, ()))
            for part in range(0, touched.bytes, 4):
                value = np.asarray(values[part][n]).tobytes() if part in values else b""
                place = int(touched.regions[n]), int(touched.offsets[n]) + part
                self.entries.setdefault(place, []).append(_Entry(block, thread, *times, touched.rw, value))


def _meet(one: _Entry, other: _Entry, parts: Mapping[int, Sequence[set[int]]], shared: bool, values: bool) -> bool:
    kinds = {one.kind, other.kind}
    if kinds in ({"R"}, {"A"}) or (one.block, one.thread) == (other.block, other.thread):
        return False
    if values and kinds == {"W"} and one.value == other.value:
        return False
    if one.grid_time != other.grid_time:
        return False
    if one.block != other.block:
        return not shared
    if one.block_time != other.block_time:
        return False
    between = parts.get(one.block, ())[one.part_time : other.part_time]
    return not any({one.thread, other.thread} <= came for came in between)


def someone_meets(kernel: Kernel, block: Shape, grid: Shape, sizes: Mapping[str, int], values: bool) -> str:
    """Two threads that meet in a run, "" if none do. `values`: threads that store the same do not."""
    arrays = ArrayArgument(np.arange(ELEMENTS, dtype=np.int32) * 7919 % 65521 + 1)
    arguments = {
        v.name: arrays if isinstance(v.type, PointerType) else sizes[v.name] for v in kernel.variables if v.parameter
    }
    seen = _Seen()
    outcome = simulate(kernel, LaunchRequest(block, grid, arguments), None, seen.see, seen.barred)
    for (region, offset), entries in seen.entries.items():
        shared = outcome.regions[region - 1].space is Space.SHARED
        if all(entry.kind == "R" for entry in entries):
            continue
        for n, one in enumerate(entries):
            for other in entries[n + 1 :]:
                if _meet(one, other, seen.parts, shared, values):
                    return f"{one} and {other} in byte {offset} of {outcome.regions[region - 1].name}"
    return ""
