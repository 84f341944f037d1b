"""What findings rest on beside the facts of a kernel: how often, beside what, and at what cost accesses and branches may be expected.

A fact is sound: it holds for every launch that the listed assumptions allow.  A profile is not: it is what a program may be expected to do, and what compilers
and caches make of it.  Bounds, simulation and the table of accesses never look at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeVar

from analysis_core.ir.choices import Sides
from analysis_core.ir.launch_site import Amount, SizeRange
from analysis_core.profile.evidence import Estimate, Evidence
from analysis_core.races.verdicts import RaceReport
from analysis_core.requests.facts import AccessFact, BranchFact, Explanation, KernelFacts
from analysis_core.support.derived import derived
from analysis_core.support.facts import Cause
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span
from analysis_core.traffic.traffic import Traffic

if TYPE_CHECKING:
    from analysis_core.claims.verdicts import Judged
    from analysis_core.contracts.verdicts import Contracted
    from analysis_core.traffic.narrow_requests import Narrow
    from analysis_core.traffic.own_arrays import OwnArray

T = TypeVar("T")

_PLAIN = Traffic()


@dataclass(frozen=True, slots=True)
class LaunchWork:
    """The requests that a warp makes in a launch: at `least` and at `most` (None: nobody knows), in sizes (launch_work.py).
    `traffic`: sectors and wavefronts of a thread at usual sizes; `requests`: the most, where constants alone say that;
    `deepest`: the most of one access or condition among these."""

    least: Amount
    most: Amount | None
    traffic: float = 0.0
    requests: int | None = None
    deepest: int | None = None


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often an access may be expected to be made, beside the executions that are counted.

    `rarity`: by how many halvings conditions on data make it rarer (branch_probability.py). `ends`: data may hold back
    some of its executions, or end loops around it before the rounds that are counted. `alternatives`: on how many
    sides of tests it stands of which a warp takes one, and in how many loops around it only the most rounds count.
    `sides`: those sides (ir/choices.py). `at_edge`: only one block of many executes it, or threads that take what is
    left over (left_overs.py); `one_block`: the axis along which only one block does (edge_blocks.py)."""

    rarity: int = 0
    ends: bool = False
    alternatives: int = 0
    sides: Sides = ()
    at_edge: bool = False
    one_block: int | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a request may be expected to cost, where that is less than the worst.

    `usual`: on average over the places where rows of a few lanes begin in a sector (rows_in_pieces.py). `inside`: in blocks that touch no
    border, where borders decide (inner_blocks.py). `scaled`: the host
    doubles or halves the size that decides. `handed_out`: the lanes' addresses are slots that an atomic counter gave
    them. `dwarfed`: lanes call the device's runtime beside it as often (runtime_calls.py), or it is there only for an
    assertion. `why`: the reason of its figure for findings, where that is another than what is
    proved (causes.py). `decided_by`: the loads whose values take its lanes apart, the one that takes them furthest first.
    `as_a_whole`: what the analysis did not understand in its addresses is the same for all lanes of a warp,
    and moves a request as a whole; or it is a border, away from which a request costs twice its ideal and more."""

    usual: float | None = None
    inside: float | None = None
    scaled: bool = False
    handed_out: bool = False
    dwarfed: bool = False
    why: Explanation | None = None
    decided_by: tuple[Cause, ...] = ()
    as_a_whole: bool = False


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
        """The access as the compiled kernel makes it. Findings speak of this one, and shares weigh it."""
        made = self if self.merged is None else replace(self.merged, reached=self)
        if made.expected.why is not None:
            made = replace(made, fact=replace(made.fact, why=made.expected.why))
        kept = made.fact.block.kept
        if kept is None:
            return made
        block = replace(made.fact.block, total=kept.total, executed=kept.executed)
        variation = replace(made.fact.variation, own=None)
        return replace(made, fact=replace(made.fact, times=kept.times, block=block, variation=variation))

    @property
    def as_passed(self) -> AccessProfile | None:
        """The access at the numbers that launches pass, where it costs something else there: what findings speak of."""
        passed = self.merged
        return passed if passed is not None and passed.traffic.seen and passed.fact.worst != self.fact.worst else None

    @property
    def each(self) -> float:
        """What a request costs on average: the mean over all warps where the requests of the dearest warp differ, the
        usual cost where rows of a few lanes begin anywhere, else the worst."""
        if self.expected.usual is not None:
            return min(self.expected.usual, self.fact.worst)
        own = self.fact.variation.own
        return self.fact.worst if own is None else own.paid / own.requests

    @property
    def each_ideal(self) -> float:
        """What the requests that `each` speaks of would cost at the ideal."""
        own = self.fact.variation.own
        return self.fact.ideal if own is None else own.ideal / own.requests

    @property
    def wasted(self) -> float:
        """The part of its cost (0 to 1) that the ideal would save; `worst` is not 0."""
        return 1 - self.each_ideal / self.each


@dataclass(frozen=True, slots=True)
class BranchProfile:
    """One branch, with what may be expected of it. `rarity`, `ends`: as in `Frequency`. `by_lane`: memory contents
    that each lane has for itself decide it. `idle`: of a loop that lanes leave in two neighbouring rounds, the part of the warps'
    rounds (0 to 1) that they would not make if lanes that stay in it stood side by side, where that is known."""

    fact: BranchFact
    rarity: int = 0
    ends: bool = False
    by_lane: bool = False
    idle: float | None = None


@dataclass(frozen=True)  # no slots: what is asked of it for every card and finding is kept with it
class KernelProfile:
    """One kernel under one launch: its facts and, in the order of the facts, what may be expected of each access and
    branch. `ranges`: what is seen of the values of parameters. `trips`: how many rounds loops may be expected to make,
    by the name of their length (trip_estimates.py). `waits`: loops (whole statements) that wait for other threads.
    `at_other_blocks`: the same at the other common blocks, where nothing says which it is.  `at_numbers`: the same with the numbers that all
    launches in view pass (`numbers`), where bounds are not exact without them.
    `work`: what a warp does in the launch, of the requests that compilers make. `followed`: the executions of accesses that were interpreted.
    `own`: the arrays of a thread that lie in memory (own_arrays.py); `narrow`: neighbours that threads move one by one (narrow_requests.py).
    `races`: of shared and global memory, None where nobody has looked; `claims`, `contracts`: of annotations."""

    facts: KernelFacts
    accesses: tuple[AccessProfile, ...]
    branches: tuple[BranchProfile, ...]
    ranges: tuple[SizeRange, ...] = ()
    trips: Mapping[str, Estimate] = field(default_factory=dict)
    waits: frozenset[Span] = frozenset()
    at_other_blocks: tuple[KernelProfile, ...] = ()
    at_numbers: KernelProfile | None = None
    numbers: Mapping[str, int] = field(default_factory=dict)
    work: LaunchWork | None = None
    followed: int = 0
    own: tuple[OwnArray, ...] = ()
    narrow: tuple[Narrow, ...] = ()
    races: RaceReport | None = None
    claims: tuple[Judged, ...] = ()
    contracts: tuple[Contracted, ...] = ()

    @property
    def settled(self) -> frozenset[str]:
        """The parameters and lengths of loops, by name, for which exactly one value is seen."""
        trips = (name for name, one in self.trips.items() if one.low == one.high and one.evidence >= Evidence.SEEN)
        return frozenset(
            (*trips, *(one.name for one in self.ranges if one.least is not None and one.least == one.most))
        )

    @derived
    def passed(self) -> Mapping[str, int]:
        """The numbers that all launches in view pass, by the safe names of parameters, whatever the program is run with."""
        known = {one.name: one.least for one in self.ranges if one.least == one.most and not one.run}
        named = ((info.name, known.get(info.source)) for info in self.facts.symbols if info.kind == "parameter")
        return {name: value for name, value in named if value is not None}

    @derived
    def each_at_numbers(self) -> Mapping[Span, float]:
        """What a request at a place costs with the numbers that all launches in view pass; of several the dearest."""
        found: dict[Span, float] = {}
        for one in () if self.at_numbers is None else self.at_numbers.accesses:
            found[one.fact.span] = max(one.each, found.get(one.fact.span, 0))
        return found

    @property
    def made(self) -> KernelProfile:
        """The profile in which each access is as the compiled kernel makes it."""
        if all(access.made is access for access in self.accesses):
            return self
        return replace(self, accesses=tuple(access.made for access in self.accesses))
