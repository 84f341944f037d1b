"""What a part of a kernel's text pays at most by the facts of its places, added up: beside what cost programs say of the part (lp/kernel_bounds.py)."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.ir.types import Space
from analysis_core.requests.facts import KernelFacts
from analysis_core.text.span import Span


def paid_within(facts: KernelFacts, place: Span) -> Mapping[str, Expression]:
    """Of sectors, conflicts and divergences what a warp pays at most for what stands at a place or is called from there, as far as it is
    bounded; those that nothing there pays are left out."""
    paid: dict[str, list[Expression | None]] = {}
    for access in facts.accesses:
        if access.space in (Space.GLOBAL, Space.SHARED) and _is_within(place, access.span, access.via):
            metric, each = ("sectors", access.worst) if access.space is Space.GLOBAL else ("conflicts", access.excess)
            times = None if access.times is None else ex.scale(each * access.requests, access.times)
            paid.setdefault(metric, []).append(times)
    for branch in facts.branches:
        if _is_within(place, branch.span, branch.via):
            paid.setdefault("divergences", []).append(branch.splits.upper)
    sums = {metric: [cost for cost in costs if cost is not None] for metric, costs in paid.items()}
    return {metric: ex.add(*known) for metric, known in sums.items() if len(known) == len(paid[metric])}


def _is_within(place: Span, span: Span, via: tuple[Span, ...]) -> bool:
    return any(place.encloses(one) for one in (span, *via))
