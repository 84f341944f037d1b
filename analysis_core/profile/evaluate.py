"""From events to facts: the executions of each access and of each branch, put together.

What requests and branches cost is asked of `event_costs`, once per distinct pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from analysis_core.domains.own_data import has_own_data
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.unseen import by_unseen
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.ir.early_exits import loops_left_inside
from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.nodes import AccessId, Kernel
from analysis_core.ir.straight_lines import StraightLines, straight_lines
from analysis_core.ir.types import Space
from analysis_core.profile.by_rounds import is_by_rounds
from analysis_core.profile.edge_blocks import axis_of_one_block, is_at_edge
from analysis_core.profile.guards import MOST, Guards
from analysis_core.profile.idioms.held_rounds import held_rounds
from analysis_core.profile.idioms.open_tables import PROBES, probing_loops
from analysis_core.profile.idioms.seen_rounds import seen_rounds
from analysis_core.profile.idioms.trip_limits import trip_limits
from analysis_core.profile.idioms.waits import waiting_loops
from analysis_core.profile.inner_blocks import cost_inside
from analysis_core.profile.lane_flow import LaneFlows
from analysis_core.profile.lane_windows import most_together
from analysis_core.profile.left_overs import LeftOvers
from analysis_core.profile.near_data import NearData
from analysis_core.profile.null_arguments import unreached
from analysis_core.profile.ranks import Ranks
from analysis_core.profile.repeats import repeating_loops
from analysis_core.profile.runtime_calls import asserted, beside_runtime_calls
from analysis_core.profile.same_tests import same_tests
from analysis_core.profile.search_rounds import halving_loops, search_rounds
from analysis_core.profile.searched import Searches
from analysis_core.profile.tree_levels import Levels, sizes_of_levels, tree_levels
from analysis_core.profile.walked_rounds import walked_rounds
from analysis_core.program.launch import Launch
from analysis_core.program.size_ranges import size_ranges
from analysis_core.requests.access_facts import AccessSite
from analysis_core.requests.branch_facts import branch_fact
from analysis_core.requests.counters import is_handed_out
from analysis_core.requests.divisible_cases import DivisibleCases
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.facts import AccessFact, BranchFact, Divergence, KernelFacts, Pattern, SymbolInfo
from analysis_core.requests.index_story import Definitions, definitions, story_of, story_of_branch
from analysis_core.requests.lane_maps import LaneMap, lane_maps
from analysis_core.requests.loop_waits import with_waits
from analysis_core.requests.site_memo import Remembering, Sites
from analysis_core.requests.spread import spread_of
from analysis_core.support.facts import Assumption, Cause, CauseKind
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span
from analysis_core.traffic.at_sizes import AtSizes
from analysis_core.traffic.behind_walks import BehindWalks
from analysis_core.traffic.long_walks import step_along
from analysis_core.traffic.lost_places import likely_sectors
from analysis_core.traffic.made_requests import Made, made_requests
from analysis_core.traffic.own_arrays import own_sectors
from analysis_core.traffic.own_rows import are_own_rows
from analysis_core.traffic.row_ends import are_row_begins, are_row_ends
from analysis_core.traffic.rows_in_pieces import in_whole_rows, is_in_pieces, straddles, usual_cost
from analysis_core.traffic.seen_sizes import Seen, SeenSizes, within_room
from analysis_core.traffic.side_by_side import SideBySide, Together
from analysis_core.traffic.sweeps import is_swept

_MOST_RECOSTED = 512
"""Executions that are costed again under conditions on sizes."""


def evaluate(
    kernel: Kernel,
    launch: Launch,
    events: Events,
    settings: Settings,
    costs: EventCosts | None = None,
    sites: Sites | None = None,
) -> KernelFacts:
    """All facts of one kernel under one launch configuration.  `costs`: what is known of the events, to be added to.
    `sites`: facts of accesses and branches that were found out before (site_memo.py)."""
    costs = costs or EventCosts.of(events)
    divisible = DivisibleCases(_MOST_RECOSTED)
    past = None if sites is None else Remembering(sites, events, costs.splitter, divisible, launch.block)
    groups = access_groups(events)
    facts = [_of_access(group, costs, divisible, past) for group in groups]
    dear = [place for place, fact in enumerate(facts) if fact.worst > fact.ideal]
    maps = lane_maps(groups, dear)
    ranges = size_ranges(kernel, launch)
    lines = straight_lines(kernel) if dear else StraightLines()
    beside = _beside(
        kernel, launch, events, {e.access.id for place in dear for e in groups[place]}, ranges, lines, costs
    )
    tests = branch_groups(events)
    asked = same_tests(tests)
    left = loops_left_inside(kernel)
    branches = tuple(
        beside.told_branch(_of_branch(group, costs, past, left), group, asked.get(place, 0))
        for place, group in enumerate(tests)
    )
    branches = with_waits(kernel, tests, branches)
    made = {**_in_rows(events, dear, groups), **made_requests(kernel, events, lines)} if dear else {}
    seen = SeenSizes.of(kernel, events, launch, ranges if dear else (), settings.values)
    levels = tree_levels(events, [event for place in dear for event in groups[place]], seen.values)
    at_sizes = seen.of_groups(groups, dear)
    otherwise = _Otherwise(made, levels, at_sizes, seen, lambda group: _of_access(group, costs, divisible, past))
    merged = _merged(groups, otherwise, beside) if made or levels or at_sizes else {}
    at_them = AtSizes.of(facts, merged, groups, seen, seen.at_ends(ranges) if dear else (), beside.side_by_side)
    merged = {place: at_them.told(place, fact) for place, fact in merged.items()}
    likely = {**own_sectors(kernel, groups), **dict(_lost(facts, groups, otherwise.costed))} if dear else {}
    accesses = tuple(
        at_them.told(place, told)
        for place, (fact, group) in enumerate(zip(facts, groups, strict=True))
        for told in (beside.told(fact, group, maps.get(place, LaneMap()), merged.get(place), likely.get(place, 0)),)
    )
    grid = None if events.grid is None else tuple(ex.to_python(extent) for extent in events.grid)
    return KernelFacts(
        launch.block,
        grid,  # type: ignore[arg-type]  # three texts, one per axis
        launch.source,
        launch.span,
        accesses,
        branches,
        tuple(_symbol_infos(events, kernel)),
        _distinct((*launch.assumptions, *kernel.assumptions, *events.assumptions)),
        tuple(dict.fromkeys((*events.unknowns, *events.coarse))),
        events.rejected,
        ranges=(*ranges, *_of_trips(kernel, events, ranges, launch, settings)),
        waits=waiting_loops(kernel) if events.trips else frozenset(),
        repeats=repeating_loops(kernel) if dear else frozenset(),
        halving=tuple(halving_loops(events).items()) if events.trips else (),
    )


@dataclass(frozen=True, slots=True)
class _Beside:
    """What facts of accesses rest on beside their requests.  `together`: executions that use sectors together with others."""

    events: Events
    costs: EventCosts
    known: Definitions
    side_by_side: SideBySide
    together: Together
    ranks: Ranks
    dwarfed: Collection[AccessId]
    guards: Guards
    unseen: frozenset[str]
    near: NearData
    left: LeftOvers
    flows: LaneFlows
    scaled: frozenset[str]
    searches: Searches
    behind: BehindWalks

    def told_branch(self, fact: BranchFact, group: list[BranchEvent], asks: int) -> BranchFact:
        """The fact of these tests with all that."""
        told = _told(_of_one_number(fact, self.flows), self.known)
        return replace(
            told,
            rarity=self.guards.of_branch(group).halvings,
            by_lane=self.guards.decide(group),
            asks=asks,
            ends=self.may_end(group),
        )

    def may_end(self, group: Sequence[AccessEvent] | Sequence[BranchEvent]) -> bool:
        """Whether memory may hold back some of what is counted, by conditions or by ends of loops."""
        return any(event.cut for event in group) or self.guards.may_end(group)

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
        merged: AccessFact | None = None,
        likely: int = 0,
    ) -> AccessFact:
        """The fact of these executions with all that."""
        spared = fact.worst == 0 or self.together.are_idle(group)
        is_open = fact.worst > fact.ideal and fact.open is not None
        is_placed = is_open and fact.space is Space.GLOBAL
        is_weighed = fact.worst > fact.ideal and fact.space is Space.GLOBAL
        rows = usual_cost(group) if is_placed else None
        runs = self.ranks.usual_of_runs(group) if is_placed and rows is None else None
        is_left = self.left.holds(group)
        rarity = self.guards.of_access(group)
        few = _few_lanes(fact, group, self.events)
        return replace(
            _with_honest_cause(fact, group, self.near, self.unseen, self.flows),
            ids=tuple(dict.fromkeys(event.access.id for event in group)),
            undecided=fact.undecided and not is_by_rounds(group, self.events.derivations),
            scaled=fact.undecided and bool(self.scaled) and self.is_scaled(group),
            handed_out=_is_handed_out(fact, group, self.events, self.ranks),
            spared=spared or (merged is not None and merged.spared),
            at_edge=is_left or (fact.worst > fact.ideal and is_at_edge(group)),
            one_block=axis_of_one_block(group),
            dwarfed=all(event.access.id in self.dwarfed for event in group),
            spread=spread_of(group, self.events) if is_open else None,
            straddling=is_open and all(map(straddles, group)),
            usual=runs if rows is None else rows,
            inside=cost_inside(group, self.events.derivations, self.costs) if is_weighed else None,
            pitched=fact.pitched or runs is not None,
            rarity=max(rarity.halvings, MOST) if is_left else rarity.halvings,
            thinned=0 if is_left else rarity.thinned,
            ends=self.may_end(group),
            varied=fact.varied + self.guards.alternatives(group),
            story=story_of(group[0].access.id, fact.span, self.known, fact.space is Space.SHARED),
            lanes=lane_map.lanes,
            index=lane_map.index,
            swept=fact.pattern is Pattern.MISALIGNED and is_swept(group, prod(self.events.shape.dims)),
            merged=merged and replace(merged, lanes=lane_map.lanes, index=lane_map.index, likely=likely, few=few),
            few=few,
            likely=likely,
            sides=self.flows.sides.get(group[0].access.id, ()),
            own_rows=is_placed and are_own_rows(group),
            along=step_along(group) if is_weighed else 0,
            behind_walk=is_weighed and self.behind.holds(group),
            row_end=fact.worst > fact.ideal and fact.space is Space.GLOBAL and are_row_ends(group),
            row_begin=fact.worst > fact.ideal and fact.space is Space.GLOBAL and are_row_begins(group),
            filled=self.together.fill_sectors(group) or (merged is not None and merged.filled),
            walked=self.together.walk_rows(group) or (merged is not None and merged.walked),
            thin=self.together.share_sectors(group) or (merged is not None and merged.thin),
            searched=self.searches.of_access(group) if is_open and _is_by_data(fact) else None,
        )


def _few_lanes(fact: AccessFact, group: Sequence[AccessEvent], events: Events) -> int | None:
    """How many lanes of a warp run together at most, of global accesses that cost more than the ideal; None if all may."""
    if fact.space is not Space.GLOBAL or fact.worst <= fact.ideal:
        return None
    return most_together(group, events)


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
        definitions(kernel, launch.block),
        side_by_side,
        side_by_side.use_together(dear),
        Ranks.of(kernel, events, launch.orders),
        beside_runtime_calls(kernel) | asserted(kernel) if dear else frozenset(),
        Guards.of(kernel, events, unreached(kernel, ranges)),
        kernel.unseen if dear else frozenset(),
        NearData(events),
        LeftOvers(events.derivations),
        LaneFlows(kernel, events, dict(launch.few)),
        frozenset(launch.scaled),
        Searches(kernel, events, frozenset(launch.orders)),
        BehindWalks.of(events) if dear else BehindWalks({}),
    )


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


def _merged(groups: Sequence[list[AccessEvent]], otherwise: _Otherwise, beside: _Beside) -> dict[int, AccessFact]:
    """The accesses that compilers make otherwise (made_requests.py), or that cost less at the sizes that launches pass
    (seen_sizes.py), or are of levels of a tree (tree_levels.py), as they are made, by place."""
    found: dict[int, AccessFact] = {}
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
            found[place] = replace(told, spared=True, times=ex.ZERO, total=ex.ZERO, executed=ex.ZERO, kept=None)
            continue
        ideal = fact.worst <= fact.ideal or beside.together.are_idle(left)
        joined = any(request.access.width != group[0].access.width for request in requests)
        told = replace(
            told,
            spared=told.spared or ideal,
            filled=told.filled or beside.together.fill_sectors(left),
            walked=told.walked or beside.together.walk_rows(left),
            thin=told.thin or beside.together.share_sectors(left),
            joined=joined,
        )
        names, room = ((), None) if seen is None else (seen.names, seen.room)
        sizes = dict.fromkeys((*otherwise.level_sizes(left), *names))
        found[place] = replace(within_room(told, room), seen=tuple(sizes), room=room)
    return found


def _of_trips(
    kernel: Kernel, events: Events, ranges: Sequence[SizeRange], launch: Launch, settings: Settings
) -> Iterable[SizeRange]:
    """What is known of the lengths of loops that have a name."""
    limits = trip_limits(kernel) if events.trips else {}
    held = held_rounds(kernel, dict(launch.held)) if events.trips and launch.held else {}
    seen = seen_rounds(kernel, ranges, (loop for _, loop in events.trips), launch)
    searched = search_rounds(kernel, events) if events.trips else {}
    probing = probing_loops(kernel) if events.trips else frozenset[Span]()
    told = walked_rounds(kernel, launch, ranges, {loop for _, loop in events.trips}, settings)
    told.update(seen.rounds)
    for name, loop in events.trips:
        if loop in told:
            yield SizeRange(name, told[loop], told[loop])
        elif any(loop in found for found in (limits, seen.limits, held)):
            yield SizeRange(name, None, min(found[loop] for found in (limits, seen.limits, held) if loop in found))
        elif name in searched:
            yield SizeRange(name, None, searched[name])
        elif loop in probing:
            yield SizeRange(name, None, PROBES)


def _lost(
    facts: Sequence[AccessFact], groups: Sequence[list[AccessEvent]], costed: Callable[[list[AccessEvent]], AccessFact]
) -> Iterable[tuple[int, int]]:
    """What accesses to memory that is not known may cost (lost_places.py), by place; none where nothing else is there."""
    if any(fact.space is Space.GLOBAL for fact in facts):
        for place, (fact, group) in enumerate(zip(facts, groups, strict=True)):
            sectors = likely_sectors(fact, group, costed)
            if sectors:
                yield place, sectors


def _of_access(
    group: list[AccessEvent], costs: EventCosts, divisible: DivisibleCases, past: Remembering | None
) -> AccessFact:
    def make() -> AccessFact:
        return site_of(group, costs).fact(divisible)

    return make() if past is None else past.access(group, make)


def _with_honest_cause(
    fact: AccessFact, group: list[AccessEvent], near: NearData, unseen: frozenset[str], flows: LaneFlows
) -> AccessFact:
    """The fact; where its cause is memory, and no contents of a lane's own go into its addresses that may lead anywhere, with the
    arithmetic as cause, or what the host left in memory; and where a constant that nobody sees may make it ideal, with that."""
    derivations = near.events.derivations
    if unseen and fact.best <= fact.ideal < fact.worst:
        apart = (s for event in group for s in event.address.poly.symbols())
        why = by_unseen(apart, unseen, derivations)
        if why is not None:
            return replace(fact, cause=replace(why, span=fact.span))
    if fact.cause is None or fact.cause.kind is not CauseKind.DATA:
        return fact
    own = [s for event in group for s in event.address.poly.symbols() if s.level is Level.LANE]
    if not own:
        return fact
    if has_own_data(own, derivations, near.holds) and not all(map(is_in_pieces, group)):
        why = flows.of_access(fact, group, fact.cause) if fact.worst > fact.ideal else None
        return fact if why is None else replace(fact, cause=why)
    reason = f"a function of the lane and of what all lanes share: {fact.cause.reason}"
    if has_own_data(own, derivations):
        reason = f"memory moves lanes step by step: {fact.cause.reason}"
    return replace(fact, cause=Cause(CauseKind.ANALYSIS, reason, fact.cause.span))


def _is_by_data(fact: AccessFact) -> bool:
    """Whether memory is what its cost is blamed on."""
    return fact.cause is None or fact.cause.kind is CauseKind.DATA


def _of_one_number(fact: BranchFact, flows: LaneFlows) -> BranchFact:
    """The fact; where memory is its cause, and the host left one number in it, with that as cause."""
    if fact.cause is None or fact.cause.kind is not CauseKind.DATA or not flows.are_agreed(fact.span):
        return fact
    reason = f"the host leaves one number in all elements: {fact.cause.reason}"
    return replace(fact, cause=Cause(CauseKind.HOST, reason, fact.cause.span))


def _is_handed_out(fact: AccessFact, group: list[AccessEvent], events: Events, ranks: Ranks) -> bool:
    """Whether the lanes' addresses differ by what a counter gave them, or by what they counted."""
    if not fact.data_dependent or fact.worst <= fact.ideal:
        return False
    return all(is_handed_out(event, events) or ranks.is_position(event) for event in group)


