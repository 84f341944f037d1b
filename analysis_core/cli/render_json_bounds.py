"""The bounds of one launch as plain data of JSON schema 1.

Where there is no bound, `upper` is null and `because` says why; so it is where an expression is nested too deeply for
Python's parser.  Every metric is there, also where nothing was computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis_core.cli.terminal import printable
from analysis_core.expressions.bounds import BoundCase, KernelBounds, LineCost, MetricBound, Reason, SumBound, WarpBound
from analysis_core.expressions.expression import MAXIMUM_DEPTH, Expression, depth, to_python, to_text
from analysis_core.expressions.metric import Metric
from analysis_core.profile.line_shares import LineShare, line_shares, merged
from analysis_core.report.findings.model import NOT_COMPUTED
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span

Json = dict[str, Any]
Names = Mapping[str, str]

_NO_SUM: Json = {"upper": None, "lower": None, "exact": False, "cases": []}

_TOO_DEEP = Reason("the expression is too deep to print", None)


def bounds_json(
    bounds: KernelBounds | None, scope: Span, names: Names, sources: Sources, sizes: Mapping[str, int]
) -> Json:
    """Metric -> bound.  `scope`: the kernel, where a reason has no place of its own; `sizes`: at which shares are taken."""
    found = {} if bounds is None else bounds.metrics
    missing = {metric.value: _missing(sources.line(scope)) for metric in Metric if metric.value not in found}
    known = {
        name: _bound(bound, scope, names, sources, line_shares(bounds, name, sizes)) for name, bound in found.items()
    }
    order = [*(metric.value for metric in Metric), *(name for name in known if name not in missing)]
    return {printable(name): {**missing, **known}[name] for name in dict.fromkeys(order)}


def work_span_json(bounds: KernelBounds | None, names: Names) -> Json | None:
    """Work, span and schedule of a block; `processors` as text of a fraction."""
    known = None if bounds is None else bounds.work_span
    if known is None:
        return None
    return {
        "work": expression_json(known.work, names),
        "span": expression_json(known.span, names),
        "processors": str(known.processors),
        "schedule": expression_json(known.schedule, names),
    }


def expression_json(expression: Expression | None, names: Names) -> str | None:
    """The text, or None where there is none or Python's parser would refuse its nesting."""
    if expression is None or depth(expression) > MAXIMUM_DEPTH:
        return None
    return to_python(expression, names)


def _missing(line: int) -> Json:
    per_warp: Json = {"upper": None, "worst_lower": None, "min_lower": None, "exact": False, "text": None}
    because = {"line": line, "reason": NOT_COMPUTED, "annotation": None}
    return {
        "per_warp": {**per_warp, "cases": [], "because": because, "method": ""},
        "per_block": _NO_SUM,
        "per_launch": _NO_SUM,
        "ideal": None,
        "places": [],
    }


def _bound(bound: MetricBound, scope: Span, names: Names, sources: Sources, shares: tuple[LineShare, ...]) -> Json:
    share = {(line.place.span, line.place.text): line.share for line in shares}
    return {
        "per_warp": _warp(bound.per_warp, scope, names, sources),
        "per_block": _sum(bound.per_block, names),
        "per_launch": _sum(bound.per_launch, names),
        "ideal": expression_json(bound.ideal, names),
        "places": [
            {**_place(place, scope, names, sources), "share": round(share.get((place.span, place.text), 0.0), 4)}
            for place in merged(bound.places)
        ],
    }


def _warp(bound: WarpBound, scope: Span, names: Names, sources: Sources) -> Json:
    upper = expression_json(bound.upper, names)
    because = None
    if upper is None:
        told = bound.because if bound.upper is None and bound.because is not None else None
        reason = told or (Reason(NOT_COMPUTED, None) if bound.upper is None else _TOO_DEEP)
        because = {
            "line": sources.line(reason.span or scope),
            "reason": printable(reason.text),
            "annotation": None if reason.annotation is None else printable(reason.annotation),
        }
    return {
        "upper": upper,
        "worst_lower": expression_json(bound.worst_lower, names),
        "min_lower": expression_json(bound.min_lower, names),
        "exact": bound.exact and upper is not None,
        "text": None if bound.upper is None else printable(to_text(bound.upper)),
        "cases": [_case(case, names, "worst_lower") for case in bound.cases],
        "because": because,
        "method": bound.method,
        **_rest(bound, scope, names, sources),
    }


def _rest(bound: WarpBound, scope: Span, names: Names, sources: Sources) -> Json:
    """Of a kernel of which some code was not understood, what all the rest pays, and what that leaves out; nothing of others."""
    known = expression_json(bound.known, names)
    excluded = [{"line": sources.line(r.span or scope), "reason": printable(r.text)} for r in bound.excluded]
    return {} if known is None else {"known": known, "excluded": excluded}


def _sum(bound: SumBound, names: Names) -> Json:
    upper = expression_json(bound.upper, names)
    lower = expression_json(bound.lower, names)
    cases = [_case(case, names, "lower") for case in bound.cases]
    return {"upper": upper, "lower": lower, "exact": bound.exact and upper is not None, "cases": cases}


def _case(case: BoundCase, names: Names, lower: str) -> Json:
    upper = expression_json(case.upper, names)
    below = expression_json(case.worst_lower, names)
    return {"when": case.when, "upper": upper, lower: below, "exact": case.exact and upper is not None}


def _place(place: LineCost, scope: Span, names: Names, sources: Sources) -> Json:
    elsewhere = {} if place.span.file == scope.file else {"path": printable(place.span.file)}
    return {
        **elsewhere,
        "line": sources.line(place.span),
        "span": [place.span.start, place.span.end],
        "text": printable(place.text),
        "cost": expression_json(place.cost, names),
    }
