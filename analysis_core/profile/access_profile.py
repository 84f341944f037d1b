"""What findings rest on beside the facts of a kernel: how often, beside what, and at what cost accesses and branches may be expected.

A fact is sound: it holds for every launch that the listed assumptions allow.  A profile is not: it is what a program may be expected to do, and what compilers
and caches make of it.  Bounds, simulation and the table of accesses never look at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from analysis_core.expressions.expression import Expression
from analysis_core.ir.choices import Sides
from analysis_core.ir.launch_site import SizeRange
from analysis_core.profile.evidence import Estimate, Evidence
from analysis_core.requests.facts import AccessFact, BranchFact, KernelFacts
from analysis_core.text.quick import quick_init
from analysis_core.text.span import Span
from analysis_core.traffic.traffic import Traffic

T = TypeVar("T")

_PLAIN = Traffic()


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often an access is made, beside the executions that are counted.

    `rarity`: by how many halvings the conditions make it rare that data decides for each lane (branch_probability.py).  `ends`: whether such
    conditions hold back some of its executions, or memory may end loops around it before the rounds that are counted.  `alternatives`: of how many tests it stands on a side, of which a warp takes one (branch_probability.py), and of how many loops around it the
    most rounds count.  `sides`: of tests of which a warp takes one side, those that it stands on (ir/choices.py).
    `at_edge`: one block of many executes it, or some threads of it what is left over (left_overs.py); `one_block`: one along this axis
    (edge_blocks.py).  `few`: of what costs more than the ideal, the lanes of a warp that run together at most (lane_windows.py), if these are not all."""

    rarity: int = 0
    ends: bool = False
    alternatives: int = 0
    sides: Sides = ()
    at_edge: bool = False
    one_block: int | None = None
    few: int | None = None


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
class Expectation:
    """What a request may be expected to cost, where that is less than the worst.

    `usual`: on average over the places in a sector where rows of a few lanes may begin (rows_in_pieces.py), over short runs at sums of their lengths
    (ranks.py), over the rounds of a search (probed.py).  `inside`: where borders decide, in blocks that have none (inner_blocks.py).
    `searched`: of which search it is.  `scaled`: of what is
    undecided, that a loop of the host doubles or halves the size.  `handed_out`: the lanes' addresses differ by what a counter gave them.
    `dwarfed`: lanes that execute it call the runtime as often (runtime_calls.py), or it is there for an assertion, which releases do without."""

    usual: float | None = None
    inside: float | None = None
    searched: Searched | Found | None = None
    scaled: bool = False
    handed_out: bool = False
    dwarfed: bool = False


@quick_init
@dataclass(frozen=True, slots=True)
class AccessProfile:
    """One access, with what may be expected of it.

    `lanes`: the same number for accesses whose lanes differ in the same way (lane_maps.py), 0 where nothing is paid above the ideal; `index`: the same
    number for those whose elements do, of whatever size and array.  `merged`: the access as compilers make it with others, or as it is at the sizes
    that launches pass, if that is otherwise; it has no such again, and `reached`, the access of the source, only where it is what was made of that."""

    fact: AccessFact
    frequency: Frequency = Frequency()
    traffic: Traffic = _PLAIN
    expected: Expectation = Expectation()
    lanes: int = 0
    index: int = 0
    merged: AccessProfile | None = None
    reached: AccessProfile | None = None

    @property
    def made(self) -> AccessProfile:
        """The access as often as the machine makes it: what findings speak of, and weigh."""
        made = self if self.merged is None else replace(self.merged, reached=self)
        kept = made.fact.block.kept
        if kept is None:
            return made
        block = replace(made.fact.block, total=kept.total, executed=kept.executed)
        variation = replace(made.fact.variation, own=None)
        return replace(made, fact=replace(made.fact, times=kept.times, block=block, variation=variation))

    @property
    def each(self) -> float:
        """What a request costs: the worst, or where the dearest warp's requests differ, the mean over those of all warps; of rows of a few lanes
        the usual."""
        if self.expected.usual is not None:
            return min(self.expected.usual, self.fact.worst)
        own = self.fact.variation.own
        return self.fact.worst if own is None else own.paid / own.requests

    @property
    def each_ideal(self) -> float:
        """What such a request would cost at the ideal."""
        own = self.fact.variation.own
        return self.fact.ideal if own is None else own.ideal / own.requests

    @property
    def wasted(self) -> float:
        """The part of its cost (0 to 1) that the ideal would save; `worst` is not 0."""
        return 1 - self.each_ideal / self.each


@quick_init
@dataclass(frozen=True, slots=True)
class BranchProfile:
    """One branch, with what may be expected of it: `rarity`, `ends` as of accesses.  `by_lane`: contents of memory that are a lane's own decide it
    (branch_probability.py).  `asks`: of an `if`, the same number for those that ask the same (same_tests.py); 0 where no other does."""

    fact: BranchFact
    rarity: int = 0
    ends: bool = False
    by_lane: bool = False
    asks: int = 0


@dataclass(frozen=True)  # no slots: what is asked of it for every card and finding is kept with it
class KernelProfile:
    """One kernel under one launch: its facts, and what may be expected, access by access and branch by branch in the order of the facts.

    `ranges`: what is seen of the values of parameters.  `trips`: by the name of a loop's length, how many rounds it may be expected to make
    (trip_estimates.py).  `waits`: loops (whole statements) that wait for other threads."""

    facts: KernelFacts
    accesses: tuple[AccessProfile, ...]
    branches: tuple[BranchProfile, ...]
    ranges: tuple[SizeRange, ...] = ()
    trips: Mapping[str, Estimate] = field(default_factory=dict)
    waits: frozenset[Span] = frozenset()

    @property
    def settled(self) -> frozenset[str]:
        """The names of parameters and of lengths of loops of which one value is seen."""
        trips = (name for name, one in self.trips.items() if one.low == one.high and one.evidence >= Evidence.SEEN)
        return frozenset(
            (*trips, *(one.name for one in self.ranges if one.least is not None and one.least == one.most))
        )

    @property
    def made(self) -> KernelProfile:
        """The profile with accesses as often as the machine makes them."""
        if all(access.fact.block.kept is None and access.merged is None for access in self.accesses):
            return self
        return replace(self, accesses=tuple(access.made for access in self.accesses))
