"""From facts to the profile of a kernel: what findings rest on beside what is proved.

The facts of each access and branch get what compilers and neighbours make of them (`traffic/`), how often they may be expected to be reached, and
what they may be expected to cost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.nodes import AccessId, Kernel
from analysis_core.ir.straight_lines import StraightLines, straight_lines
from analysis_core.ir.types import Space
from analysis_core.machine.sizes import WARP
from analysis_core.profile.access_profile import (
    AccessProfile,
    BranchProfile,
    Expectation,
    Frequency,
    KernelProfile,
)
from analysis_core.profile.branch_probability import MOST, BranchProbability
from analysis_core.profile.by_rounds import is_by_rounds
from analysis_core.profile.causes import (
    cause_of_access,
    deciders,
    is_by_data,
    moves_as_a_whole,
    why_told,
)
from analysis_core.profile.edge_blocks import axis_of_one_block, is_at_edge
from analysis_core.profile.idioms.waits import waiting_loops
from analysis_core.profile.idle_lanes import idle_part
from analysis_core.profile.inner_blocks import Sizes, cost_inside, is_dear_inside
from analysis_core.profile.lane_flow import LaneFlows
from analysis_core.profile.launch_work import work_of_launch
from analysis_core.profile.leaving import RAGGED
from analysis_core.profile.left_overs import LeftOvers
from analysis_core.profile.near_data import NearData
from analysis_core.profile.null_arguments import unreached
from analysis_core.profile.runtime_calls import asserted, beside_runtime_calls
from analysis_core.profile.tree_levels import Levels, sizes_of_levels, tree_levels
from analysis_core.profile.trip_estimates import Told, trip_estimates
from analysis_core.program.launch import Launch
from analysis_core.program.size_ranges import size_ranges
from analysis_core.requests.counters import is_handed_out
from analysis_core.requests.evaluate import AccessGroups, Evaluation
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.facts import AccessFact, BranchFact
from analysis_core.requests.lane_maps import LaneMap, lane_maps
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.traffic.at_sizes import AtSizes, with_others
from analysis_core.traffic.lost_places import likely_sectors
from analysis_core.traffic.made_requests import Made, made_requests
from analysis_core.traffic.own_arrays import own_arrays
from analysis_core.traffic.rows_in_pieces import in_whole_rows, is_dear_by_rows, usual_cost
from analysis_core.traffic.seen_sizes import Seen, SeenSizes, within_room
from analysis_core.traffic.side_by_side import SideBySide, Together, traffic_of
from analysis_core.traffic.traffic import Traffic

if TYPE_CHECKING:
    from analysis_core.traffic.narrow_requests import Narrow


def profile_of(
    kernel: Kernel, launch: Launch, events: Events, evaluation: Evaluation, settings: Settings
) -> KernelProfile:
    """The profile of one kernel under one launch configuration, over the facts that were found from its events.  Its facts say which of their
    causes are memory, and which only seem to be."""
    facts, groups = evaluation.facts, evaluation.groups
    dear = [place for place, fact in enumerate(facts.accesses) if fact.worst > fact.ideal]
    maps = lane_maps(groups, dear)
    ranges = size_ranges(kernel, launch)
    lines = straight_lines(kernel) if dear else StraightLines()
    looked_at = {e.access.id for place in dear for e in groups[place]}
    beside = _beside(kernel, launch, events, looked_at, ranges, lines, evaluation.costs)
    branches = _branches(evaluation, beside)
    requests = {**_in_rows(events, dear, groups), **made_requests(kernel, events, lines)} if dear else {}
    seen = SeenSizes.of(kernel, events, launch, ranges if dear else (), settings.values)
    levels = tree_levels(events, [event for place in dear for event in groups[place]], seen.values)
    at_sizes = seen.of_groups(groups, dear)
    otherwise = _Otherwise(requests, levels, at_sizes, seen, evaluation.costed)
    merged = _merged(groups, otherwise, beside) if requests or levels or at_sizes else {}
    made = [merged.get(place) or AccessProfile(fact) for place, fact in enumerate(facts.accesses)]
    told = [(one.fact, one.traffic) for one in made]
    at_them = AtSizes(told, groups, beside.side_by_side).traffic(seen, seen.at_ends(ranges) if dear else ())
    merged = {p: replace(one, traffic=with_others(one.traffic, at_them.get(p))) for p, one in merged.items()}
    lost = dict(_lost(facts.accesses, groups, evaluation.costed))
    own = own_arrays(kernel, groups)
    stored = {number: sectors for one in own for number, sectors in one.accesses.items()}
    likely = {**stored, **lost} if dear else {}
    found = [
        beside.told(fact, group, maps.get(place, LaneMap()), merged.get(place), likely.get(place, 0))
        for place, (fact, group) in enumerate(zip(facts.accesses, groups, strict=True))
    ]
    accesses = tuple(
        replace(one, traffic=with_others(one.traffic, at_them.get(place))) for place, one in enumerate(found)
    )
    facts = replace(facts, accesses=tuple(one.fact for one in accesses), branches=tuple(one.fact for one in branches))
    profile = KernelProfile(
        facts,
        accesses,
        branches,
        ranges=tuple(ranges),
        trips=trip_estimates(Told(kernel, launch, events, ranges, settings)),
        waits=waiting_loops(kernel) if events.trips else frozenset(),
        followed=len(events.accesses),
        own=own,
        narrow=_narrow(kernel, events, groups),
    )
    return replace(profile, work=work_of_launch(profile.made, settings))


def _narrow(kernel: Kernel, events: Events, groups: AccessGroups) -> tuple[Narrow, ...]:
    """Neighbours that threads move one by one, where several accesses are alike."""
    kinds = [(e.kind, e.base, e.access.width) for e in events.accesses if e.space is Space.GLOBAL]
    if len(set(kinds)) == len(kinds):
        return ()
    from analysis_core.traffic.narrow_requests import narrow_requests

    return narrow_requests(kernel, events, groups)


def _branches(evaluation: Evaluation, beside: _Beside) -> tuple[BranchProfile, ...]:
    return tuple(map(beside.branch, evaluation.facts.branches, evaluation.tests))


@dataclass(frozen=True, slots=True)
class _Beside:
    """What facts of accesses rest on beside their requests.  `together`: executions that use sectors together with others."""

    events: Events
    costs: EventCosts
    side_by_side: SideBySide
    together: Together
    dwarfed: Collection[AccessId]
    guards: BranchProbability
    unseen: frozenset[str]
    near: NearData
    left: LeftOvers
    flows: LaneFlows
    scaled: frozenset[str]
    sizes: Sizes

    def branch(self, fact: BranchFact, group: list[BranchEvent]) -> BranchProfile:
        """The branch with all that."""
        return BranchProfile(
            fact,
            rarity=self.guards.of_branch(group),
            ends=self.may_end(group),
            by_lane=self.guards.decide(group),
            idle=idle_part(group) if fact.leaving.spread == RAGGED else None,
        )

    def may_end(self, group: Sequence[AccessEvent] | Sequence[BranchEvent]) -> bool:
        """Whether memory may hold back some of what is counted, by conditions or by ends of loops."""
        return any(event.cut for event in group) or self.guards.may_end(group)

    def dearest(self, event: AccessEvent) -> int:
        """The sectors or wavefronts of the dearest request of an execution."""
        return max((cost.worst for _, _, cost in self.costs.plain(event)), default=0)

    def is_scaled(self, group: Sequence[AccessEvent]) -> bool:
        """Whether addresses rest on a size that a loop of the host doubles or halves."""
        pending = {s for event in group for s in event.address.poly.symbols()}
        seen: set[Symbol] = set()
        while pending:
            symbol = pending.pop()
            seen.add(symbol)
            if symbol.kind is SymbolKind.PARAMETER and symbol.name in self.scaled:
                return True
            derivation = self.events.derivations.get(symbol)
            operands = () if derivation is None else derivation.operands
            pending |= {s for operand in operands for s in operand.poly.symbols()} - seen
        return False

    def told(
        self,
        fact: AccessFact,
        group: list[AccessEvent],
        lane_map: LaneMap,
        merged: AccessProfile | None = None,
        likely: int = 0,
    ) -> AccessProfile:
        """The access with all that.  `merged`: as compilers make it, or at the sizes that launches pass."""
        is_placed = fact.worst > fact.ideal and fact.open is not None and fact.space is Space.GLOBAL
        if merged is not None:
            traffic = replace(merged.traffic, likely=likely)
            merged = replace(merged, lanes=lane_map.lanes, index=lane_map.index, traffic=traffic)
        variation = replace(
            fact.variation,
            undecided=fact.variation.undecided and not is_by_rounds(group, self.events.derivations),
            pitched=fact.variation.pitched or (is_placed and is_dear_by_rows(group, fact.ideal, self.dearest)),
        )
        known = cause_of_access(fact, group, self.near, self.unseen, self.flows)
        return AccessProfile(
            replace(known, variation=variation),
            self._frequency(fact, group),
            self._traffic(fact, group, merged, likely),
            self._expected(fact, group, usual_cost(group) if is_placed else None),
            lane_map.lanes,
            lane_map.index,
            merged,
        )

    def _frequency(self, fact: AccessFact, group: list[AccessEvent]) -> Frequency:
        is_left, rarity = self.left.holds(group), self.guards.of_access(group)
        return Frequency(
            rarity=max(rarity, MOST) if is_left else rarity,
            ends=self.may_end(group),
            alternatives=fact.block.varied + self.guards.alternatives(group),
            sides=self.flows.sides.get(group[0].access.id, ()),
            at_edge=is_left or (fact.worst > fact.ideal and is_at_edge(group)),
            one_block=axis_of_one_block(group),
        )

    def _traffic(
        self, fact: AccessFact, group: list[AccessEvent], merged: AccessProfile | None, likely: int
    ) -> Traffic:
        own = replace(traffic_of(fact, group, self.together), likely=likely)
        if merged is None:
            return own
        made = merged.traffic
        return replace(own, spared=own.spared or made.spared, reuse=max(own.reuse, made.reuse))

    def _expected(self, fact: AccessFact, group: list[AccessEvent], usual: float | None) -> Expectation:
        is_dear = fact.worst > fact.ideal
        is_open = is_dear and fact.open is not None
        is_weighed = is_dear and fact.space is Space.GLOBAL
        inside = cost_inside(group, self.sizes, self.costs) if is_weighed else None
        return Expectation(
            usual=usual,
            inside=inside,
            scaled=fact.variation.undecided and bool(self.scaled) and self.is_scaled(group),
            handed_out=_is_handed_out(fact, group, self.events),
            dwarfed=all(event.access.id in self.dwarfed for event in group),
            why=why_told(fact, group, self.flows.kernel),
            decided_by=deciders(group, self.events.derivations) if is_open and is_by_data(fact) else (),
            as_a_whole=is_dear and (moves_as_a_whole(fact, group) or is_dear_inside(fact, inside)),
        )


def _beside(
    kernel: Kernel,
    launch: Launch,
    events: Events,
    dear: Collection[AccessId],
    ranges: Sequence[SizeRange],
    lines: StraightLines,
    costs: EventCosts,
) -> _Beside:
    """`dear`: the accesses that cost more than their ideal."""
    side_by_side = SideBySide.of(kernel, events, lines, costs)
    return _Beside(
        events,
        costs,
        side_by_side,
        side_by_side.use_together(dear),
        beside_runtime_calls(kernel) | asserted(kernel) if dear else frozenset(),
        BranchProbability.of(kernel, events, unreached(kernel, ranges)),
        kernel.unseen if dear else frozenset(),
        NearData(events),
        LeftOvers(events.derivations),
        LaneFlows(kernel),
        frozenset(launch.arguments.scaled),
        Sizes(events.derivations, kernel.unseen | _short(ranges)),
    )


def _short(ranges: Iterable[SizeRange]) -> frozenset[str]:
    """The sizes that launches pass, some of them less than a warp."""
    return frozenset(r.name for r in ranges if r.most is not None and r.least is not None and r.least < WARP)


@dataclass(frozen=True, slots=True)
class _Otherwise:
    """What findings speak of instead of the source's requests for any size.  `sizes`: by place of the access, what is seen of its
    parameters and its array.  It is costed after all others, so that what these cost does not depend on it."""

    made: Made
    levels: Levels
    sizes: Mapping[int, Seen]
    seen: SeenSizes
    costed: Callable[[list[AccessEvent]], AccessFact]

    def has(self, event: AccessEvent) -> bool:
        return event in self.made or event in self.levels

    def level_sizes(self, group: Iterable[AccessEvent]) -> Iterable[str]:
        """Names of the sizes that the rounds of these executions rest on beside others."""
        return sizes_of_levels(group, self.levels, self.seen.events, self.seen.values) if self.levels else ()

    def instead_of(self, event: AccessEvent) -> Sequence[AccessEvent]:
        """What is made instead of the execution, maybe nothing."""
        made = self.made.get(event, event)
        return () if made is None else self.levels.get(event, (made,))


def _in_rows(events: Events, dear: Iterable[int], groups: Sequence[list[AccessEvent]]) -> Made:
    """The executions of dear accesses whose lanes lie in whole rows, as those of a single one (rows_in_pieces.py)."""
    every = (event for place in dear for event in groups[place])
    found = ((event, in_whole_rows(event, events.derivations)) for event in every)
    return {event: row for event, row in found if row is not None}


def _merged(groups: AccessGroups, otherwise: _Otherwise, beside: _Beside) -> dict[int, AccessProfile]:
    """The accesses that compilers make otherwise (made_requests.py), or that cost less at the sizes that launches pass
    (seen_sizes.py), or are of levels of a tree (tree_levels.py), as they are made, by place."""
    found: dict[int, AccessProfile] = {}
    for place, group in enumerate(groups):
        seen = otherwise.sizes.get(place)
        if seen is None and not any(map(otherwise.has, group)):
            continue
        left = [event for event in group if otherwise.instead_of(event)]
        requests = [instead for event in left for instead in otherwise.instead_of(event)]
        if seen is not None:
            requests = [at for event in requests if (at := otherwise.seen.at(event)) is not None]
        fact = otherwise.costed(requests or group)
        told = beside.told(fact, requests or group, LaneMap())
        if not requests:
            never = replace(
                told.fact, times=ex.ZERO, block=replace(told.fact.block, total=ex.ZERO, executed=ex.ZERO, kept=None)
            )
            found[place] = replace(told, fact=never, traffic=replace(told.traffic, spared=True))
            continue
        names, room = ((), None) if seen is None else (seen.names, seen.room)
        traffic = replace(
            told.traffic,
            spared=told.traffic.spared or fact.worst <= fact.ideal or beside.together.are_idle(left),
            reuse=max(told.traffic.reuse, beside.together.reuse(left)),
            joined=any(request.access.width != group[0].access.width for request in requests),
            seen=tuple(dict.fromkeys((*otherwise.level_sizes(left), *names))),
            room=room,
        )
        found[place] = replace(told, fact=within_room(told.fact, room), traffic=traffic)
    return found


def _lost(
    facts: Sequence[AccessFact], groups: Sequence[list[AccessEvent]], costed: Callable[[list[AccessEvent]], AccessFact]
) -> Iterable[tuple[int, int]]:
    """What accesses to memory that is not known may cost (lost_places.py), by place; none where nothing else is there."""
    if any(fact.space is Space.GLOBAL for fact in facts):
        for place, (fact, group) in enumerate(zip(facts, groups, strict=True)):
            sectors = likely_sectors(fact, group, costed)
            if sectors:
                yield place, sectors


def _is_handed_out(fact: AccessFact, group: list[AccessEvent], events: Events) -> bool:
    """Whether the lanes' addresses differ by what a counter gave them."""
    if not fact.why.data_dependent or fact.worst <= fact.ideal:
        return False
    return all(is_handed_out(event, events) for event in group)
