"""Metrics of the user's: weighted sums of the metrics and operations that are counted (`Settings.metrics`).

    [metrics.dram]
    sectors = 32
    conflicts = 1

The weights go into the ticks of a cost program, so that the bound is that of the sum: where two arms pay in different
metrics, a sum of the metrics' bounds would take the worst of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analysis_core.bounds.build_program import WarpClass
from analysis_core.bounds.program import Arm, Branch, CostProgram, Stmt, Tick, While
from analysis_core.expressions.metric import Metric

_COUNTED = frozenset(metric.value for metric in Metric)

Weights = Mapping[str, Mapping[str, int]]
"""Weighted metric -> counted metric or operation -> weight, at least 0."""


def weighted_classes(classes: tuple[WarpClass, ...], weights: Weights) -> tuple[WarpClass, ...]:
    """The classes with programs whose ticks pay the weighted metrics too, and operations by these alone."""

    def changed(program: CostProgram) -> CostProgram:
        return replace(program, body=_block(program.body, weights))

    if not weights:
        return classes
    return tuple(
        replace(found, program=changed(found.program), other=None if found.other is None else changed(found.other))
        for found in classes
    )


def _block(stmts: tuple[Stmt, ...], weights: Weights) -> tuple[Stmt, ...]:
    return tuple(_statement(stmt, weights) for stmt in stmts)


def _statement(stmt: Stmt, weights: Weights) -> Stmt:
    match stmt:
        case Tick(costs):
            return replace(stmt, costs=(*(cost for cost in costs if cost[0] in _COUNTED), *_sums(costs, weights)))
        case Branch(arms):
            return replace(stmt, arms=tuple(Arm(arm.guard, _block(arm.body, weights)) for arm in arms))
        case While(body=body):
            return replace(stmt, body=_block(body, weights))
        case _:
            return stmt


def _sums(costs: tuple[tuple[str, int, int], ...], weights: Weights) -> list[tuple[str, int, int]]:
    found = []
    for name, parts in weights.items():
        lower = sum(parts.get(metric, 0) * least for metric, least, _ in costs)
        upper = sum(parts.get(metric, 0) * most for metric, _, most in costs)
        if upper:
            found.append((name, lower, upper))
    return found
