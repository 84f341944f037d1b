"""Every expression and every text of a kernel's bounds, walked in one place: to collect symbols, and to rename them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from analysis_core.expressions.bounds import (
    BoundCase,
    KernelBounds,
    LineCost,
    MetricBound,
    Reason,
    SumBound,
    WarpBound,
    WorkSpan,
)
from analysis_core.expressions.expression import Expression

Change = Callable[[Expression], Expression]


def expressions(bounds: KernelBounds) -> Iterator[Expression]:
    """All expressions, in a fixed order."""
    for bound in bounds.metrics.values():
        yield from _present(*_of_warp(bound.per_warp), bound.ideal)
        for total in (bound.per_block, bound.per_launch):
            yield from _present(total.upper, total.lower, *_of_cases(total.cases))
        yield from (place.cost for place in bound.places)
    if bounds.work_span is not None:
        yield from _present(bounds.work_span.work, bounds.work_span.span, bounds.work_span.schedule)


def rewritten(bounds: KernelBounds, change: Change, text: Callable[[str], str]) -> KernelBounds:
    """The bounds with every expression and every text for readers changed."""

    def some(old: Expression | None) -> Expression | None:
        return None if old is None else change(old)

    def cases(old: tuple[BoundCase, ...]) -> tuple[BoundCase, ...]:
        return tuple(BoundCase(text(c.when), some(c.upper), change(c.worst_lower), c.exact, some(c.ideal)) for c in old)

    def reason(old: Reason | None) -> Reason | None:
        return None if old is None else replace(old, text=text(old.text))

    def warp(old: WarpBound) -> WarpBound:
        lower, least = change(old.worst_lower), change(old.min_lower)
        excluded = tuple(replace(each, text=text(each.text)) for each in old.excluded)
        return WarpBound(
            some(old.upper), lower, least, old.exact, cases(old.cases), reason(old.because), old.method, some(old.known), excluded
        )  # fmt: skip

    def total(old: SumBound) -> SumBound:
        return SumBound(some(old.upper), change(old.lower), old.exact, cases(old.cases))

    def metric(old: MetricBound) -> MetricBound:
        places = tuple(LineCost(place.span, text(place.text), change(place.cost)) for place in old.places)
        sums = total(old.per_block), total(old.per_launch)
        return MetricBound(old.metric, warp(old.per_warp), *sums, places, some(old.ideal))

    return replace(
        bounds,
        metrics={name: metric(bound) for name, bound in bounds.metrics.items()},
        work_span=_work_span(bounds.work_span, some),
    )


def _work_span(old: WorkSpan | None, some: Callable[[Expression | None], Expression | None]) -> WorkSpan | None:
    if old is None:
        return None
    return WorkSpan(some(old.work), some(old.span), old.processors, some(old.schedule))


def _of_warp(bound: WarpBound) -> tuple[Expression | None, ...]:
    return (bound.upper, bound.worst_lower, bound.min_lower, bound.known, *_of_cases(bound.cases))


def _of_cases(cases: tuple[BoundCase, ...]) -> Iterator[Expression | None]:
    for case in cases:
        yield case.upper
        yield case.worst_lower
        yield case.ideal


def _present(*found: Expression | None) -> Iterator[Expression]:
    return (expression for expression in found if expression is not None)
