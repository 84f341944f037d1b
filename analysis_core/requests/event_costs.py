"""What is found out about the events of one interpretation, asked by its facts and by its cost programs alike.

Most executions of an access ask what others have asked, and so do most branches, so answers
are kept by what they depend on.  An `EventCosts` lives as long as one kernel under one launch configuration is looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import IntVector
from analysis_core.domains.symbol import Symbol
from analysis_core.domains.thread_value import keeps_distances
from analysis_core.expressions.metric import Metric
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.ir.nodes import AccessId
from analysis_core.ir.types import Space
from analysis_core.machine import shared_memory
from analysis_core.requests import maximal_sets
from analysis_core.requests.access_cost import RequestCost, period_of, request_cost, sectors_per_lane
from analysis_core.requests.branches import Known
from analysis_core.requests.case_split import MOST_LEAVES, Leaf, Splitter
from analysis_core.requests.excess import Excesses, opening
from analysis_core.requests.nearness import Distances, Nearness, most_of_clusters
from analysis_core.requests.requests import NEAR, Request, event_key, requests_of_warps, warp_request
from analysis_core.requests.restrictions import restricts
from analysis_core.requests.warp_problems import Readings
from analysis_core.support.recent import Recent
from analysis_core.text.records import dataclass

Taken = tuple[list[int], Request, RequestCost]
"""Warps, the request that they make, and its cost."""

_MOST_COSTED = 4096
"""Cases of all executions of one access: each takes some tenths of a millisecond and 10 kB."""

_MOST_CASES = 4400
"""Derived values computed again, case by case, in one kernel: each takes some tenths of a millisecond."""


@dataclass(frozen=True, slots=True, eq=False)
class Requests:
    """The different requests of an event, each with the warps that make it. No warps: the requests were found case by
    case, and any warp may make any of them. `split`: the lanes' addresses are functions of symbols that they share,
    and known in each case. `free`: the case splitter was not asked, so the answer depends on nothing that it was asked
    before."""

    split: bool
    costed: Sequence[tuple[Sequence[int], Request, RequestCost]]
    free: bool


@dataclass(frozen=True, slots=True, eq=False)
class Costs:
    """Per warp, (warps,)."""

    lower: IntVector
    upper: IntVector


@dataclass(frozen=True, slots=True, eq=False)
class EventCosts:
    """`splits`: how warps split; `excesses`: what requests pay beyond their ideal; `paid`: what warps pay for events of a
    kind (`requests.cost_key`).  `excessive`: whether anybody asks for the sectors that requests pay beyond their ideal."""

    splitter: Splitter
    nearness: Nearness
    excesses: Excesses = field(default_factory=Excesses)
    splits: Known = field(default_factory=Known)
    paid: dict[Hashable, dict[Metric, Costs]] = field(default_factory=dict)
    excessive: bool = True
    _costs: dict[Hashable, RequestCost] = field(default_factory=dict)
    _cases: dict[Hashable, tuple[Request, RequestCost, Poly]] = field(default_factory=dict)
    _requests: dict[Hashable, Requests] = field(default_factory=dict)
    _patterns: dict[AccessEvent, tuple[Hashable, ...]] = field(default_factory=dict)
    _past: Mapping[Hashable, Requests] = field(default_factory=dict)
    _executions: Mapping[AccessId, int] = field(default_factory=dict)
    _of_some: dict[tuple[int, int], tuple[RequestCost, RequestCost]] = field(default_factory=dict)

    @staticmethod
    def of(events: Events, past: EventCosts | None = None) -> EventCosts:
        """The costs of the events of one interpretation, all of them still to be found. `past`: answers for events
        over the same symbols, of an interpretation that this one continues (interp/resume/trail.py)."""
        splitter, nearness = Splitter(events.derivations, events.symbols, _MOST_CASES), Nearness(events.derivations)
        executions = Counter(event.access.id for event in events.accesses)
        if past is None:
            readings = Readings()
            excesses, splits = Excesses(readings=readings), Known(readings=readings)
            return EventCosts(splitter, nearness, excesses, splits, _executions=executions)
        older, readings = past.excesses, past.excesses.readings.handed_on()
        excesses = Excesses(
            Recent(older.answers), Recent(older.costs), Recent(older.by_mask), Recent(older.by_problem), readings
        )
        return EventCosts(
            splitter,
            nearness,
            excesses,
            Known({}, Recent(past.splits.by_problem), readings),
            Recent(past.paid),
            True,
            Recent(past._costs),
            {},
            {},
            Recent(past._patterns),
            past._requests,
            executions,
        )

    def requests(self, event: AccessEvent) -> Requests:
        """The requests of one execution; case by case where that says more."""
        key = (*self.pattern(event), opening(event), self._cases_each(event))
        found = self._requests.get(key)
        if found is None:
            known = self._past.get(key)
            found = self._requests[key] = known if known is not None and known.free else self._of_event(event)
        return found

    def plain(self, event: AccessEvent) -> list[Taken]:
        """The requests of one execution by its addresses alone, without cases."""
        found = requests_of_warps(event, period_of(event.space))
        if not event.mask.literals or not restricts(event.mask, self.splitter.derivation):
            return [(warps, r, self._cost(event, r)) for warps, r in found]
        return [taken for warps, request in found for taken in self._of_largest_sets(event, warps, request)]

    def _of_largest_sets(self, event: AccessEvent, warps: list[int], request: Request) -> list[Taken]:
        """The request for each of the largest sets of its lanes that can run together."""
        parts = maximal_sets.parts_of(event, warps, request, self.excesses)
        if parts is not None:
            return [(warps, part, self._cost(event, part)) for part in parts]
        lanes = maximal_sets.most_lanes(event, warps, request, self.excesses)
        return [(warps, request, self._of_some_lanes(event, request, self._cost(event, request), lanes))]

    def _of_some_lanes(self, event: AccessEvent, request: Request, cost: RequestCost, lanes: int) -> RequestCost:
        key = (id(cost), lanes)
        if key not in self._of_some:
            less = maximal_sets.of_some_lanes(request, cost, event.space, event.access.width, lanes)
            self._of_some[key] = less, cost
        return self._of_some[key][0]

    def pattern(self, event: AccessEvent) -> tuple[Hashable, ...]:
        """A key: events with equal keys make the same requests, apart from what holds back lanes (`excess.opening`)."""
        found = self._patterns.get(event)
        if found is None:
            whole = event_key(event, period_of(event.space))
            atomic = event.kind is AccessKind.ATOMIC
            width = (event.access.width, event.access.loose)
            found = self._patterns[event] = (event.space, width, atomic, event.extent, whole)
        return found

    def _of_event(self, event: AccessEvent) -> Requests:
        period, address = period_of(event.space), event.address
        plain = self.plain(event)
        leaves, free = None, not self.splitter.concerns(address.poly, event.mask)
        if not free:
            leaves = self.splitter.leaves(address.poly, event.mask, self._cases_each(event))
        if leaves is None:
            return Requests(False, self._nearer(event, plain), free)
        cases: list[Taken] = [([], *self._of_case(event, leaf, period)) for leaf in leaves]
        # Cases know each address, but no longer that all of them lie in a small range.
        return Requests(True, cases if worst_of(cases) <= worst_of(plain) else plain, free)

    def in_long_rows(self, event: AccessEvent, rows: frozenset[Symbol]) -> list[Taken] | None:
        """The requests of one execution where these sizes are no less than a warp; None where no cases tell them then."""
        leaves = self.splitter.leaves(event.address.poly, event.mask, self._cases_each(event), rows)
        if leaves is None:
            return None
        return [([], *self._of_case(event, leaf, period_of(event.space))) for leaf in leaves]

    def _of_case(self, event: AccessEvent, leaf: Leaf, period: int) -> tuple[Request, RequestCost]:
        """What the lanes of a case request; executions that differ in what holds them back share most of their cases, whose
        addresses are the same objects then."""
        space, width, bits = event.space, event.access.width, event.address.bits
        atomic = event.kind is AccessKind.ATOMIC
        key = (id(leaf.address), leaf.active.tobytes(), bits, width, space, atomic)
        found = self._cases.get(key)
        if found is None:
            request = warp_request(leaf.active, leaf.address, bits, width, period)
            found = self._cases[key] = request, self._cost(event, request), leaf.address
        request, cost, _ = found
        if not leaf.open:
            return request, cost
        warps = np.flatnonzero(event.mask.warps).tolist()
        return request, self._of_some_lanes(
            event, request, cost, maximal_sets.most_lanes(event, warps, request, self.excesses)
        )

    def _cases_each(self, event: AccessEvent) -> int:
        """Cases that each execution of the access may have.  It depends on nothing but the executions of this access, as do the facts
        about it, whatever else was asked (site_memo.py)."""
        times = self._executions.get(event.access.id, 1)
        return MOST_LEAVES if times * MOST_LEAVES <= _MOST_COSTED else _MOST_COSTED // times

    def _nearer(self, event: AccessEvent, plain: list[Taken]) -> list[Taken]:
        """The requests with what distances between their lanes say, where these are functions of shared values."""
        kept = keeps_distances(event.address.bits) and event.space is not Space.CONSTANT
        if not kept or not any(request.scattered.any() for _, request, _ in plain):
            return plain
        distances = self.nearness.of(event.address.poly, len(event.mask.may))
        distances = np.where(distances < NEAR, distances, np.inf)
        return [(warps, *self._with_clusters(event, warps, request, cost, distances)) for warps, request, cost in plain]

    def _with_clusters(
        self, event: AccessEvent, warps: Sequence[int], request: Request, cost: RequestCost, distances: Distances
    ) -> tuple[Request, RequestCost]:
        width, one = event.access.width, sectors_per_lane(request, event.access.width)
        if not request.scattered.any() or (event.space is Space.SHARED and width > shared_memory.WORD_BYTES):
            return request, cost
        most = max(most_of_clusters(distances[w], request.active, event.space, width, one) for w in warps)
        if most >= cost.worst:
            return request, cost
        nearer = replace(request, most=most)
        return nearer, self._cost(event, nearer)

    def _cost(self, event: AccessEvent, request: Request) -> RequestCost:
        atomic, loose = event.kind is AccessKind.ATOMIC, event.access.loose and event.space is Space.SHARED
        key = (event.space, event.access.width, atomic, loose, request.key())
        cost = self._costs.get(key)
        if cost is None:
            cost = request_cost(request, event.space, event.access.width, atomic)
            cost = self._costs[key] = replace(cost, best=min(cost.best, 1), exact=False) if loose else cost
        return cost


def worst_of(costed: Iterable[tuple[object, Request, RequestCost]]) -> int:
    """The cost of the most expensive of these requests; 0 without requests."""
    return max((cost.worst for _, _, cost in costed), default=0)
