"""What one execution of an event costs each warp of the block, metric by metric.

Two figures per warp: `upper` for any set of lanes that the mask allows, and `lower` for the case that exactly the lanes of
the mask's `may` run.  Whether they do is for the cost program to say (build_program.py).  Most events ask what others have
asked, so answers are kept by what they depend on.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field, replace

import numpy as np

from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, BoolVector, IntVector, some, warps_with
from analysis_core.expressions.metric import Metric
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.ir.types import Space
from analysis_core.requests.access_cost import turn_of
from analysis_core.requests.branches import event_splits, warp_splits
from analysis_core.requests.event_costs import Costs, EventCosts, worst_of
from analysis_core.requests.excess import event_excess, opening
from analysis_core.requests.facts import Divergence
from analysis_core.requests.requests import cost_key
from analysis_core.text.records import dataclass

_METRICS = {
    Space.GLOBAL: (Metric.SECTORS, Metric.EXCESSIVE_SECTORS),
    Space.SHARED: (Metric.WAVEFRONTS, Metric.CONFLICTS),
}
"""Per memory space, the metrics of a request's cost and of what it pays beyond its ideal."""


@dataclass(frozen=True, slots=True, eq=False)
class BranchCosts:
    """The splits of each warp at one execution of a branch (for a summarised loop's test: of the whole loop). `whole`:
    warps whose lanes surely agree."""

    splits: Costs
    whole: BoolVector


@dataclass(slots=True, eq=False)
class WarpCosts:
    """The costs of the events of one interpretation."""

    events: Events
    found: EventCosts
    accesses: dict[Hashable, dict[Metric, Costs]] = field(default_factory=dict)
    branches: dict[int, BranchCosts] = field(default_factory=dict)

    def access(self, index: int) -> dict[Metric, Costs]:
        """Sectors or wavefronts, and what of them is in excess; nothing for memory that is not counted."""
        event = self.events.accesses[index]
        if event.space not in _METRICS:
            return {}
        # Of requests that cost one sector or wavefront it does not matter which lanes of the mask run.
        whole = not event.mask.literals and not event.ragged
        alike = cost_key(event, turn_of(event.space))
        known = None if alike is None else self.found.paid.get((whole, alike))
        if known is not None:
            return known
        requests = None if alike is None else self.found.requests(event)
        if requests is not None and requests.free and (whole or worst_of(requests.costed) <= 1):
            self.found.paid[whole, alike] = costs = self._access(event)
            return costs
        return self._by_pattern(event)

    def of_lanes(self, index: int, lanes: BoolVector) -> IntVector:
        """The least cost of the access, sectors or wavefronts, if at least these lanes run."""
        event = self.events.accesses[index]
        return self._by_pattern(replace(event, mask=Mask(lanes)))[_METRICS[event.space][0]].lower

    def _by_pattern(self, event: AccessEvent) -> dict[Metric, Costs]:
        key = (*self.found.pattern(event), opening(event))
        if key not in self.accesses:
            self.accesses[key] = self._access(event)
        return self.accesses[key]

    def branch(self, index: int) -> BranchCosts:
        if index not in self.branches:
            self.branches[index] = self._branch(self.events.branches[index])
        return self.branches[index]

    def sure_splits(self, index: int, base: Mask) -> IntVector:
        """How often each warp surely splits at the branch if all lanes of `base` run."""
        event = self.events.branches[index]
        known = {id(entry) for entry in base.literals}
        left = tuple(entry for entry in event.mask.literals if id(entry) not in known)
        if len(left) == len(event.mask.literals) and not event.ragged:
            return self.branch(index).splits.lower
        given = replace(event, mask=Mask(event.mask.may, left), ragged=False)
        return event_splits(given, warp_splits(given, self.found.splits, self.found.splitter))[1]

    def _branch(self, event: BranchEvent) -> BranchCosts:
        entries = warp_splits(event, self.found.splits, self.found.splitter)
        upper, lower = event_splits(event, entries)
        whole = np.array([entry.split.divergence is Divergence.NEVER for entry in entries], dtype=bool)
        return BranchCosts(Costs(lower, upper), whole)

    def _access(self, event: AccessEvent) -> dict[Metric, Costs]:
        warps = len(event.mask.may) // WARP
        cost, excess = _METRICS[event.space]
        costs = Costs(np.zeros(warps, dtype=np.int64), np.zeros(warps, dtype=np.int64))
        excesses = Costs(np.zeros(warps, dtype=np.int64), np.zeros(warps, dtype=np.int64))
        first = np.ones(warps, dtype=bool)
        is_asked = self.found.excessive or excess is not Metric.EXCESSIVE_SECTORS
        for group, request, found in self.found.requests(event).costed:
            rows = np.array(group) if group else np.flatnonzero(warps_with(event.mask.may))
            beyond = event_excess(event, [(group, request, found)], self.found.excesses) if is_asked else 0
            surely = max(0, found.best - found.ideal) if not some(request.scattered) else 0
            fresh = first[rows]
            for kept, least, most in ((costs, found.best, found.worst), (excesses, surely, beyond)):
                kept.upper[rows] = np.maximum(kept.upper[rows], most)
                kept.lower[rows] = np.where(fresh, least, np.minimum(kept.lower[rows], least))
            first[rows] = False
        return {cost: costs, excess: excesses} if is_asked else {cost: costs}
