"""Two threads that are said to meet, run by the simulator: they do if they touch one byte with no barrier of the block between.

Parameters that decide whether they meet have the values of the witness, others some usual size; arrays hold
numbers that differ, so that values that are equal are so by what the kernel does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from analysis_core.ir.nodes import Access, Kernel
from analysis_core.machine.block_shape import Shape, place_of
from analysis_core.races.runs import ROUNDS, RUNS, argument
from analysis_core.races.verdicts import Thread, Witness
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.machine import Stopped, Touched
from analysis_core.simulate.run import simulate
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """Thread `threads[0]` of the block is to make access `one` and `threads[1]` access `other`, under these values."""

    one: Access
    other: Access
    threads: tuple[int, int]
    values: Mapping[str, int]


class _Met(Exception):
    """The threads have met."""

    def __init__(self, byte: int) -> None:
        super().__init__()
        self.byte = byte


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one of the threads did to a byte: `left` there by a store; `own`: what a reader had left there before."""

    left: int | None
    own: int | None


class _Watch:
    """Looks at all accesses of a run, until the threads meet: not where both leave the same, nor where a reader finds what it has left itself."""

    def __init__(self, candidate: Candidate) -> None:
        self._accesses = candidate.one.id, candidate.other.id
        self._threads = candidate.threads
        self._seen: dict[tuple[int, int, int], list[_Seen | None]] = defaultdict(lambda: [None, None])
        self._left: dict[tuple[int, int, int, int], int] = {}

    def see(self, touched: Touched) -> None:
        if touched.access not in self._accesses:
            return
        for thread in dict.fromkeys(self._threads):
            for n in np.flatnonzero(touched.threads == thread):
                self._look(touched, thread, int(n))

    def _look(self, touched: Touched, thread: int, n: int) -> None:
        region, since, start = int(touched.regions[n]), int(touched.since[n]), int(touched.offsets[n])
        left = _bytes_left(touched, n)
        for k in range(touched.bytes):
            place = (region, start + k, since)
            value = left.get(k)
            own = self._left.get((*place, thread))
            if value is not None:
                self._left[(*place, thread)] = value
            for side in (0, 1):
                if self._accesses[side] == touched.access and self._threads[side] == thread:
                    sides = self._seen[place]
                    sides[side] = _Seen(value, own)
                    if _differ(*sides):
                        raise _Met(start + k)


def _differ(one: _Seen | None, other: _Seen | None) -> bool:
    """Whether the order of both matters."""
    if one is None or other is None:
        return False
    if one.left is not None and other.left is not None:
        return one.left != other.left
    written, read = (one, other) if one.left is not None else (other, one)
    return written.left is None or read.own != written.left


def _bytes_left(touched: Touched, n: int) -> dict[int, int]:
    return {
        offset + k: byte for offset, values in touched.stored for k, byte in enumerate(np.asarray(values[n]).tobytes())
    }


def replayed(kernel: Kernel, block: Shape, candidate: Candidate) -> Witness | str:
    """The witness of a run in which the threads met, or why there is none."""
    reason = "no run showed it"
    for size, filled in RUNS:
        try:
            shown = _run(kernel, _request(kernel, block, candidate.values, size, filled), candidate)
        except Stopped as why:
            reason = f"it cannot be replayed: {why.reason}"
            continue
        except BadArguments as why:
            return f"it cannot be replayed: {why}"
        if shown is not None:
            return shown
    return reason


def _run(kernel: Kernel, request: LaunchRequest, candidate: Candidate) -> Witness | None:
    watch = _Watch(candidate)
    try:
        simulate(kernel, request, None, watch.see)
    except _Met as met:
        one, other = (place_of(thread, request.block) for thread in candidate.threads)
        assert request.blocks is not None
        place = place_of(request.blocks[0], request.grid)
        values = {name: value for name, value in request.arguments.items() if isinstance(value, int)}
        shown = {name: value for name, value in values.items() if name in candidate.values}
        return Witness((Thread(place, one), Thread(place, other)), candidate.one.text, met.byte, shown)
    return None


def _request(kernel: Kernel, block: Shape, values: Mapping[str, int], size: int, filled: bool) -> LaunchRequest:
    """The launch of one block."""
    at = tuple(values.get(f"blockIdx.{axis}", 0) for axis in "xyz")
    x, y, z = (max(values.get(f"gridDim.{axis}", 1), n + 1) for axis, n in zip("xyz", at, strict=True))
    arguments = {v.name: argument(v.type, values.get(v.name), size, filled) for v in kernel.variables if v.parameter}
    number = at[0] + x * (at[1] + y * at[2])
    return LaunchRequest(block, (x, y, z), arguments, rounds=ROUNDS, blocks=(number,))
