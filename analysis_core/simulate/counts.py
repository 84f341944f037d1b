"""What a run counts, and the results that it hands out.

While a chunk of blocks runs, every access and branch has a `Meter` with one entry per warp; at the chunk's end meters
are folded into totals, so that memory does not grow with the grid but for one row of metrics per warp.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field

import numpy as np

from analysis_core.ir.nodes import AccessId
from analysis_core.ir.types import Space
from analysis_core.simulate.representation import Ints
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class PerWarp:
    """A count over the warps of the launch: its sum, and the least and greatest of a single warp."""

    total: int
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Request:
    """A kind of request that occurred: `active` lanes, its `cost` and `ideal` in sectors or wavefronts."""

    active: int
    cost: int
    ideal: int


@dataclass(frozen=True, slots=True)
class AccessCount:
    """One access of the kernel, as often as it was executed.  `space` is where its addresses led to (of several, the
    first); costs are sectors in global, wavefronts in shared memory, 0 elsewhere.

    `histogram`: how many requests of each kind; `contention`: of an atomic, the most lanes on one address."""

    id: AccessId
    span: Span
    text: str
    via: tuple[Span, ...]
    rw: str  # R, W, A
    space: Space
    bytes: int
    requests: PerWarp
    cost: PerWarp
    excess: PerWarp  # sectors or wavefronts beyond the ideal
    histogram: Mapping[Request, int]
    contention: int | None

    @property
    def mean(self) -> float:
        """The mean cost of a request."""
        return self.cost.total / self.requests.total if self.requests.total else 0.0


@dataclass(frozen=True, slots=True)
class BranchCount:
    """One branch or loop test.  `executions` by warps; `divergences`: those at which a warp split; `active`: how many
    executions had how many active lanes."""

    span: Span
    kind: str  # if, loop, switch, and, or, select
    executions: PerWarp
    divergences: PerWarp
    active: Mapping[int, int]


@dataclass
class Meter:
    """Counts of one access or branch while a chunk runs; one entry per warp of the chunk."""

    times: Ints
    cost: Ints
    excess: Ints
    kinds: Counter[tuple[int, int, int]] = field(default_factory=Counter)
    space: Space | None = None
    contention: int | None = None
    folded_times: PerWarp | None = None
    folded_cost: PerWarp | None = None
    folded_excess: PerWarp | None = None

    @staticmethod
    def of(rows: int) -> Meter:
        """An empty meter for `rows` warps."""
        times, cost, excess = np.zeros((3, rows), dtype=np.int64)
        return Meter(times, cost, excess)

    def note(self, rows: Ints, active: Ints, cost: Ints, ideal: Ints) -> None:
        """One execution by each of `rows`: lanes, cost and ideal of each."""
        self.times[rows] += 1
        self.cost[rows] += cost
        self.excess[rows] += np.maximum(cost - ideal, 0)
        codes, counts = np.unique((active * 4096 + cost) * 4096 + ideal, return_counts=True)
        for code, count in zip(codes.tolist(), counts.tolist()):
            self.kinds[code >> 24, code >> 12 & 4095, code & 4095] += count

    def fold(self, rows: int) -> None:
        """Ends a chunk of `rows` warps: adds it to the totals and starts anew."""
        self.folded_times = _folded(self.folded_times, self.times[:rows])
        self.folded_cost = _folded(self.folded_cost, self.cost[:rows])
        self.folded_excess = _folded(self.folded_excess, self.excess[:rows])
        for counts in (self.times, self.cost, self.excess):
            counts[:] = 0


def _folded(known: PerWarp | None, counts: Ints) -> PerWarp:
    total, least, most = int(counts.sum()), int(counts.min()), int(counts.max())
    if known is None:
        return PerWarp(total, least, most)
    return PerWarp(known.total + total, min(known.least, least), max(known.most, most))


@dataclass(frozen=True, slots=True)
class WarpCounts:
    """Metrics of every warp of the launch, in order of blocks (x fastest) and of warps within a block.  `latency`:
    cycles along the warp's execution, as machine/latencies.py weighs its steps and requests. `operations`: those that the launch asks for."""

    sectors: Ints
    excessive_sectors: Ints
    wavefronts: Ints
    conflicts: Ints
    divergences: Ints
    steps: Ints
    latency: Ints
    operations: Mapping[str, Ints] = field(default_factory=dict)

    def by_name(self) -> Mapping[str, Ints]:
        """The metrics by name, in a fixed order."""
        return {
            "sectors": self.sectors,
            "excessive_sectors": self.excessive_sectors,
            "wavefronts": self.wavefronts,
            "conflicts": self.conflicts,
            "divergences": self.divergences,
            "steps": self.steps,
            **self.operations,
        }
