"""What a reader sees of the places of a bound: conditions as spelled, and the steps of statements line by line.

A line holds many statements of the IR, and their steps are of no interest one by one; so all steps that begin on a line are
one place, with the line as its text.  Accesses that a sum of the user's counts too keep places of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analysis_core.expressions.bounds import KernelBounds, LineCost, MetricBound
from analysis_core.expressions.expression import Expression, add
from analysis_core.expressions.metric import Metric
from analysis_core.report.branch_texts import one_line
from analysis_core.support.sources import Sources
from analysis_core.text.span import FileId, Span


def with_place_texts(bounds: KernelBounds, sources: Sources) -> KernelBounds:
    """The bounds with the texts of all places filled in."""
    return replace(bounds, metrics={name: _with_texts(bound, sources) for name, bound in bounds.metrics.items()})


def _with_texts(bound: MetricBound, sources: Sources) -> MetricBound:
    places = bound.places
    if bound.metric == Metric.STEPS.value:
        places = _by_line(places, sources)
    elif bound.metric == Metric.DIVERGENCES.value:
        places = tuple(replace(place, text=one_line(sources.text(place.span))) for place in places)
    else:
        named = tuple(place for place in places if place.text)
        places = (*named, *_by_line((place for place in places if not place.text), sources))
    return replace(bound, places=places)


def _by_line(places: Iterable[LineCost], sources: Sources) -> tuple[LineCost, ...]:
    """The costs of places that begin on one line added up, in the order of the lines."""
    found: dict[tuple[FileId, int], list[Expression]] = {}
    for place in places:
        found.setdefault((place.span.file, sources.line(place.span)), []).append(place.cost)
    sums = {key: add(*costs) for key, costs in found.items()}
    return tuple(_line(file, line, cost, sources) for (file, line), cost in sorted(sums.items(), key=lambda s: s[0]))


def _line(file: FileId, line: int, cost: Expression, sources: Sources) -> LineCost:
    index = sources.index(file)
    start, end = index.line_range(line)
    text = index.data[start:end]
    span = Span(file, start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip()))
    return LineCost(span, one_line(sources.text(span)), cost)
