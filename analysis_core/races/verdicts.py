"""What is said of two accesses that may meet in a cell: verdicts, and the two threads that show it.

CERTAIN    two threads meet there, whatever memory holds; a run of the simulator has shown it
CONDITIONAL  parameters decide where the accesses lie, and under some values two threads meet
DATA       contents of memory decide
LOCK_STEP  only lanes of one warp meet, in different statements with no barrier of the warp between
UNDECIDED  not decided, with the cause
BENIGN     they meet, and all of them store the same value
ABSENT     they never meet
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from analysis_core.ir.types import Space
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


class Verdict(Enum):
    """From the loudest to the quietest."""

    CERTAIN = "certain"
    CONDITIONAL = "conditional"
    DATA = "data"
    LOCK_STEP = "lock step"
    UNDECIDED = "undecided"
    BENIGN = "benign"
    ABSENT = "absent"

    @property
    def rank(self) -> int:
        """0 for the loudest."""
        return list(Verdict).index(self)


@dataclass(frozen=True, slots=True)
class Place:
    """An access in the text: `text` as written, `does` "reads", "writes" or "atomically updates"."""

    span: Span
    text: str
    does: str

    @property
    def done(self) -> str:
        """What is done to it: "read", "written", "updated atomically"."""
        return {"reads": "read", "writes": "written"}.get(self.does, "updated atomically")


@dataclass(frozen=True, slots=True)
class Thread:
    """blockIdx and threadIdx."""

    block: tuple[int, int, int]
    thread: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Witness:
    """Two threads that meet: the first makes the first access. `byte`: where in the array; `values`: of
    parameters and of the grid under which they do."""

    threads: tuple[Thread, Thread]
    array: str
    byte: int
    values: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Required:
    """A comparison of sizes under which two threads never meet: `text` is spelled as `//@ assume` takes it (`n <= 1024`).
    `holds`: whether it holds for the launch in view, None if that is not known."""

    text: str
    holds: bool | None = None


class Scope(Enum):
    """Which two threads meet, the nearest that do."""

    WARP = "warp"
    BLOCK = "block"
    GRID = "grid"


@dataclass(frozen=True, slots=True)
class Race:
    """The verdict on two accesses of one text each; `cause`: why it is undecided, or what decides it; `because`: the barrier or the loop that it is about.

    `space`: of the memory; `scope`: of the threads that meet; `required`: of a CONDITIONAL one what keeps them apart, if
    that is known."""

    verdict: Verdict
    first: Place
    second: Place
    witness: Witness | None = None
    cause: str = ""
    space: Space = Space.SHARED
    scope: Scope = Scope.BLOCK
    required: Required | None = None
    because: Span | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """A barrier that not all threads of its scope reach together. CERTAIN: some reach it while others wait elsewhere or go on;
    CONDITIONAL: parameters decide; DATA, UNDECIDED as for races. `left`: those that do not reach it have left the kernel,
    which devices allow since compute capability 7.0. `thread`: one that reaches it, `absent`: one that does not."""

    verdict: Verdict
    barrier: Span
    text: str
    scope: Scope
    left: bool = False
    thread: Thread | None = None
    absent: Thread | None = None
    values: Mapping[str, int] = field(default_factory=dict)
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Ordering:
    """A barrier of the block, as spelled. `pairs`: accesses that no other barrier keeps apart, those aside that are idle; `cause`: why it is
    not known whether there are any."""

    barrier: Span
    text: str
    pairs: tuple[tuple[Place, Place], ...] = ()
    cause: str = ""

    @property
    def is_idle(self) -> bool:
        """Whether it is proved to order nothing."""
        return not self.pairs and not self.cause


@dataclass(frozen=True, slots=True)
class Outside:
    """An access that leaves its array of `size` bytes, as a simulated run has shown: `thread` begins at byte `byte`."""

    place: Place
    array: str
    size: int
    byte: int
    thread: Thread


@dataclass(frozen=True, slots=True)
class AbsentLanes:
    """A primitive that names all lanes of a warp, though `lanes` do not come to it, as a simulated run has shown. `what`: "shuffle" or "vote";
    `thread`: one that comes."""

    span: Span
    what: str
    lanes: tuple[int, ...]
    thread: Thread


@dataclass(frozen=True, slots=True)
class RaceReport:
    """What is known of one kernel under one launch. `races`: pairs of texts that are not proved apart, the loudest
    first; `proved`: pairs of texts that are; `divergences`: barriers that are not proved to be reached by all; `cause`: why
    nothing was looked at, `because`: where that stands; `barriers`: what each orders; `outside`: accesses that surely leave their arrays; `absent`: lanes that are
    named and surely do not come."""

    races: tuple[Race, ...] = ()
    proved: int = 0
    cause: str = ""
    divergences: tuple[Divergence, ...] = ()
    barriers: tuple[Ordering, ...] = ()
    outside: tuple[Outside, ...] = ()
    absent: tuple[AbsentLanes, ...] = ()
    because: Span | None = None

    @property
    def verdict(self) -> Verdict:
        """The loudest verdict on races."""
        if self.cause:
            return Verdict.UNDECIDED
        return min((race.verdict for race in self.races), key=lambda v: v.rank, default=Verdict.ABSENT)
