"""What is known about one kernel under one launch configuration: the facts that reports are made from.

Costs are per request: sectors (32 bytes) for global memory, wavefronts for shared memory.  `worst` is a sound upper
figure for every request that can be executed; `best` is a lower figure over the largest active sets that are executed, none of which lies in another;
`ideal` is what the same lanes would pay for the best pattern (docs/hardware.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from analysis_core.expressions.bounds import KernelBounds
from analysis_core.expressions.expression import ZERO, Expression, constant
from analysis_core.ir.nodes import AccessId, IfKind, LoopKind
from analysis_core.ir.types import Space
from analysis_core.support.facts import Assumption, Cause
from analysis_core.syntax.read.annotation_tree import Misstatement
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.domains.symbol import Symbol

T = TypeVar("T")


class ReadWrite(Enum):
    READ = "R"
    WRITE = "W"
    BOTH = "RW"
    ATOMIC = "A"


class Pattern(Enum):
    """How the lanes of an access lie to each other: the least regular of the shapes that its requests take."""

    UNIFORM = "uniform"
    COALESCED = "coalesced"
    MISALIGNED = "misaligned"
    STRIDED = "strided"
    SCATTERED = "scattered"
    UNKNOWN = "unknown"


class Certainty(Enum):
    """How far apart `worst` and `best` of an access are, and why.

    EXACT: they are one number.  EXECUTIONS: every request costs one number, but executions or warps differ (a tree
    reduction).  RESIDUE: residues of symbols decide the cost of every request, and all of them were gone through.
    RANGED: neither; `AccessFact.because` says why.  UNCOUNTED: memory whose cost is not counted."""

    EXACT = "exact"
    EXECUTIONS = "executions"
    RESIDUE = "residue"
    RANGED = "ranged"
    UNCOUNTED = "uncounted"


@dataclass(frozen=True, slots=True)
class CostCase:
    """`cost` per request where `when` holds, e.g. ("width % 8 == 0", 4)."""

    when: str
    cost: int


@dataclass(frozen=True, slots=True)
class LanePicture:
    """The worst request, lane by lane.  `unit` is "sector", "bank" or "address" (constant memory); `group[i]` numbers the one that lane
    i touches, from 0 in order of appearance, or is None for an inactive lane; a second sector of a wide lane is not
    drawn.  `stride` is the distance in bytes between neighbouring lanes as text, if they have one ("4*h")."""

    unit: str
    group: tuple[int | None, ...]
    stride: str | None


@dataclass(frozen=True, slots=True)
class OpenLanes:
    """The worst request where nobody can say which sectors (banks) its lanes touch.  `active`: its lanes; `worst` and `best`:
    its cost with all of them (sectors, wavefronts; constant memory: addresses); `reach`: bytes from the least to the
    greatest address, None if they may be anywhere."""

    active: tuple[bool, ...]
    worst: int
    best: int
    reach: int | None


@dataclass(frozen=True, slots=True)
class SizeCases:
    """How the cost of an access grows with one size: `worst` from `symbol` = `threshold` on, less below, and `least`
    where `symbol` is `value`."""

    symbol: str
    worst: int
    threshold: int
    least: int
    value: int


@dataclass(frozen=True, slots=True)
class SizeMean:
    """What a request costs on average over the values of the one parameter `symbol` that decides it."""

    symbol: str
    cost: float


@dataclass(frozen=True, slots=True)
class OwnMean:
    """The mean cost of all requests of a block's warps, over all blocks, and what the mean would be at the ideal
    (own_mean.py)."""

    requests: int
    paid: float
    ideal: int


@dataclass(frozen=True, slots=True)
class SizedCost:
    """What a request costs where types that are not declared have so many `bytes`: as in `AccessFact`."""

    bytes: int
    worst: int
    best: int
    ideal: int


@dataclass(frozen=True, slots=True)
class OpenSize:
    """What a request costs at each size that is tried of the `types` that are not declared; the first is the one that all other figures assume."""

    types: tuple[str, ...]
    costs: tuple[SizedCost, ...]


@dataclass(frozen=True, slots=True)
class Hop:
    """One step on the way from an index back to threadIdx: `name` is computed from `follows` by the statement at
    `span`. A component of threadIdx follows nothing."""

    name: str
    follows: str | None
    span: Span | None


@dataclass(frozen=True, slots=True)
class Factor:
    """What is done to a value on its way into the index ("is multiplied by `h`"); `span` None: in the access itself."""

    text: str
    span: Span | None


Source = tuple[tuple[Hop, ...], tuple[Factor, ...]]


@dataclass(frozen=True, slots=True)
class IndexStory:
    """Why the lanes of a warp differ at an access or a branch: for each name in the index or condition its way back to
    threadIdx and what is done to it.  `bank`: the bank of a shared access as text, relative to its array."""

    sources: tuple[Source, ...]
    bank: str | None


@dataclass(frozen=True, slots=True)
class Kept:
    """What is left of an access's executions where a register keeps its element through loops (interp/core/registers.py), or threads leave
    the loop behind it (`leaving`, ir/early_exits.py), in the terms of `AccessFact`.  `loop`: the outermost of these loops."""

    times: Expression
    total: Expression
    executed: Expression
    loop: Span
    leaving: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the figures of an access or a branch are what they are.

    `cause`: why the cost or the lanes are not exact.  `origin`: the statement that made the index or the condition depend on the thread, and
    `story`, the way from threadIdx.  Of accesses: `unknown`, why the address of some execution holds a symbol that the analysis lost
    (SymbolKind.UNKNOWN); `because`, why the cost is RANGED, in a few words; `data_dependent`, whether an address depends on what was loaded;
    `unsized`, whether nobody knows the elements' type, and so how many bytes are ideal."""

    cause: Cause | None = None
    origin: Span | None = None
    story: IndexStory | None = None
    unknown: Cause | None = None
    because: str | None = None
    data_dependent: bool = False
    unsized: bool = False


