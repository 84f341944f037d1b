"""All executions of one access put together: the costs of its requests, how often they happen, what decides between them.

worst       most over all requests
best        least over the requests with the most active lanes
times       for each warp, executions are added up per trip-count expression; the most expensive warp counts
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import field, replace

import numpy as np

from analysis_core.domains.deciders import deciding_cause
from analysis_core.domains.shape import IntVector, every, some
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.expressions import expression as ex
from analysis_core.expressions.compare import simplified
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import AccessEvent, AccessKind, Held
from analysis_core.ir.nodes import AccessId
from analysis_core.ir.types import OpaqueType, Space
from analysis_core.requests.access_cost import RequestCost, ResidueCosts, request_cost
from analysis_core.requests.block_cuts import differ_by_blocks, warps_at_once
from analysis_core.requests.cases import best_case, mean_cost, together
from analysis_core.requests.certainty import certainty, depends_on_data, of_open_size, unknown_in, why_ranged
from analysis_core.requests.counts import most_expensive
from analysis_core.requests.divisible_cases import DivisibleCases, long_rows
from analysis_core.requests.event_costs import EventCosts, Requests, worst_of
from analysis_core.requests.excess import event_excess, opening
from analysis_core.requests.facts import (
    AccessFact,
    BlockCost,
    CostCase,
    Explanation,
    Kept,
    LanePicture,
    OpenLanes,
    OwnMean,
    Pattern,
    ReadWrite,
    SizeCases,
    SizeMean,
    Variation,
)
from analysis_core.requests.own_mean import Costed, own_mean
from analysis_core.requests.pictures import picture_of, stride_of
from analysis_core.requests.requests import Request
from analysis_core.requests.restrictions import restricts
from analysis_core.support.facts import Cause
from analysis_core.text.records import dataclass

_UNCOUNTED = (Space.LOCAL,)

Taken = tuple[AccessEvent, Request, RequestCost]


@dataclass(slots=True)
class Sums:
    """How often an access happens and what it costs.  `counts`: of each warp; `requests`, `totals`: of the whole block."""

    counts: dict[AccessKind, dict[Expression, IntVector]] = field(default_factory=dict)
    requests: dict[Expression, int] = field(default_factory=dict)
    totals: dict[Expression, int] = field(default_factory=dict)

    def add(self, event: AccessEvent, times: Expression, paid: int) -> None:
        """One execution that happens so many times, for which all warps pay that much."""
        per_kind = self.counts.setdefault(event.kind, {})
        per_kind[times] = per_kind.get(times, 0) + event.mask.warps
        self.requests[times] = self.requests.get(times, 0) + warps_at_once(event.mask)
        self.totals[times] = self.totals.get(times, 0) + paid

    def times(self) -> Expression:
        """Executions of the most expensive warp: a load and a store at one place count once."""
        times = ex.maximum(*(most_expensive(per_kind) for per_kind in self.counts.values()))
        return simplified(times) if isinstance(times, ex.Maximum) and len(self.counts) > 1 else times

    def is_uneven(self) -> bool:
        """Whether some warps of the block have fewer executions than others, whatever lanes do there."""
        each = (counts for per_kind in self.counts.values() for counts in per_kind.values())
        return any(int(counts.min()) != int(counts.max()) for counts in each)

    def total(self) -> Expression:
        """What all warps of a block pay."""
        return ex.add(*(ex.scale(count, times) for times, count in self.totals.items()))

    def executed(self) -> Expression:
        """The requests of all warps of a block."""
        return ex.add(*(ex.scale(count, times) for times, count in self.requests.items()))


@dataclass(slots=True)
class AccessSite:
    """The executions of one access so far.  `unsettled`: the lanes' own symbols in addresses that no cases settle."""

    events: list[AccessEvent] = field(default_factory=list)
    kinds: set[AccessKind] = field(default_factory=set)
    ids: dict[AccessId, None] = field(default_factory=dict)
    worst: RequestCost | None = None
    worst_request: Request | None = None
    worst_event: AccessEvent | None = None
    worst_active: int = 0
    best: int = 0
    most_active: int = 0
    ideals: tuple[int, int] = (0, 0)  # the least and the most of requests of so many lanes
    exact: bool = True
    single: bool = True  # worst = best for every request
    ranged: tuple[Request, RequestCost] | None = None  # the first request that is not exact
    contention: int = 0
    seen: set[Hashable] = field(default_factory=set)
    paid: dict[Hashable, int] = field(default_factory=dict)  # by the whole block in one execution
    made: dict[Hashable, Costed] = field(default_factory=dict)  # the requests of one execution
    order: list[tuple[Hashable, Expression]] = field(default_factory=list)  # what executions are like, and their number
    sums: Sums = field(default_factory=Sums)
    left: Sums = field(default_factory=Sums)  # of the executions that are left where registers keep elements
    held: Held | None = None  # of the first of them
    taken: list[Taken] = field(default_factory=list)  # the requests that differ, in order of execution
    unsettled: dict[Symbol, None] = field(default_factory=dict)
    split: bool = False
    patterns: int = 0
    tables: dict[ResidueCosts, None] = field(default_factory=dict)
    floor: int = 0
    has_case: bool = True
    excess: int = 0

    def add(self, event: AccessEvent, costs: EventCosts) -> None:
        """Takes one execution into account."""
        self.events.append(event)
        self.kinds.add(event.kind)
        self.ids[event.access.id] = None
        paid = 0 if event.space in _UNCOUNTED else self._paid(event, costs)
        self.sums.add(event, event.times, paid)
        self.left.add(event, event.times if event.held is None else event.held.times, paid)
        self.held = self.held or event.held

    def _paid(self, event: AccessEvent, costs: EventCosts) -> int:
        """What the block pays for one execution; what it is like is taken down."""
        whole = costs.pattern(event)
        opened = (whole, opening(event))
        self.order.append((opened, event.times))
        if opened in self.seen:
            return self.paid[opened]
        lanes = opened if event.mask.literals and restricts(event.mask, costs.splitter.derivation) else whole
        fresh = ("taken", lanes) not in self.seen
        self.patterns += whole not in self.seen
        self.seen |= {whole, opened, ("taken", lanes)} if fresh else {whole, opened}
        found = costs.requests(event)
        self.split = self.split or found.split
        if not found.split:
            self.unsettled.update((s, None) for s in event.address.poly.symbols() if s.level is Level.LANE)
        if fresh:
            # Of lanes that cannot all run together, the largest sets stand beside each other.
            most = max((int(np.count_nonzero(r.active)) for _, r, _ in found.costed), default=0)
            for _, request, cost in found.costed:
                self._take(event, request, cost, most if lanes is opened else int(np.count_nonzero(request.active)))
        self.excess = event_excess(event, found.costed, costs.excesses, self.excess)
        self.made[opened] = found.costed
        self.paid[opened] = _paid_by_block(event, found)
        return self.paid[opened]

    def _take(self, event: AccessEvent, request: Request, cost: RequestCost, active: int) -> None:
        """`active`: how many lanes make it at most."""
        self.taken.append((event, request, cost))
        # Of equally dear requests the one with the most lanes is shown.
        if self.worst is None or (cost.worst, active) > (self.worst.worst, self.worst_active):
            self.worst, self.worst_request, self.worst_event, self.worst_active = cost, request, event, active
        if active > self.most_active:
            self.most_active, self.best = active, cost.best
            self.ideals = (cost.ideal, cost.ideal)
        elif active == self.most_active:
            self.best = min(self.best, cost.best)
            self.ideals = (min(self.ideals[0], cost.ideal), max(self.ideals[1], cost.ideal))
        self.exact = self.exact and cost.exact
        self.single = self.single and cost.worst == cost.best
        if not cost.exact and self.ranged is None:
            self.ranged = (request, cost)
        self.contention = max(self.contention, cost.contention)
        if cost.by_residue is not None:
            self.tables[cost.by_residue] = None
        elif cost.worst == cost.least_apart:
            self.floor = max(self.floor, cost.worst)
        else:
            self.has_case = False

    def fact(self, divisible: DivisibleCases, costs: EventCosts) -> AccessFact:
        """The facts of the access over all its executions."""
        first = self.events[0]
        access = first.access
        long = self._in_long_rows(costs)
        shown = self.worst_event or first
        atomic = AccessKind.ATOMIC in self.kinds
        both = {AccessKind.READ, AccessKind.WRITE} <= self.kinds
        rw = ReadWrite.ATOMIC if atomic else ReadWrite.BOTH if both else ReadWrite(first.kind.value)
        space = _common_space(self.events)
        worst, ideal = (self.worst.worst, self.worst.ideal) if self.worst is not None else (0, 0)
        best = min(self.best, worst)
        sizes = self._sizes(divisible)
        cases = self._cases(divisible, sizes) or long
        lanes_own = [s for s in shown.address.poly.symbols() if s in self.unsettled]
        fact = AccessFact(
            ids=tuple(self.ids),
            span=access.span,
            text=access.text,
            via=access.via,
            base=shown.base,
            space=space,
            rw=rw,
            requests=2 if both else 1,
            bytes=shown.access.width,
            worst=worst,
            best=best,
            ideal=ideal,
            exact=self.exact and (worst == self.best or bool(cases)),
            certainty=certainty(space, worst, best, self.single, self.exact or bool(cases) or sizes is not None),
            pattern=self._pattern(lanes_own, shown),
            times=self.sums.times(),
            cases=cases,
            picture=self._picture(shown, space),
            open=self._open(),
            contention=self.contention if atomic else None,
            excess=self.excess,
            why=self._why(shown, lanes_own, space),
            block=self._block(),
            variation=Variation(
                ideals=self.ideals if self.ideals[0] < self.ideals[1] else None,
                sizes=sizes,
                mean=self._mean(space),
                own=self._own(),
                undecided=self.split and self.single and self.patterns == 1 and worst != best,
                pitched=self._is_pitched(shown),
            ),
        )
        return of_open_size(fact) if fact.why.unsized else fact

    def _why(self, shown: AccessEvent, lanes_own: list[Symbol], space: Space) -> Explanation:
        """`shown`: the execution that makes the dearest request; `lanes_own`: symbols of its address that no cases settle."""
        type = self.events[0].access.type
        return Explanation(
            cause=_cause(lanes_own, shown.address.poly.symbols(), space, self.exact),
            origin=shown.address.origin,
            unknown=unknown_in(self.events, self.unsettled),
            because=None if self.ranged is None else why_ranged(*self.ranged, self.events[0].access.loose),
            data_dependent=depends_on_data(self.events),
            unsized=isinstance(type, OpaqueType) and type.is_missing,
        )

    def _block(self) -> BlockCost:
        uneven = self.sums.is_uneven() or any(e.uneven for e in self.events) or differ_by_blocks(self.events)
        varied = max(event.varied for event in self.events)
        return BlockCost(self.sums.total(), self.sums.executed(), uneven, varied, self._kept())

    def _own(self) -> OwnMean | None:
        """Of requests that differ, for which at most residues decide."""
        if not self.exact or self.split or self.held is not None or len(self.taken) < 2:
            return None
        if len({cost.worst for _, _, cost in self.taken}) < 2 or any(event.varied for event in self.events):
            return None
        return own_mean(self.order, self.made)

    def _kept(self) -> Kept | None:
        if self.held is None or self.left.requests == self.sums.requests:
            return None
        return Kept(self.left.times(), self.left.total(), self.left.executed(), self.held.loop, self.held.leaving)

    def _pattern(self, lanes_own: list[Symbol], shown: AccessEvent) -> Pattern:
        cost, request = self.worst, self.worst_request
        if cost is None or request is None or some(request.scattered) or (lanes_own and cost.layout is None):
            return Pattern.UNKNOWN
        if cost.layout is None:
            return Pattern.STRIDED
        lanes = cost.layout[request.active]
        if every(lanes == lanes[0]):
            return Pattern.UNIFORM
        if cost.worst <= cost.ideal:
            return Pattern.COALESCED
        packed = int(lanes.max()) - int(lanes.min()) + shown.access.width <= 32 * cost.ideal
        if cost.least_apart <= cost.ideal or (packed and shown.space is not Space.SHARED):
            return Pattern.MISALIGNED
        steps = np.diff(lanes)
        regular = every(steps == steps[0]) or bool(request.pitches)
        return Pattern.STRIDED if regular else Pattern.SCATTERED

    def _cases(self, divisible: DivisibleCases, sizes: SizeCases | None) -> tuple[CostCase, ...]:
        """ "4 when width % 8 == 0": only where one symbol decides the cost of all requests."""
        table = together(self.tables, self.floor) if self.has_case else None
        case = None if table is None else best_case(table)
        if sizes is None and (case is None or not self.exact):
            case = self._divisible(divisible) or case
        return () if case is None else (case,)

    def _in_long_rows(self, costs: EventCosts) -> tuple[CostCase, ...]:
        """ "6 when w >= 32", where an index is taken apart by sizes that may be less than a warp.  Where it costs as much there, that is what
        is shown, and lanes are not anywhere."""
        if self.worst is None or self.exact or self.worst.worst <= self.worst.ideal:
            return ()
        found = long_rows(tuple(dict.fromkeys(event for event, _, _ in self.taken)), costs)
        if found is None:
            return ()
        if found.cost.worst < self.worst.worst:
            return (CostCase(found.when, found.cost.worst),)
        if self.unsettled and found.cost.worst == self.worst.worst:
            self.worst, self.worst_request, self.worst_event = found.cost, found.request, found.event
            self.unsettled = {}
        return ()

    def _mean(self, space: Space) -> SizeMean | None:
        """What to expect where one parameter decides on which banks lanes meet: sizes are odd as often as even."""
        table = together(self.tables, self.floor) if self.has_case and space is Space.SHARED else None
        return None if table is None else mean_cost(table)

    def _divisible(self, divisible: DivisibleCases) -> CostCase | None:
        """ "4 when w % 8 == 0 and w >= 16": where several symbols decide, or rows may share sectors."""
        if self.worst is None or self.unsettled or self.split or self.worst.worst == self.best:
            return None
        differing = tuple(dict.fromkeys(event for event, _, _ in self.taken))
        if any(event.space is not differing[0].space for event in differing):
            return None
        return divisible.case(differing, self.worst.worst, self.exact)

    def _sizes(self, divisible: DivisibleCases) -> SizeCases | None:
        """ "32 when h >= 8, 4 when h == 1", where rows at one symbolic pitch are what is dear."""
        if self.worst is None or self.worst_request is None or len(self.worst_request.pitches) != 1:
            return None
        if self.worst.worst < 2 * self.worst.ideal:
            return None  # rows that lie side by side: what their pitch decides is the alignment
        differing = tuple(dict.fromkeys(event for event, _, _ in self.taken))
        return divisible.by_pitch(differing, self.worst_request.pitches[0].monomial, self.worst.worst)

    def _picture(self, shown: AccessEvent, space: Space) -> LanePicture | None:
        if self.worst is None or self.worst_request is None or self.worst.layout is None:
            return None
        return picture_of(
            self.worst.layout, self.worst_request, space, stride_of(shown.address.poly, self.worst_request)
        )

    def _open(self) -> OpenLanes | None:
        """The lanes of the worst request where they have no layout."""
        cost, request = self.worst, self.worst_request
        if cost is None or request is None or cost.layout is not None:
            return None
        return OpenLanes(tuple(request.active.tolist()), cost.worst, cost.best, request.reach)

    def _is_pitched(self, shown: AccessEvent) -> bool:
        """Whether the dearest request costs as much if what memory says is the same for all lanes: rows at a pitch, of which each lane takes
        one element somewhere."""
        cost, request = self.worst, self.worst_request
        if cost is None or request is None or cost.layout is not None or shown.space is not Space.GLOBAL:
            return False
        if request.wraps or any(s.kind is SymbolKind.DERIVED for s in shown.address.poly.symbols()):
            return False
        alike = replace(request, scattered=np.zeros_like(request.scattered), reach=None, reach_from=None, most=None)
        return request_cost(alike, shown.space, shown.access.width, False).worst >= cost.worst


def _paid_by_block(event: AccessEvent, found: Requests) -> int:
    """What all warps that run together pay for one execution at most."""
    together = warps_at_once(event.mask)
    named = sorted((cost.worst for warps, _, cost in found.costed for _ in warps), reverse=True)
    return sum(named[:together]) or worst_of(found.costed) * together


def _common_space(events: list[AccessEvent]) -> Space:
    spaces = {event.space for event in events}
    return spaces.pop() if len(spaces) == 1 else Space.UNKNOWN


def _cause(own: list[Symbol], symbols: Iterable[Symbol], space: Space, exact: bool) -> Cause | None:
    """Why the cost is not exact: a symbol of a lane's own, else one that has a cause."""
    cause = deciding_cause(own)
    return deciding_cause(symbols) if cause is None and not exact else cause
