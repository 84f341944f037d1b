"""Pipelines that all threads of a block fill and empty together: what do they order?

A stage is committed by all threads, waited for (`consume`), released by all, and acquired anew, in turn: the wait in front of the j-th release waits until
all threads have made the j-th commit, the acquisition in front of the i-th commit until all have made the (i - S)-th release, with S stages.  A
wait therefore ends what lies before all commits, or releases, but the last few (libcu++, cuda/pipeline: two barriers a stage, waited for by parity).

That is believed where each thread surely makes the same steps: none in a branch, loops that all leave alike and that leave as many stages ahead as
they find; and where no thread comes to a stage's barrier a second time before the others have come: at most S stages are ahead, and each is waited
for before it is released.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains.shape import BoolVector, every
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.trace import Barred, Chosen, Looped, Node, walk
from analysis_core.races.occurrences import Occurrence
from analysis_core.text.records import dataclass

_COMMITS, _RELEASES = 0, 1
_KINDS = {"commit": _COMMITS, "consume": _COMMITS, "release": _RELEASES, "acquire": _RELEASES}
_STEPS = frozenset({"stages", "quit", *_KINDS})


@dataclass(frozen=True, slots=True)
class Step:
    """An arrival of this `kind` (0: a commit, 1: a release) at the pipeline `object`, or, if `left` is given, a wait for all of them but so many."""

    kind: int
    object: Hashable
    left: int | None = None

    def behind(self, occurrence: Occurrence) -> Occurrence | None:
        """The access behind the step; None if the step orders it before all that follows.  A copy that is under way is committed, if it is bound to the
        pipeline, and never released."""
        if self.left is not None:
            return None if occurrence.steps[self.kind] > self.left else occurrence
        if occurrence.pending is not None and (self.kind == _RELEASES or occurrence.bound != self.object):
            return occurrence
        commits, releases = occurrence.steps
        return replace(occurrence, steps=(commits + (self.kind == _COMMITS), releases + (self.kind == _RELEASES)))


class _Unclear(Exception):
    """Why the steps are not believed."""


def is_step(node: Node) -> bool:
    """Whether it is a step of a pipeline."""
    return isinstance(node, Barred) and node.part is not None and node.part.step in _STEPS


def steps_of(nodes: Sequence[Node], real: BoolVector) -> tuple[dict[Barred, Step], tuple[tuple[Barred, str], ...]]:
    """What the steps of a kernel's pipeline order; or those that order something unknown, and why. `real`: the threads of the block."""
    found = list(_steps(nodes))
    if not found:
        return {}, ()
    try:
        return _Reader(found, real).read(nodes), ()
    except _Unclear as why:
        return {}, tuple((node, str(why)) for node in found)


def _steps(nodes: Sequence[Node]) -> Iterator[Barred]:
    return (node for node in walk(nodes) if isinstance(node, Barred) and is_step(node))


class _Reader:
    """Goes through the steps as each thread makes them. `ahead`: how many stages are committed and not released."""

    def __init__(self, found: Sequence[Barred], real: BoolVector) -> None:
        made = [node for node in found if node.part is not None and node.part.step == "stages"]
        if len(made) != 1 or len({node.part.object for node in found if node.part is not None}) != 1:
            raise _Unclear("not all of it is done at one pipeline, which is made once")
        self._made, self._real, self._ahead, self._is_made = made[0], real, 0, False
        part = made[0].part
        assert part is not None
        count, stages = part.count, part.token
        if count is None or not np.all(count[real] == np.count_nonzero(real)):
            raise _Unclear("it is not made for all threads of the block")
        if not isinstance(stages, int) or stages < 1:
            raise _Unclear("some threads may only produce, or only consume")
        self._stages, self._steps = stages, dict[Barred, Step]()

    def read(self, nodes: Sequence[Node]) -> dict[Barred, Step]:
        if self._made not in nodes:
            raise _Unclear("it may be made several times, or not at all")
        self._list(nodes, {entry.content for entry in self._made.mask.literals})
        return self._steps

    def _list(self, nodes: Sequence[Node], known: Collection[Hashable]) -> None:
        """`known`: conditions under which threads come to these nodes."""
        waited = False
        for node in nodes:
            match node:
                case Barred() if is_step(node):
                    waited = self._step(node, known, waited)
                case Chosen() if any(_steps((node,))):
                    raise _Unclear("some of it is done in a branch")
                case Looped() if any(_steps((node,))):
                    waited = False
                    self._loop(node, known)
                case _:
                    pass

    def _loop(self, node: Looped, known: Collection[Hashable]) -> None:
        before = self._ahead
        if node.leaving is not Level.BLOCK or node.leaves or node.lead or any(_steps(node.test)):
            raise _Unclear("it is used in a loop that threads may leave in the middle")
        self._list(node.body, {*known, *(entry.content for entry in node.staying.literals)})
        if self._ahead != before:
            raise _Unclear("a loop leaves more stages ahead, or fewer, than it finds")

    def _step(self, node: Barred, known: Collection[Hashable], waited: bool) -> bool:
        """Whether the oldest stage is waited for behind the step."""
        part, mask = node.part, node.mask
        assert part is not None
        if not every(mask.may == self._real) or not all(
            entry.content in known and cond.open_level(entry.formula) is Level.BLOCK and every(entry.scope == mask.may)
            for entry in mask.literals
        ):
            raise _Unclear("not all threads of the block surely come there")
        if part.step == "stages":
            self._is_made = True
            return False
        if not self._is_made or part.step == "quit":
            raise _Unclear("it is used before it is made, or threads leave it")
        kind, ahead = _KINDS[part.step], self._ahead
        needs_room = part.step in ("commit", "acquire")
        if not (0 <= ahead < self._stages if needs_room else 1 <= ahead <= self._stages):
            raise _Unclear("more stages are committed than it has, or fewer than are waited for")
        left = {"consume": ahead - 1, "acquire": self._stages - 1 - ahead}.get(part.step)
        if part.step == "release" and not waited:
            raise _Unclear("a stage is released that was not waited for")
        self._ahead += {"commit": 1, "release": -1}.get(part.step, 0)
        step = Step(kind, part.object, left)
        if self._steps.setdefault(node, step) != step:
            raise _Unclear("it is not known how many stages are ahead")
        return part.step == "consume" or (waited and part.step != "release")