def _of_branch(
    group: list[BranchEvent], costs: EventCosts, past: Remembering | None, left: frozenset[Span]
) -> BranchFact:
    left_inside = group[0].span in left

    def make() -> BranchFact:
        return branch_fact(group, costs.splits, costs.splitter, left_inside)

    return make() if past is None else past.branch(group, left_inside, make)


def _told(fact: BranchFact, known: Definitions) -> BranchFact:
    """The fact with the reason why its lanes differ, where they do."""
    agree = fact.divergence is Divergence.NEVER and not fact.exits
    return fact if agree else replace(fact, story=story_of_branch(fact.span, known))


def access_sites(events: Events, costs: EventCosts | None = None) -> list[AccessSite]:
    """The executions of each access, costed, in the order in which they first happen."""
    costs = costs or EventCosts.of(events)
    return [site_of(group, costs) for group in access_groups(events)]


def site_of(group: Iterable[AccessEvent], costs: EventCosts) -> AccessSite:
    """The executions of one access, costed."""
    site = AccessSite()
    for event in group:
        site.add(event, costs)
    return site


def access_groups(events: Events) -> list[list[AccessEvent]]:
    """The executions of each access, in the order in which they first happen.  The two halves of a compound assignment are one
    access."""
    groups: dict[Hashable, list[AccessEvent]] = {}
    for event in events.accesses:
        key = (event.access.span, event.access.via) if event.access.compound else event.access.id
        groups.setdefault(key, []).append(event)
    return list(groups.values())


def branch_groups(events: Events) -> list[list[BranchEvent]]:
    """The tests of each branch, in the order in which the branches are first met."""
    groups: dict[Hashable, list[BranchEvent]] = {}
    for branch in events.branches:
        groups.setdefault((branch.span, branch.whole, branch.via, branch.kind), []).append(branch)
    return list(groups.values())


def _distinct(assumptions: Iterable[Assumption]) -> tuple[Assumption, ...]:
    return tuple(dict.fromkeys(assumptions))


def _symbol_infos(events: Events, kernel: Kernel) -> Iterable[SymbolInfo]:
    spans = {kernel.variables[number].name: kernel.variables[number].span for number in kernel.parameters}
    for symbol in events.parameters:
        kind = "grid" if symbol.kind is SymbolKind.GRID else "parameter"
        yield SymbolInfo(ex.safe_name(symbol.name), symbol.name, kind, spans.get(symbol.name))
    for name, span in events.trips:
        yield SymbolInfo(name, name, "trip", span)
