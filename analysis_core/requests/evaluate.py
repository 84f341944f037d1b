"""From events to facts: the executions of each access and of each branch, put together.

What requests and branches cost is asked of `event_costs`, once per distinct pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

from analysis_core.domains.symbol import SymbolKind
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.interp.core.trace import Looped, walk
from analysis_core.ir.early_exits import loops_left_inside
from analysis_core.ir.layout import may_rest_on_guesses
from analysis_core.ir.nodes import AccessId, Kernel
from analysis_core.ir.types import Space, says_launched
from analysis_core.program.launch import Launch
from analysis_core.requests.access_facts import AccessSite
from analysis_core.requests.branch_facts import branch_fact
from analysis_core.requests.certainty import of_open_size
from analysis_core.requests.divisible_cases import DivisibleCases
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.facts import AccessFact, BranchFact, Divergence, KernelFacts, ReadWrite, SymbolInfo, Trips
from analysis_core.requests.index_story import Definitions, definitions, story_of, story_of_branch
from analysis_core.requests.loop_waits import with_waits
from analysis_core.requests.site_memo import Remembering, Sites
from analysis_core.requests.spread import spread_of
from analysis_core.support.facts import Assumption
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_RECOSTED = 512
"""Executions that are costed again under conditions on sizes."""

_GUESSED = "its place, or who comes here, rests on a type that is not known"

AccessGroups = Sequence[list[AccessEvent]]
BranchGroups = Sequence[list[BranchEvent]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The facts of one kernel under one launch, and what they were found from.  `groups`, `tests`: the executions of each access and the tests of
    each branch, in the order of the facts.  `costed`: the fact of other executions of an access, as if these were all that it has."""

    facts: KernelFacts
    groups: AccessGroups
    tests: BranchGroups
    costs: EventCosts
    costed: Callable[[list[AccessEvent]], AccessFact]


def evaluate(
    kernel: Kernel, launch: Launch, events: Events, costs: EventCosts | None = None, sites: Sites | None = None
) -> Evaluation:
    """All facts of one kernel under one launch configuration. `costs`: the costs of the events, completed here.
    `sites`: facts of accesses and branches that were found before (site_memo.py)."""
    costs = costs or EventCosts.of(events)
    divisible = DivisibleCases(_MOST_RECOSTED)
    past = None if sites is None else Remembering(sites, events, costs.splitter, divisible, launch.block)
    groups, tests = access_groups(events), branch_groups(events)
    guessed, open_ = _guessed(kernel), any(says_launched(one.text) for one in kernel.assumptions)
    known, left = definitions(kernel, launch.block), loops_left_inside(kernel)

    trips = {node.counter: node.trips for node in walk(events.trace) if isinstance(node, Looped)}

    def costed(group: list[AccessEvent]) -> AccessFact:
        fact = _explained(_of_access(group, costs, divisible, past), group, events, known, trips)
        return of_open_size(fact, _GUESSED) if open_ or not guessed.isdisjoint(fact.ids) else fact

    accesses = tuple(map(costed, groups))
    branches = tuple(_told(_of_branch(group, costs, past, left), known) for group in tests)
    grid = None if events.grid is None else tuple(ex.to_python(extent) for extent in events.grid)
    facts = KernelFacts(
        launch.block,
        grid,  # type: ignore[arg-type]  # three texts, one per axis
        launch.source,
        launch.span,
        accesses,
        with_waits(kernel, tests, branches),
        tuple(_symbol_infos(events, kernel)),
        _distinct((*launch.assumptions, *kernel.assumptions, *events.assumptions)),
        tuple(dict.fromkeys((*events.unknowns, *events.coarse))),
        events.rejected,
    )
    return Evaluation(facts, groups, tests, costs, costed)


def _guessed(kernel: Kernel) -> frozenset[AccessId]:
    """The accesses that rest on sizes which nobody says."""
    if not may_rest_on_guesses(kernel):
        return frozenset()
    from analysis_core.ir.guessed_sizes import guessed_accesses

    return guessed_accesses(kernel)


def _of_access(
    group: list[AccessEvent], costs: EventCosts, divisible: DivisibleCases, past: Remembering | None
) -> AccessFact:
    def make() -> AccessFact:
        return site_of(group, costs).fact(divisible, costs)

    return make() if past is None else past.access(group, make)


def _explained(
    fact: AccessFact, group: list[AccessEvent], events: Events, known: Definitions, trips: Trips
) -> AccessFact:
    """The fact with the way from threadIdx into its index, and how far apart its lanes are where sizes decide that."""
    story = story_of(group[0].access.id, fact.span, known, fact.space is Space.SHARED)
    spread = spread_of(group, events) if fact.worst > fact.ideal and fact.open is not None else None
    ids = tuple(dict.fromkeys(event.access.id for event in group))
    why = replace(fact.why, story=story)
    fact = replace(fact, ids=ids, why=why, variation=replace(fact.variation, spread=spread))
    if fact.space is Space.GLOBAL and fact.rw is ReadWrite.READ:
        return _with_reuse(fact, group, trips)
    return fact if fact.contention is None else _with_meeting(fact, group)


def _with_reuse(fact: AccessFact, group: list[AccessEvent], trips: Trips) -> AccessFact:
    if len(group) == 1 and not any(s.kind is SymbolKind.ITERATION for s in group[0].address.poly.symbols()):
        return fact
    from analysis_core.requests.contention import come_together
    from analysis_core.requests.reuse import reuse_of

    return replace(fact, reuse=reuse_of(group, trips), together=come_together(group))


def _with_meeting(fact: AccessFact, group: list[AccessEvent]) -> AccessFact:
    from analysis_core.requests.contention import come_together, meeting

    found, most = meeting(group), fact.contention or 0
    warps = max(int(event.mask.warps.sum()) for event in group)
    return replace(fact, meets=(min(found.warp, most), min(found.block, most * warps)), together=come_together(group))


def _of_branch(
    group: list[BranchEvent], costs: EventCosts, past: Remembering | None, left: frozenset[Span]
) -> BranchFact:
    left_inside = group[0].span in left

    def make() -> BranchFact:
        return branch_fact(group, costs.splits, costs.splitter, left_inside)

    return make() if past is None else past.branch(group, left_inside, make)


def _told(fact: BranchFact, known: Definitions) -> BranchFact:
    """The fact with the reason why its lanes differ, where they do."""
    agree = fact.divergence is Divergence.NEVER and not fact.leaving.exits
    return fact if agree else replace(fact, why=replace(fact.why, story=story_of_branch(fact.span, known)))


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
