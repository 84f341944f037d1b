"""All executions of one branch put together: its class, the lanes that run, how often it is decided."""

from __future__ import annotations

import numpy as np

from analysis_core.cost import expression as ex
from analysis_core.cost.branch_runs import branch_runs
from analysis_core.cost.branches import NO_SPLIT, classify, exit_spread, worse
from analysis_core.cost.expression import Expression
from analysis_core.cost.facts import BranchFact
from analysis_core.domains import polynomial as pl
from analysis_core.domains.shape import WARP, IntVector
from analysis_core.domains.symbol import Level
from analysis_core.interp.events import BranchEvent
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.text.span import Span


def branch_fact(group: list[BranchEvent]) -> BranchFact:
    """The fact of one branch from all its events."""
    first = group[0]
    split = NO_SPLIT
    counts: dict[Expression, IntVector] = {}
    for event in group:
        split = worse(split, classify(event))
        rows = event.mask.may.reshape(-1, WARP).any(axis=1).astype(np.int64)
        counts[event.times] = counts.get(event.times, 0) + rows  # type: ignore[assignment]
    times = ex.add(*(ex.scale(int(rows.max()), t) for t, rows in counts.items()))
    conditions = [c for event in group for c in event.conditions]
    cause = next((c for c in (condition.cause for condition in conditions) if c is not None), None)
    return BranchFact(
        span=first.span,
        kind=first.kind,
        via=first.via,
        text="",
        divergence=split.divergence,
        active=(split.least, split.most),
        work=first.work,
        spread=exit_spread(group) if isinstance(first.kind, LoopKind) else None,
        times=times,
        cause=cause,
        origin=_branch_origin(group),
        runs=branch_runs(group) if isinstance(first.kind, IfKind) or first.kind == "switch" else None,
        whole=first.whole,
    )


def _branch_origin(group: list[BranchEvent]) -> Span | None:
    for event in group:
        for condition in event.conditions:
            if condition.atom is not None and condition.atom.poly is not None:
                if pl.level(condition.atom.poly) is Level.LANE:
                    return condition.atom.cause.span if condition.atom.cause is not None else None
    return None