@dataclass(frozen=True, slots=True)
class BlockCost:
    """What all warps of a block pay for an access: `total` at most, in `executed` requests; None where that is not known.  `uneven`: some
    warps come to it less often than others (`if (tid < d)`, `while (k < blockIdx.x)`).  `varied`: of how many loops around it these and `times`
    count the most rounds, though others are shorter, or all at other sizes.  `kept`: what compilers leave of that, if it is less."""

    total: Expression | None = None
    executed: Expression | None = None
    uneven: bool = False
    varied: int = 0
    kept: Kept | None = None


@dataclass(frozen=True, slots=True)
class Variation:
    """How the cost of requests varies below the worst one.

    `ideals`: the least and the most that requests of as many lanes cost at the ideal, where these differ (lanes share elements in some cases).
    `sizes`: how the cost grows with one size; `mean`: of shared memory, where the residue of a parameter decides; `own`: where the dearest
    warp's own requests differ.  `spread`: how many bytes the lanes of a request are apart at most, where sizes decide that (spread.py).
    `undecided`: every execution has the same address, and worst and best are costs of cases that the bits of a size decide between
    (`x & (n - 1)`), each of them exact.  `pitched`: of open lanes, that they would cost as much if memory said the same of all.
    `sized`: of elements whose type is not declared, and where the size of such a type decides what a request costs."""

    ideals: tuple[int, int] | None = None
    sizes: SizeCases | None = None
    mean: SizeMean | None = None
    own: OwnMean | None = None
    spread: Expression | None = None
    undecided: bool = False
    pitched: bool = False
    sized: OpenSize | None = None


Trips: TypeAlias = "Mapping[Symbol, Expression]"
"""By the count of a summarised loop's rounds how many there are each time that it is entered, an upper expression."""


