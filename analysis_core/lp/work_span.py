"""Work and span of a block, and what a schedule takes that lets no issue slot idle while a warp could issue.

With work W, in issue slots, and span S, in cycles, such a schedule on P slots takes at most W/P + S (10.1145/3434306, theorem 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import MetricBound, WorkSpan
from analysis_core.expressions.expression import Expression
from analysis_core.expressions.metric import Metric
from analysis_core.machine.latencies import LATENCIES, SCHEDULERS


def work_span(metrics: Mapping[str, MetricBound], span: Expression | None, barred: bool) -> WorkSpan:
    """Work and span of a block from its bounds. Work is the steps, and sectors and wavefronts are steps already.
    `span`: that of the phases, where it is known; `barred`: whether there are barriers."""
    work = metrics[Metric.STEPS.value].per_block.upper
    if span is None:
        span = _by_weights(metrics, barred)
    schedule = None if work is None or span is None else ex.add(ex.ceil_div(work, ex.integer(SCHEDULERS)), span)
    return WorkSpan(work, span, Fraction(SCHEDULERS), schedule)


def _by_weights(metrics: Mapping[str, MetricBound], in_turn: bool) -> Expression | None:
    """What a warp takes, or all of a block one after the other, whatever they wait for: a request has one sector or wavefront at least,
    and none takes longer than a request."""
    weights = {
        Metric.STEPS: LATENCIES.step,
        Metric.SECTORS: LATENCIES.global_request - LATENCIES.step,
        Metric.WAVEFRONTS: LATENCIES.shared_request - LATENCIES.step,
    }
    parts = []
    for metric, weight in weights.items():
        bound = metrics[metric.value]
        upper = bound.per_block.upper if in_turn else bound.per_warp.upper
        if upper is None:
            return None
        parts.append(ex.scale(weight, upper))
    return ex.add(*parts)
