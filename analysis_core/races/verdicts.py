"""What is said of two accesses that may meet in a cell: verdicts, and the two threads that show it.

CERTAIN    two threads meet there, whatever memory holds; a run of the simulator has shown it
CONDITIONAL  parameters decide where the accesses lie, and under some values two threads meet
DATA       contents of memory decide
BENIGN     they meet, and all of them store the same value
LOCK_STEP  only lanes of one warp meet, in different statements with no barrier of the warp between
UNDECIDED  not decided, with the cause
ABSENT     they never meet
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


class Verdict(Enum):
    """From the loudest to the quietest."""

    CERTAIN = "certain"
    CONDITIONAL = "conditional"
    DATA = "data"
    BENIGN = "benign"
    LOCK_STEP = "lock step"
    UNDECIDED = "undecided"
    ABSENT = "absent"

    @property
    def rank(self) -> int:
        """0 for the loudest."""
        return list(Verdict).index(self)


@dataclass(frozen=True, slots=True)
class Place:
    """An access in the text: `text` as written, `does` "reads", "writes" or "updates atomically"."""

    span: Span
    text: str
    does: str


@dataclass(frozen=True, slots=True)
class Witness:
    """Two threads of one block that meet: the first makes the first access. `byte`: where in the array; `values`: of
    parameters and of the grid under which they do."""

    block: tuple[int, int, int]
    threads: tuple[tuple[int, int, int], tuple[int, int, int]]
    array: str
    byte: int
    values: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Race:
    """The verdict on two accesses of one text each; `cause`: why it is undecided, or what decides it."""

    verdict: Verdict
    first: Place
    second: Place
    witness: Witness | None = None
    cause: str = ""


@dataclass(frozen=True, slots=True)
class RaceReport:
    """What is known of one kernel under one launch. `races`: pairs of texts that are not proved apart, the loudest
    first; `proved`: pairs of texts that are; `cause`: why nothing was looked at."""

    races: tuple[Race, ...] = ()
    proved: int = 0
    cause: str = ""

    @property
    def verdict(self) -> Verdict:
        """The loudest verdict."""
        if self.cause:
            return Verdict.UNDECIDED
        return min((race.verdict for race in self.races), key=lambda v: v.rank, default=Verdict.ABSENT)