@dataclass(frozen=True, slots=True)
class Reuse:
    """How often threads of a block load the same elements (reuse.py): in one round, or in `rounds` that were executed one by one, `loads`, each of a thread
    and an element, of so many elements (`fresh`) that no round before has loaded.  `first`: the elements of the first round.  `trips`: the rounds of the
    loop that goes on by so many, each time that it is entered, an upper expression; None: each round is as the first.  All this of executions that all
    threads come to that may together."""

    loads: int
    fresh: int
    rounds: int
    first: int
    trips: Expression | None = None

    @property
    def times(self) -> float:
        """How often each element is loaded on average, in a loop of many rounds, if their number is not known: no more than the truth of these."""
        number = None if self.trips is None else constant(self.trips)
        return self.loads / max(1, self.fresh) if number is None else self.times_in(number)

    def times_in(self, rounds: int) -> float:
        """The same in a loop that makes so many rounds each time that it is entered."""
        if self.rounds > 1 or rounds < 1:
            return self.loads / max(1, self.fresh)
        return rounds * self.loads / max(1, self.first + (rounds - 1) * self.fresh)


@dataclass(frozen=True, slots=True)
class AccessFact:
    """One access site: all its executions together.

    `requests` is 2 for a compound assignment (a load and a store at one place).  `times`: requests executed per
    warp divided by `requests`, an upper expression for the most expensive warp; None with a cause.
    `exact`: worst and best coincide for every request, or `cases` cover them.
    `excess`: the most that a request costs above its ideal, over all sets of lanes that can run together (excess.py).
    `contention`: most lanes of one atomic on one address, else None; `meets`: so many lanes of a warp and threads of a block surely have one, if all
    come that may (contention.py).
    `reuse`: of a load from global memory in a loop, how often threads of a block load the same elements, on the same terms (reuse.py).
    `together`: all threads come that may, if one does; asked only where `meets` or `reuse` is.
    `picture`: the lanes of the worst request where they are known, relative to each other; else `open`, of memory whose cost
    is counted."""

    ids: tuple[AccessId, ...]
    span: Span
    text: str
    via: tuple[Span, ...]
    base: str  # name of the array or pointer; "?" if it is not known
    space: Space
    rw: ReadWrite
    requests: int
    bytes: int
    worst: int
    best: int
    ideal: int
    exact: bool
    certainty: Certainty
    pattern: Pattern
    times: Expression | None
    cases: tuple[CostCase, ...] = ()
    picture: LanePicture | None = None
    open: OpenLanes | None = None
    contention: int | None = None
    meets: tuple[int, int] | None = None
    reuse: Reuse | None = None
    together: bool = True
    excess: int = 0
    why: Explanation = Explanation()
    block: BlockCost = BlockCost()
    variation: Variation = Variation()


class Divergence(Enum):
    NEVER = "never"
    BOUNDARY = "boundary"
    POSSIBLE = "possible"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class ArmRuns:
    """One side of a branch, all tests and all warps of the block together: `warps` that ran it, `lanes` that ran it, and
    the warps that these lanes would fill if they stood side by side (`packed`).  `gaps`: warps whose lanes do not even
    stand side by side in the warp."""

    warps: int
    lanes: int
    packed: int
    gaps: int = 0


@dataclass(frozen=True, slots=True)
class BranchRuns:
    """All tests of a branch, one per warp and execution: how many split for certain, how many are `open` (a lane is not
    decided), and the sides (then, else) with the lanes that take them or may take them.  `cut`: of the open ones, how many split at
    most, where that is fewer than all."""

    tests: int
    splits: int
    open: int
    arms: tuple[ArmRuns, ...]
    cut: int | None = None

    @property
    def splitting(self) -> int:
        """How many tests split the warp, those that may included."""
        return self.splits + (self.open if self.cut is None else self.cut)

    def warps(self, side: int) -> float:
        """How many warps run a side. Of open tests that do not split half count, without those that are known to take
        the other side."""
        known = self.tests + self.splits + self.open - sum(arm.warps for arm in self.arms)
        whole = 0 if self.cut is None else max(0, self.open - self.cut - known)
        return max(0.0, self.arms[side].warps - whole / 2)


@dataclass(frozen=True, slots=True)
class SplitCount:
    """How often warps split at a branch: for each execution counted by `times`, warp w of the block at most `upper[w]`
    times and surely `lower[w]` times."""

    times: Expression
    upper: tuple[int, ...]
    lower: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WarpRounds:
    """How many rounds of a loop the lanes of some warps make: for so many `warps`, the number of lanes for each number
    of rounds."""

    warps: int
    lanes: tuple[tuple[Expression, int], ...]


