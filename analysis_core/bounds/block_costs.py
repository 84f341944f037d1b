"""What the warps of a block pay, statement by statement, one column per warp: the form between a trace and cost programs.

Ticks are of a metric or of an operation (ir/operations.py), and added up over straight-line code.  Latencies are added up in order, and `cuts` remember where the threads of the block wait for
each other; so does a cut before and behind whatever holds such a barrier.
"""

from __future__ import annotations

from dataclasses import field

from analysis_core.bounds.slices import Decided
from analysis_core.bounds.trip_parameters import Guard
from analysis_core.domains.shape import BoolVector, IntVector, some_nonzero
from analysis_core.interp.core.trace import Looped
from analysis_core.requests.event_costs import Costs
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Place = tuple[Span | None, str]
"""Where something costs, and its text."""


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A barrier: what each warp has waited before it, and how many parts come before."""

    waited: IntVector | None
    parts: int


@dataclass(slots=True, eq=False)
class Block:
    """Straight-line code: ticks per place and metric, and what is not straight.  `waited`: upper latencies, in cycles (None: nothing
    yet).  `barred`: whether there is a barrier of the block, at any depth."""

    ticks: dict[tuple[Place, str], Costs] = field(default_factory=dict)
    parts: list[Arms | Rounds] = field(default_factory=list)
    waited: IntVector | None = None
    cuts: list[Cut] = field(default_factory=list)
    barred: bool = False

    def pay(self, place: Place, metric: str, lower: IntVector, upper: IntVector) -> None:
        if not some_nonzero(upper):
            return
        known = self.ticks.get((place, metric))
        if known is not None:
            lower, upper = known.lower + lower, known.upper + upper
        self.ticks[place, metric] = Costs(lower, upper)

    def wait(self, cycles: IntVector) -> None:
        """Adds to the latency of each warp."""
        self.waited = cycles if self.waited is None else self.waited + cycles

    def cut(self) -> None:
        """Ends a part of the code at a barrier of the block."""
        self.cuts.append(Cut(self.waited, len(self.parts)))
        self.barred = True

    def add_part(self, part: Arms | Rounds, barred: bool) -> None:
        """Adds what is not straight-line code; `barred`: a barrier is in it."""
        if barred:
            self.cut()
        self.parts.append(part)
        if barred:
            self.cut()

    def add(self, inner: Block, where: BoolVector) -> None:
        """The inner block's costs, for the warps of `where`."""
        for (place, metric), costs in inner.ticks.items():
            self.pay(place, metric, costs.lower * where, costs.upper * where)
        before, first = self.waited, len(self.parts)
        for cut in inner.cuts:
            self.cuts.append(Cut(_sum(before, cut.waited, where), first + cut.parts))
            self.barred = True
        self.waited = _sum(before, inner.waited, where)
        for part in inner.parts:
            match part:
                case Arms(rows, possible, arms, span, decided):
                    self.parts.append(Arms(rows & where, possible, arms, span, decided))
                case Rounds(counter, guards, body, node, sure):
                    kept = tuple(g if w else None for g, w in zip(guards, where.tolist(), strict=True))
                    self.parts.append(Rounds(counter, kept, body, node, sure))


@dataclass(frozen=True, slots=True, eq=False)
class Arms:
    """The arms of a branch: each warp of `where` runs one of those that `possible[i]` allows it. `decided`: if the
    counter of a loop decides, the rounds in which the first arm is run, and those in which the second is."""

    where: BoolVector
    possible: tuple[BoolVector, ...]
    arms: tuple[Block, ...]
    span: Span | None
    decided: Decided | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Rounds:
    """The rounds of a loop. `counter`: the name of k. `guards`: per warp, the condition for round k (None: the warp
    never enters). `sure`: warps that surely enter whole."""

    counter: str
    guards: tuple[Guard | None, ...]
    body: Block
    node: Looped
    sure: BoolVector


def _sum(before: IntVector | None, further: IntVector | None, where: BoolVector) -> IntVector | None:
    if further is None:
        return before
    return further * where if before is None else before + further * where
