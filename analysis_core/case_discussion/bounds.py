"""What each variant of a case discussion pays: the certified bounds of its kernel, at the present values of its symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analysis_core.case_discussion.discuss import Counted
from analysis_core.expressions.bounds import MetricBound
from analysis_core.expressions.metric import Metric
from analysis_core.pipeline.clock import Clock
from analysis_core.pipeline.launch_stages import bound_launch, cost_launch
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store

SHOWN = (Metric.SECTORS, Metric.CONFLICTS, Metric.DIVERGENCES, Metric.STEPS)


def bounds_of(counted: Counted, settings: Settings, store: Store | None = None) -> Mapping[str, MetricBound]:
    """The bounds of the shown metrics; those that are missing are not known."""
    settings = replace(settings, bound_cases=False)
    costed = cost_launch(counted.kernel, counted.launch, settings, Clock(), store=store)
    bounds = bound_launch(counted.kernel, counted.launch, costed, settings, Clock(), store).facts.bounds
    found = {} if bounds is None else bounds.metrics
    return {metric.value: found[metric.value] for metric in SHOWN if metric.value in found}
