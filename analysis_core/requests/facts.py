"""What is known about one kernel under one launch configuration: the facts that reports are made from.

Costs are per request: sectors (32 bytes) for global memory, wavefronts for shared memory.  `worst` is a sound upper
figure for every request that can be executed; `best` is a lower figure over the largest active sets that are executed, none of which lies in another;
`ideal` is what the same lanes would pay for the best pattern (HARDWARE.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from analysis_core.expressions.bounds import KernelBounds
from analysis_core.expressions.expression import ZERO, Expression
from analysis_core.ir.choices import Sides
from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.nodes import AccessId, IfKind, LoopKind
from analysis_core.ir.types import Space
from analysis_core.support.facts import Assumption, Cause
from analysis_core.support.kept import kept
from analysis_core.syntax.read.annotation_tree import Misstatement
from analysis_core.text.quick import quick_init
from analysis_core.text.span import Span

T = TypeVar("T")


class ReadWrite(Enum):
    READ = "R"
    WRITE = "W"
    BOTH = "RW"
    ATOMIC = "A"


class Pattern(Enum):
    """`worst` over the shapes that the requests of an access take."""

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
class Searched:
    """Of a load in a search that all lanes begin at one place: `extent`, how many elements it searches, or `rounds`, how many it makes, where
    that is known; `pitch`: the bytes from one element to the next, None where what was found leads on; `span`: how many elements the keys of
    a warp lie among, where neighbours look for neighbours, None where nothing says that they do."""

    extent: Expression | None
    rounds: int | None
    pitch: int | None
    span: int | None


@dataclass(frozen=True, slots=True)
class Found:
    """Of an access at what such a search found, by keys in the order of lanes: `reach`, the bytes from the first lane's place to the last one's.
    `stepped`: lanes went there step by step, each from a place of its own (steered.py)."""

    reach: int
    stepped: bool = False


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
class Hop:
    """`name` follows `follows` by the statement at `span`; a component of threadIdx follows nothing."""

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


@quick_init
@dataclass(frozen=True, slots=True)
class AccessFact:
    """One access site: all its executions together.

    `requests` is 2 for a compound assignment (a load and a store at one place).  `times`: requests executed per
    warp divided by `requests`, an upper expression for the most expensive warp; None with `cause`.
    `exact`: worst and best coincide for every request, or `cases` cover them.
    `ideals`: the least and the most that requests of as many lanes cost at the ideal, where these differ (lanes share elements in some cases).
    `contention`: most lanes of one atomic on one address, else None.
    `unknown`: why the address of some execution holds a symbol that the analysis lost (SymbolKind.UNKNOWN), else None.
    `because`: why the cost is RANGED, in a few words, else None.
    `excess`: the most that a request costs above its ideal, over all sets of lanes that can run together (excess.py).
    `scaled`: of what is undecided, that a loop of the host doubles or halves the size.
    `undecided`: every execution has the same address, and worst and best are costs of cases that the bits of a size decide
    between (`x & (n - 1)`), each of them exact.  `handed_out`: the lanes' addresses differ by what a counter gave them.
    `picture`: the lanes of the worst request where they are known, relative to each other; else `open`, of memory whose cost
    is counted.
    `unsized`: nobody knows the elements' type, and so how many bytes are ideal.
    `spared`: because of other accesses it wastes nothing (side_by_side.py).  `at_edge`: one block of many executes it, `one_block`: one along this axis (edge_blocks.py),
    or some threads of it what is left over (left_overs.py).
    `spread`: how many bytes the lanes of a request are apart at most, where sizes decide that (spread.py).
    `pitched`: of open lanes, that they would cost as much if memory said the same of all.
    `straddling`: its lanes lie in rows of a sector at least that begin where memory says; `usual`: in rows of a few lanes that do, what
    such a request costs on average over the places in a sector where they may begin (rows_in_pieces.py); of short runs at sums of their lengths,
    over these (ranks.py); of `searched` ones, over the rounds (profile/probed.py).
    `dwarfed`: lanes that execute it call the runtime as often (runtime_calls.py), or it is there for an assertion, which releases do without.
    `varied`: of how many loops around it `times` and `total` count the most rounds, though others are shorter, or all at other sizes; and on how many sides
    of tests it stands of which a warp takes one (guards.py).
    `lanes`: the same number for accesses whose lanes differ in the same way (lane_maps.py); 0 where nothing is paid above the ideal.
    `index`: the same number for those whose elements do, of whatever size and array.
    `swept`: of misaligned loads, that the rounds of a loop leave no gap (sweeps.py).
    `total`: what all warps of a block pay for it, at most, in `executed` requests; None where that is not known.  `rarity`: by how many
    halvings the conditions make it rare that data decides for each lane (guards.py), `thinned`: so many of these only leave each warp fewer lanes,
    and `ends`, whether such conditions hold back some of its executions, or memory may end loops around it before the rounds that are counted.  `kept`: what compilers leave of that, if it is less.
    `mean`: of shared memory, where the residue of a parameter decides.  `own`: where the dearest warp's own requests differ.
    `merged`: the access as compilers make it with others, if they make it otherwise (made_requests.py); that has no such again, and is
    `joined` if its requests are wider ones, and `reached`, the access of the source, only where it is what was made of that.  `seen`: of that, the parameters that are what launches pass, and
    `room`: bytes that launches allocate for the array (seen_sizes.py).  `likely`: what a request may be expected to add to the sectors
    of global memory where no cost is counted: of a thread's own array in memory (own_arrays.py), of memory that is not known
    (lost_places.py).  `sides`: of tests of which a warp takes one side, those that it stands on (ir/choices.py).  `own_rows`: each lane goes through a row
    of its own (own_rows.py); `along`: the bytes that it goes on within its sectors from round to round, however long its row is (long_walks.py), 0 if it does not; `behind_walk`: behind such a loop, at the place
    to which its rounds have led each lane (behind_walks.py).  `filled`: those of its executions that cost more than the ideal use their sectors together with others beside
    them (side_by_side.py); `walked`: or in their next rounds, in short rows of each lane's own (own_walks.py); `thin`: others beside them
    use their sectors, too, but a line is looked up for every few bytes (a word in findings).  `row_end`: each lane is at the end of a long row,
    `row_begin`: at the begin of one (row_ends.py).
    `few`: of what costs more than the ideal, the lanes of a warp that run together at most (lane_windows.py), if these are not all.
    `uneven`: some warps come to it less often than others (`if (tid < d)`, `while (k < blockIdx.x)`).  `inside`: where borders decide, what a request costs on average
    in blocks that have none (inner_blocks.py)."""

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
    times: Expression | None
    pattern: Pattern
    data_dependent: bool
    cause: Cause | None
    cases: tuple[CostCase, ...]
    picture: LanePicture | None
    contention: int | None
    origin: Span | None  # the statement that made the index depend on the thread
    unknown: Cause | None = None
    certainty: Certainty = Certainty.EXACT
    because: str | None = None
    excess: int = 0
    sizes: SizeCases | None = None
    story: IndexStory | None = None
    undecided: bool = False
    scaled: bool = False
    handed_out: bool = False
    open: OpenLanes | None = None
    spared: bool = False
    at_edge: bool = False
    one_block: int | None = None
    unsized: bool = False
    dwarfed: bool = False
    lanes: int = 0
    index: int = 0
    swept: bool = False
    spread: Expression | None = None
    total: Expression | None = None
    executed: Expression | None = None
    rarity: int = 0
    thinned: int = 0
    kept: Kept | None = None
    mean: SizeMean | None = None
    merged: AccessFact | None = None
    joined: bool = False
    seen: tuple[str, ...] = ()
    room: int | None = None
    likely: int = 0
    varied: int = 0
    own: OwnMean | None = None
    straddling: bool = False
    reached: AccessFact | None = None
    usual: float | None = None
    ends: bool = False
    pitched: bool = False
    sides: Sides = ()
    searched: Searched | Found | None = None
    own_rows: bool = False
    along: int = 0
    behind_walk: bool = False
    filled: bool = False
    walked: bool = False
    thin: bool = False
    row_end: bool = False
    row_begin: bool = False
    few: int | None = None
    uneven: bool = False
    inside: float | None = None
    ideals: tuple[int, int] | None = None

    @property
    def made(self) -> AccessFact:
        """The access as often as the machine makes it: what findings speak of, and weigh."""
        fact = self if self.merged is None else replace(self.merged, reached=self)
        kept = fact.kept
        if kept is None:
            return fact
        return replace(fact, times=kept.times, total=kept.total, executed=kept.executed, own=None)

    @property
    def each(self) -> float:
        """What a request costs: the worst, or where the dearest warp's requests differ, the mean over those of all warps; of rows of a few lanes
        the usual."""
        if self.usual is not None:
            return min(self.usual, self.worst)
        return self.worst if self.own is None else self.own.paid / self.own.requests

    @property
    def each_ideal(self) -> float:
        """What such a request would cost at the ideal."""
        return self.ideal if self.own is None else self.own.ideal / self.own.requests

    @property
    def wasted(self) -> float:
        """The part of its cost (0 to 1) that the ideal would save; `worst` is not 0."""
        return 1 - self.each_ideal / self.each


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
        """How many split, or are not known not to."""
        return self.splits + (self.open if self.cut is None else self.cut)

    def warps(self, side: int) -> float:
        """How many run a side: of the open tests that do not split, half, but for those that are known to take the other."""
        known = self.tests + self.splits + self.open - sum(arm.warps for arm in self.arms)
        whole = 0 if self.cut is None else max(0, self.open - self.cut - known)
        return max(0.0, self.arms[side].warps - whole / 2)


@dataclass(frozen=True, slots=True)
class SplitCount:
    """For each value of `times`, warp w of the block splits at most `upper[w]` times and surely `lower[w]` times."""

    times: Expression
    upper: tuple[int, ...]
    lower: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WarpRounds:
    """So many warps have lanes that make these rounds of a loop: numbers of lanes by the rounds that each makes."""

    warps: int
    lanes: tuple[tuple[Expression, int], ...]


@quick_init
@dataclass(frozen=True, slots=True)
class BranchFact:
    """One branch or loop test.  `active` = least and most active threads on a side that runs in a split warp (32, 32
    if none splits).  `work`: per arm (loops: the body), whether it holds memory accesses, calls or barriers, i.e. is not
    predicated away.  `spread`: of a loop, by how many rounds the lanes of a warp leave it apart at most, at its test or by a `break` or a `return`; None if no
    number bounds that (rounds_apart.py).  `exits`: at how many different rounds they leave at its test, less one (loop_exits.py).
    `whole`: the statement.  `text` is the condition as spelled and `head` what a reader takes for the branch (`if (..)`,
    `for (..; ..; ..)`): both are known once there is a text to look at (report/branch_texts.py).

    Splits are those that count (HARDWARE.md): one at an `if` or a loop test, a switch's targets less one, none for `&&`,
    `||` and `?:`.  `splits`: per warp, rows to be added up (`splits_by_warp`).  `splits_upper`: no warp splits more often;
    `splits_lower`: some warp splits that often.  `rounds`: for loops, the most iterations of a warp in all.
    `rarity`, `ends`: as of accesses.  `by_lane`: contents of memory that are a lane's own decide it (guards.py).  `waiting`: of a loop that lanes
    leave apart and that is gone through round by round, the part of the rounds (0 to 1) that a lane waits for others on average; `lane_rounds`: of
    a summarised one, how many rounds lanes make, where that is known (lane_rounds.py).  Both, and `spread`, also of an `if` that leaves such a loop.
    `strided`: of a loop, that all lanes go to one end in steps of which only the text says that they are no less than a warp is wide.
    `groups`: of a loop, into how many groups that leave together memory parts the lanes of a warp; 0 where each may leave by itself.
    `asks`: of an `if`, the same number for those that ask the same (same_tests.py); 0 where no other does."""

    span: Span
    kind: IfKind | LoopKind | str  # str: "switch"
    via: tuple[Span, ...]
    text: str
    divergence: Divergence
    active: tuple[int, int]
    work: tuple[bool, ...]
    spread: int | None
    times: Expression | None
    cause: Cause | None
    origin: Span | None
    runs: BranchRuns | None = None
    whole: Span | None = None
    head: Span | None = None
    splits: tuple[SplitCount, ...] = ()
    splits_upper: Expression = ZERO
    splits_lower: Expression = ZERO
    rounds: Expression | None = None
    story: IndexStory | None = None
    rarity: int = 0
    by_lane: bool = False
    waiting: float | None = None
    strided: bool = False
    groups: int = 0
    asks: int = 0
    ends: bool = False
    exits: int | None = None
    lane_rounds: tuple[WarpRounds, ...] = ()


@dataclass(frozen=True, slots=True)
class SymbolInfo:
    """A name that occurs in expressions.  `kind`: parameter, grid, trip or const; `source` as spelled ("p.n").  `done`: of a trip count, the
    rounds among all that it counts that were executed one by one."""

    name: str
    source: str
    kind: str
    span: Span | None
    done: int = 0


@dataclass(frozen=True)  # no slots: what is asked of it for every card and finding is kept with it
class KernelFacts:
    """`block` in threads (x, y, z).  `source`: option, annotation, call, shape, launch_bounds or default.

    `unknowns`: what was outside of the analysis, with `metrics lost` said in the cause.
    `rejected`: parts of annotations that cannot be used under this launch.  `bounds`: None where none were sought.
    `ranges`: what is seen of the values of parameters.  `waits`: loops (whole statements) that wait for other threads.
    `halving`: by the name of a loop's length, of how many elements it halves what is left, None where no size says.
    `repeats`: the conditions of loops whose rounds all do the same (profile/repeats.py)."""

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
    ranges: tuple[SizeRange, ...] = ()
    waits: frozenset[Span] = frozenset()
    halving: tuple[tuple[str, Expression | None], ...] = ()
    repeats: frozenset[Span] = frozenset()

    def once(self, question: str, settings: object, make: Callable[[], T]) -> T:
        """The answer of `make`, which rests on these facts and on the settings; made again only for other settings."""
        known = self._answers.get(question)
        if known is None or known[0] is not settings:
            known = self._answers[question] = (settings, make())
        answer: T = known[1]
        return answer

    @kept
    def _answers(self) -> dict[str, tuple[object, Any]]:
        return {}
