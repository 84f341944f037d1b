"""What each place contributes to `steps` beside the sectors and wavefronts of its accesses: per place the most expensive warp."""

from __future__ import annotations

from analysis_core.domains.shape import IntVector
from analysis_core.expressions.bounds import LineCost
from analysis_core.expressions.expression import ZERO, Expression
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.step_counts import step_events
from analysis_core.requests.counts import most_expensive
from analysis_core.text.span import Span


def step_places(events: Events) -> tuple[LineCost, ...]:
    """The places whose statements cost steps, in order of first execution; their text is not known here."""
    counts: dict[Span, dict[Expression, IntVector]] = {}
    for event in step_events(events.executed):
        counts.setdefault(event.span, {})[event.times] = event.steps
    found = (LineCost(span, "", most_expensive(per_place)) for span, per_place in counts.items())
    return tuple(place for place in found if place.cost != ZERO)