@dataclass(frozen=True, slots=True)
class Splits:
    """How a branch splits warps.  Splits are those that count (docs/hardware.md): one at an `if` or a loop test, a switch's targets less one, none for
    `&&`, `||` and `?:`.  `rows`: per warp, to be added up (`splits_by_warp`).  `upper`: no warp splits more often; `lower`: some warp splits
    that often.  `active`: the least and the most threads on a side that runs in a split warp (32, 32 if none splits)."""

    active: tuple[int, int]
    rows: tuple[SplitCount, ...] = ()
    upper: Expression = ZERO
    lower: Expression = ZERO


@dataclass(frozen=True, slots=True)
class Leaving:
    """How the lanes of a warp leave a loop: of its test, and of an `if` that leaves it.

    `rounds`: the most iterations of a warp in all.  `spread`: by how many rounds lanes leave apart at most, at the test or by a `break` or a
    `return`; None if no number bounds that (rounds_apart.py).  `exits`: at how many different rounds they leave at the test, less one
    (loop_exits.py).  `groups`: into how many groups that leave together memory parts the lanes of a warp; 0 where each may leave by itself.
    `waiting`: where the loop is gone through round by round, the part of the rounds (0 to 1) that a lane waits for others on average;
    `lane_rounds`: of a summarised one, how many rounds lanes make, where that is known (lane_rounds.py).  `strided`: all lanes go to one end in
    steps of which only the text says that they are no less than a warp is wide."""

    rounds: Expression | None = None
    spread: int | None = None
    exits: int | None = None
    groups: int = 0
    waiting: float | None = None
    lane_rounds: tuple[WarpRounds, ...] = ()
    strided: bool = False


@dataclass(frozen=True, slots=True)
class Spelled:
    """What a reader sees of a branch: the condition as spelled, and the `head` that is taken for the branch (`if (..)`, `for (..; ..; ..)`).  Both are
    known once there is a text to look at (report/spelled.py)."""

    text: str = ""
    head: Span | None = None


@dataclass(frozen=True, slots=True)
class BranchFact:
    """One branch or loop test.  `whole`: the statement.  `work`: per arm (loops: the body), whether it holds memory accesses, calls or
    barriers, i.e. is not predicated away.  `times`: how often a warp tests it at most.  `runs`: its tests and the lanes of its sides."""

    span: Span
    kind: IfKind | LoopKind | str  # str: "switch"
    via: tuple[Span, ...]
    divergence: Divergence
    work: tuple[bool, ...]
    times: Expression | None
    splits: Splits
    whole: Span | None = None
    runs: BranchRuns | None = None
    leaving: Leaving = Leaving()
    why: Explanation = Explanation()
    spelled: Spelled = Spelled()


@dataclass(frozen=True, slots=True)
class SymbolInfo:
    """A name that occurs in expressions. `kind`: parameter, grid, trip or const; `source`: as spelled ("p.n"). `done`:
    for a trip count, how many of the rounds that it counts were executed one by one."""

    name: str
    source: str
    kind: str
    span: Span | None
    done: int = 0


@dataclass(frozen=True)  # no slots: what is asked of it for every card and finding is kept with it
class KernelFacts:
    """All facts of one kernel under one launch. `block` in threads (x, y, z). `source`: option, annotation, call,
    shape, launch_bounds, default or common. `unknowns`: what was outside of the analysis; each cause names the metrics that it
    loses. `rejected`: parts of annotations that cannot be used under this launch. `bounds`: None where none were asked
    for."""

    block: tuple[int, int, int]
    grid: tuple[str, str, str] | None
    source: str
    launch_span: Span | None
    accesses: tuple[AccessFact, ...]
    branches: tuple[BranchFact, ...]
    symbols: tuple[SymbolInfo, ...]
    assumptions: tuple[Assumption, ...]
    unknowns: tuple[Cause, ...]
    rejected: tuple[Misstatement, ...] = ()
    bounds: KernelBounds | None = None
