"""Cases of an index that is taken apart by sizes: "6 when `w >= 32`".

    int x = i % w, y = i / w;  .. in[y * pitch + x]

Of rows that are shorter than a warp several end among its lanes, in more cases than can be looked at where the parts are taken apart again, and mostly
for a cost that nobody pays.  Where rows are no shorter at most one ends there: it is asked what the access costs then.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Symbol
from analysis_core.expressions.expression import safe_name
from analysis_core.interp.core.events import AccessEvent
from analysis_core.requests.access_cost import RequestCost
from analysis_core.requests.divisible_cases import MOST_EVENTS
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.requests import Request
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class LongRows:
    """What an access costs at most under the condition `when`, and a request that costs so much there."""

    when: str
    event: AccessEvent
    request: Request
    cost: RequestCost


def long_rows(events: Sequence[AccessEvent], costs: EventCosts) -> LongRows | None:
    """What one access costs where rows are no shorter than a warp.  None where no lengths of rows decide, or there is too much to look
    at."""
    lengths = {event: costs.splitter.row_lengths(event.address.poly) for event in events}
    rows = sorted(frozenset[Symbol]().union(*lengths.values()))
    if not rows or len(events) > MOST_EVENTS:
        return None
    when = " and ".join(f"{safe_name(symbol.name)} >= {WARP}" for symbol in rows)
    found: LongRows | None = None
    for event in events:
        taken = costs.in_long_rows(event, lengths[event])
        if not taken:
            return None
        _, request, cost = max(taken, key=lambda one: one[2].worst)
        if found is None or cost.worst > found.cost.worst:
            found = LongRows(when, event, request, cost)
    return found
