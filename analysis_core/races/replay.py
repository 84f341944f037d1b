"""Two threads that are said to meet, run by the simulator: they do if they touch one byte with no barrier between at which both wait.

Parameters that decide whether they meet have the values of the witness, others some usual size; arrays hold
numbers that differ, so that values that are equal are so by what the kernel does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from analysis_core.ir.nodes import Access, BarrierScope, Kernel
from analysis_core.machine.block_shape import Shape, place_of
from analysis_core.machine.sizes import WARP
from analysis_core.races.pairs import Index
from analysis_core.races.runs import ROUNDS, RUNS, STATEMENTS, argument
from analysis_core.races.verdicts import Thread, Witness
from analysis_core.simulate.arguments import Alias, ArrayArgument, LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.machine import Meeting, Spent, Stopped, Touched
from analysis_core.simulate.representation import Ints
from analysis_core.simulate.run import simulate
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """Thread `threads[0]` is to make access `one` and `threads[1]` access `other`, under these values, each in its block of `blocks`, or
    both in the one that the values name. `same`: pointers that the launch passes into one array."""

    one: Access
    other: Access
    threads: tuple[int, int]
    blocks: tuple[Index, Index] | None
    values: Mapping[str, int]
    same: Sequence[tuple[str, str, int | None]] = ()


class _Met(Exception):
    """The threads have met."""

    def __init__(self, byte: int) -> None:
        super().__init__()
        self.byte = byte


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one of the threads did to a byte: `left` there by a store; `own`: what a reader had left there before; `time`: how often both threads had
    arrived at objects before."""

    left: int | None
    own: int | None
    time: int


_Who = tuple[int, int]
"""The number of a thread's block, and its own in the block."""


class _Watch:
    """Looks at all accesses of a run, until the threads meet: not where both leave the same, nor where a reader finds what it has left itself."""

    def __init__(self, candidate: Candidate, threads: tuple[_Who, _Who]) -> None:
        self._accesses = candidate.one.id, candidate.other.id
        self._threads = threads
        self._seen: dict[tuple[int, int], list[_Seen | None]] = defaultdict(lambda: [None, None])
        self._left: dict[tuple[int, int, _Who], int] = {}
        self._time, self._arrived = 0, dict[int, int]()
        self._stages: dict[int, int] = {}
        self._arrivals: dict[tuple[int, str], list[int]] = defaultdict(list)

    def barred(self, scope: BarrierScope, blocks: Ints, threads: Ints, meeting: Meeting | None) -> None:
        """What lies before a barrier at which both wait is over; before the arrival, where they arrive first."""
        one, other = self._threads
        if scope is not BarrierScope.GRID and one[0] != other[0]:
            return
        if scope is BarrierScope.WARP and one[1] // WARP != other[1] // WARP:
            return
        came = [np.flatnonzero((blocks == block) & (threads == thread)) for block, thread in self._threads]
        if not all(map(len, came)):
            return
        if meeting is not None and meeting.step != "sync":
            if meeting.step == "stages":
                self._stages[int(meeting.places[came[0][0]])] = int(meeting.tokens[came[0][0]])
            self._step(meeting, *(int(meeting.places[n[0]]) for n in came))
            return
        self._seen.clear()
        self._left.clear()

    def _step(self, meeting: Meeting, place: int, other: int) -> None:
        if meeting.step == "arrive" and place == other:
            self._time += 1
            self._arrived[place] = self._time
        elif meeting.step == "wait" and place == other in self._arrived:
            self._awaited(self._arrived[place])
        elif place == other in self._stages:
            self._at_pipeline(meeting.step, place)

    def _at_pipeline(self, step: str, place: int) -> None:
        commits, releases = self._arrivals[place, "commit"], self._arrivals[place, "release"]
        if step in ("commit", "release"):
            self._time += 1
            self._arrivals[place, step].append(self._time)
        elif step == "consume" and len(releases) < len(commits):
            self._awaited(commits[len(releases)])
        elif step == "acquire" and 0 <= (oldest := len(commits) - self._stages[place]) < len(releases):
            self._awaited(releases[oldest])

    def _awaited(self, arrival: int) -> None:
        for sides in self._seen.values():
            sides[:] = [side if side is None or side.time >= arrival else None for side in sides]

    def see(self, touched: Touched) -> None:
        """Holds an access against those seen."""
        if touched.access not in self._accesses:
            return
        for who in dict.fromkeys(self._threads):
            for n in np.flatnonzero((touched.blocks == who[0]) & (touched.threads == who[1])):
                self._look(touched, who, int(n))

    def _look(self, touched: Touched, who: _Who, n: int) -> None:
        region, start = int(touched.regions[n]), int(touched.offsets[n])
        left = _bytes_left(touched, n)
        for k in range(touched.bytes):
            place = region, start + k
            value = left.get(k)
            own = self._left.get((*place, who))
            if value is not None:
                self._left[(*place, who)] = value
            for side in (0, 1):
                if self._accesses[side] == touched.access and self._threads[side] == who:
                    sides = self._seen[place]
                    sides[side] = _Seen(value, own, self._time)
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
            shown = _run(kernel, _request(kernel, block, candidate, size, filled), candidate)
        except Spent as why:
            return f"it cannot be replayed: {why.reason}"
        except Stopped as why:
            reason = f"it cannot be replayed: {why.reason}"
            continue
        except BadArguments as why:
            return f"it cannot be replayed: {why}"
        if shown is not None:
            return shown
    return reason


def _run(kernel: Kernel, request: LaunchRequest, candidate: Candidate) -> Witness | None:
    assert request.blocks is not None
    numbers = request.blocks[0], request.blocks[-1]
    watch = _Watch(candidate, ((numbers[0], candidate.threads[0]), (numbers[1], candidate.threads[1])))
    try:
        simulate(kernel, request, None, watch.see, watch.barred)
    except _Met as met:
        one, other = (
            Thread(place_of(block, request.grid), place_of(thread, request.block))
            for block, thread in zip(numbers, candidate.threads, strict=True)
        )
        values = {name: value for name, value in request.arguments.items() if isinstance(value, int)}
        values |= {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid, strict=True)}
        shown = {name: value for name, value in values.items() if name in candidate.values}
        return Witness((one, other), candidate.one.text, met.byte, shown)
    return None


def _request(kernel: Kernel, block: Shape, candidate: Candidate, size: int, filled: bool) -> LaunchRequest:
    """The launch of the block, or of the two."""
    values = candidate.values
    own = tuple(values.get(f"blockIdx.{axis}", 0) for axis in "xyz")
    places = candidate.blocks or ((own[0], own[1], own[2]),)
    x, y, z = (
        max(values.get(f"gridDim.{axis}", 1), *[place[n] + 1 for place in places]) for n, axis in enumerate("xyz")
    )
    arguments = {v.name: argument(v.type, values.get(v.name), size, filled) for v in kernel.variables if v.parameter}
    for name, other, by in candidate.same:
        if by is not None and isinstance(arguments.get(name), ArrayArgument) and other in arguments:
            first, second = (name, other) if by >= 0 else (other, name)
            arguments[second] = Alias(first, abs(by))
    numbers = tuple(place[0] + x * (place[1] + y * place[2]) for place in places)
    return LaunchRequest(block, (x, y, z), arguments, rounds=ROUNDS, statements=STATEMENTS, blocks=numbers)
