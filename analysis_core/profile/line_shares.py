"""What each place contributes to a metric: symbolically as the bounds have it, and at representative sizes.

Bounds name places by span and text, and say what the worst warp pays there; facts name accesses and branches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.expressions.bounds import KernelBounds, LineCost
from analysis_core.expressions.expression import ZERO, Expression, add, evaluate
from analysis_core.ir.types import Space
from analysis_core.requests.facts import BranchFact, KernelFacts
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

METRIC_OF_SPACE: Mapping[Space, str] = {Space.GLOBAL: "sectors", Space.SHARED: "wavefronts"}


@dataclass(frozen=True, slots=True)
class LineShare:
    """`cost` at representative sizes, `share` of the sum over all places of the metric (0 to 1)."""

    metric: str
    place: LineCost
    cost: int
    share: float


def line_shares(bounds: KernelBounds | None, metric: str, values: Mapping[str, int]) -> tuple[LineShare, ...]:
    """The places of a metric that cost something at these sizes, greatest share first, then in source order."""
    found = [] if bounds is None or metric not in bounds.metrics else merged(bounds.metrics[metric].places)
    costs = [(value_at(place.cost, values) or 0, place) for place in found]
    total = sum(cost for cost, _ in costs)
    shares = [LineShare(metric, place, cost, cost / total) for cost, place in costs if cost > 0]
    return tuple(sorted(shares, key=lambda s: (-s.cost, s.place.span.file, s.place.span.start)))


def merged(places: Sequence[LineCost]) -> list[LineCost]:
    """The places, with the costs of places that are alike added up."""
    sums: dict[tuple[Span, str], Expression] = {}
    for place in places:
        key = place.span, place.text
        sums[key] = add(sums.get(key, ZERO), place.cost)
    return [LineCost(span, text, cost) for (span, text), cost in sums.items()]


def value_at(expression: Expression, values: Mapping[str, int]) -> int | None:
    """The value at these sizes, at least 0; None where it has none."""
    try:
        return max(0, evaluate(expression, values))
    except (ZeroDivisionError, KeyError):
        return None


def cost_of_branch(facts: KernelFacts, branch: BranchFact) -> Expression | None:
    """How often a warp splits at a branch at most, by the bounds; None where they say nothing."""
    return _splits_by_place(facts).get(branch.span)


@derived
def _splits_by_place(facts: KernelFacts) -> Mapping[Span, Expression]:
    found: dict[Span, list[Expression]] = {}
    for place in _places(facts.bounds, "divergences"):
        found.setdefault(place.span, []).append(place.cost)
    return {span: add(*costs) for span, costs in found.items()}


def cost_within(facts: KernelFacts, metric: str, area: Span) -> tuple[Expression, Expression] | None:
    """What the places inside of a statement contribute to a metric, and what all places do; None without bounds."""
    places = _places(facts.bounds, metric)
    if not places:
        return None
    inside = [place.cost for place in places if _inside(place.span, area)]
    return add(*inside), _everywhere(facts, metric)


@derived
def _everywhere(facts: KernelFacts, metric: str) -> Expression:
    """What all places contribute to a metric."""
    return add(*(place.cost for place in _places(facts.bounds, metric)))


def _places(bounds: KernelBounds | None, metric: str | None) -> tuple[LineCost, ...]:
    if bounds is None or metric is None or metric not in bounds.metrics:
        return ()
    return bounds.metrics[metric].places


def _inside(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end
