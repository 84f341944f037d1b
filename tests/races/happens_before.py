"""What threads of a block do before each other in a run, whichever way they are scheduled: clocks of all threads, from what each does at barriers.

Barriers at which threads meet join the clocks of those that come.  An object is arrived at in phases: a thread that waits knows what all
did before they arrived in the phase of its own arrival.  That is believed where as many threads arrive as the object is made for, each by one, and each
knows of all arrivals of a phase before it arrives in the next, and of where the object is made; at other objects nobody waits for anybody.

A pipeline is as many pairs of such objects as it has stages: of the one a commit is an arrival and a consumption a wait, of the other one a release and,
one turn later, an acquisition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis_core.simulate.machine import Meeting
from analysis_core.simulate.representation import Ints


@dataclass(frozen=True)
class _Step:
    """`key`: of the meeting, or of the object; `token` of an arrival, or of the one that is waited for."""

    kind: str
    key: int
    token: int = 0


def _stage(place: int, number: int, released: bool | int) -> int:
    """The key of the object at which a stage is committed, or released."""
    return -1 - (place * 64 + number * 2 + released)


@dataclass
class Block:
    """The steps of the threads of one block, in order."""

    threads: int
    steps: dict[int, list[_Step]] = field(default_factory=lambda: defaultdict(list))
    meetings: list[Collection[int]] = field(default_factory=list)
    made: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    makers: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    stages: dict[int, int] = field(default_factory=dict)
    moved: dict[tuple[int, int], dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))

    def meet(self, came: Ints) -> None:
        """These threads wait for each other."""
        for thread in came.tolist():
            self.steps[thread].append(_Step("meet", len(self.meetings)))
        self.meetings.append(frozenset(came.tolist()))

    def step(self, meeting: Meeting, chosen: Sequence[int], threads: Sequence[int]) -> None:
        """These threads do something at objects."""
        for n, thread in zip(chosen, threads, strict=True):
            place, count, token = (int(of[n]) for of in (meeting.places, meeting.counts, meeting.tokens))
            if meeting.step in ("stages", "commit", "consume", "release", "acquire", "quit"):
                self._at_pipeline(meeting.step, thread, place, count, token)
            elif meeting.step == "made":
                self.made[place].add(count)
                self.makers[place][thread] = len(self.steps[thread])
                self.steps[thread].append(_Step("made", place))
            elif meeting.step == "sync":
                token = -1 - len(self.steps[thread])
                self.steps[thread] += [_Step("arrive", place, token), _Step("wait", place, token)]
            else:
                self.steps[thread].append(_Step(meeting.step, place, token))
                if meeting.step == "arrive" and place and count != 1:
                    self.made[place].add(-1)

    def _at_pipeline(self, step: str, thread: int, place: int, count: int, stages: int) -> None:
        moved = self.moved[place, thread]
        if step == "stages":
            again = self.stages.setdefault(place, stages) != stages or moved["stages"]
            moved["stages"] = 1
            for key in (_stage(place, n, kind) for n in range(stages) for kind in (0, 1)):
                self.made[key].add(-1 if again else count)
                self.makers[key][thread] = len(self.steps[thread])
                self.steps[thread].append(_Step("made", key))
            return
        of = self.stages.get(place, 0)
        if of == 0 or step == "quit":
            for n in range(of):
                self.made[_stage(place, n, 0)].add(-1)
                self.made[_stage(place, n, 1)].add(-1)
            return
        number = moved["release" if step in ("release", "consume") else "commit"]
        key = _stage(place, number % of, step in ("release", "acquire"))
        if step in ("commit", "release"):
            moved[step] += 1
            self.steps[thread].append(_Step("arrive", key, number))
        elif step == "consume" or number >= of:
            self.steps[thread].append(_Step("wait", key, number if step == "consume" else number - of))

    def clocks(self) -> dict[int, list[Ints]]:
        """For each thread what it knows of all behind each of its steps: how many steps of each of them lie before."""
        arrivals: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for thread, steps in self.steps.items():
            for step in steps:
                if step.kind == "arrive":
                    arrivals[step.key][thread] += 1
        broken = {
            place
            for place, of in arrivals.items()
            if len(set(of.values())) > 1 or ({self.threads} if place == 0 else self.made[place]) != {len(of)}
        }
        while True:
            run = _Run(self, arrivals, broken)
            if not run.broken:
                return run.known
            broken |= run.broken


class _Run:
    def __init__(self, block: Block, arrivals: dict[int, dict[int, int]], broken: Collection[int]) -> None:
        self.broken = set[int]()
        self.known = {t: [np.zeros(block.threads, dtype=np.int64)] for t in range(block.threads)}
        self._block, self._arrivals, self._believed = block, arrivals, arrivals.keys() - broken
        self._phases: dict[tuple[int, int], list[Ints]] = defaultdict(list)
        self._mine: dict[tuple[int, int], list[int]] = defaultdict(list)
        at, moved = dict.fromkeys(range(block.threads), 0), True
        waiting = dict[int, set[int]]()
        while moved:
            moved = False
            for thread in range(block.threads):
                while at[thread] < len(block.steps[thread]):
                    step = block.steps[thread][at[thread]]
                    if step.kind == "meet":
                        come = waiting.setdefault(step.key, set())
                        come.add(thread)
                        if come != set(block.meetings[step.key]):
                            break
                        joined = np.maximum.reduce([self._ticked(t) for t in come])
                        for other in come:
                            self.known[other].append(joined)
                            at[other] += 1
                    elif not self._at_object(thread, step):
                        break
                    else:
                        at[thread] += 1
                    moved = True
        for thread in range(block.threads):  # who waits in vain is taken to go on
            for _ in block.steps[thread][at[thread] :]:
                self.known[thread].append(self._ticked(thread))

    def _ticked(self, thread: int) -> Ints:
        clock = self.known[thread][-1].copy()
        clock[thread] += 1
        return clock

    def _at_object(self, thread: int, step: _Step) -> bool:
        """Whether the thread gets beyond it."""
        clock = self._ticked(thread)
        if step.key in self._believed and step.kind != "made":
            if any(clock[maker] <= when for maker, when in self._block.makers[step.key].items()):
                self.broken.add(step.key)
            mine = self._mine[step.key, thread]
            if step.kind == "arrive":
                before = self._phases[step.key, len(mine) - 1] if mine else []
                if mine and (len(before) < len(self._arrivals[step.key]) or np.any(np.maximum.reduce(before) > clock)):
                    self.broken.add(step.key)
                self._phases[step.key, len(mine)].append(clock)
                mine.append(step.token)
            else:
                phase = mine.index(step.token) if step.token in mine else len(mine) - 1 if step.key >= 0 else -1
                if phase < 0:
                    self.broken.add(step.key)
                elif not self._is_full(step.key, phase):
                    return False
                else:
                    clock = np.maximum.reduce([clock, *self._phases[step.key, phase]])
        self.known[thread].append(clock)
        return True

    def _is_full(self, place: int, phase: int) -> bool:
        return len(self._phases[place, phase]) == len(self._arrivals[place])
