"""All executions of one branch put together: its class, the lanes that run, how often it is decided, how often it splits.

Splits are kept per warp (`SplitCount`): a bound of a kernel adds up what one warp pays at all its branches, and the warp
that splits most at one branch need not be the one that does at another.  An event that happens `times` per warp splits it
`upper` times as often at most.  Sure splits are counted only where the event surely happens once.  In one execution of a
summarised loop its test splits a warp at most min(rounds, distinct exit times - 1) times (loop_exits.py).
"""

from __future__ import annotations

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.deciders import asked_of_lanes
from analysis_core.domains.shape import IntVector, distinct_numbers, some_nonzero
from analysis_core.domains.symbol import Level
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import BranchEvent
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.requests.branch_runs import branch_runs
from analysis_core.requests.branches import (
    NO_SPLIT,
    Known,
    WarpSplit,
    event_splits,
    exit_spread,
    warp_splits,
    worse,
    worst_split,
)
from analysis_core.requests.case_split import Splitter
from analysis_core.requests.counts import most_expensive
from analysis_core.requests.facts import BranchFact, Explanation, Leaving, SplitCount, Splits
from analysis_core.requests.loop_exits import exit_groups, is_strided
from analysis_core.requests.loop_rounds import rounds_of
from analysis_core.requests.rounds_apart import rounds_apart, waiting
from analysis_core.support.facts import CauseKind
from analysis_core.text.span import Span

_Rows = dict[Expression, IntVector]


def branch_fact(group: list[BranchEvent], known: Known, splitter: Splitter, left_inside: bool) -> BranchFact:
    """The fact of one branch from all its events.  `known`: answers of the kernel's other branches; `splitter`: its cases.
    `left_inside`: it is the test of a loop that a `break` or a `return` leaves, too."""
    first = group[0]
    split = NO_SPLIT
    counts: _Rows = {}
    entries = [warp_splits(event, known, splitter) for event in group]
    for event, found in zip(group, entries, strict=True):
        split = worse(split, worst_split(found))
        _add(counts, event.times, event.mask.warps)
    upper, lower = _splits(group, entries, left_inside)
    conditions = [c for event in group for c in event.conditions]
    cause = next((c for c in (condition.cause for condition in conditions) if c is not None), None)
    if cause is not None and cause.kind is CauseKind.DATA:
        cause = asked_of_lanes(conditions) or cause
    is_loop = isinstance(first.kind, LoopKind)
    exits = exit_spread(group) if is_loop else None
    apart = rounds_apart(group, left_inside) if is_loop else None
    return BranchFact(
        span=first.span,
        kind=first.kind,
        via=first.via,
        divergence=split.divergence,
        work=first.work,
        times=most_expensive(counts),
        splits=Splits((split.least, split.most), _rows(upper, lower), most_expensive(upper), most_expensive(lower)),
        whole=first.whole,
        runs=branch_runs(group) if isinstance(first.kind, IfKind) or first.kind == "switch" else None,
        leaving=Leaving(
            rounds=rounds_of(group),
            spread=apart,
            exits=exits,
            groups=exit_groups(group) if exits else 0,
            waiting=waiting(group) if apart is not None and apart > 1 else None,
            strided=is_loop and exits is None and is_strided(group),
        ),
        why=Explanation(cause, _branch_origin(group)),
    )


def splits_by_warp(fact: BranchFact) -> tuple[tuple[Expression, Expression], ...]:
    """(sure, most) splits of each warp of the block at this branch; empty if no warp ever splits."""
    rows = fact.splits.rows
    warps = len(rows[0].upper) if rows else 0
    return tuple(
        (
            ex.add(*(ex.scale(row.lower[w], row.times) for row in rows)),
            ex.add(*(ex.scale(row.upper[w], row.times) for row in rows)),
        )
        for w in range(warps)
    )


def _splits(group: list[BranchEvent], entries: list[list[WarpSplit]], left_inside: bool) -> tuple[_Rows, _Rows]:
    """The most and the sure splits per warp."""
    upper: _Rows = {}
    lower: _Rows = {}
    for event, found in zip(group, entries, strict=True):
        if all(entry.upper == 0 for entry in found):
            continue
        most, sure = event_splits(event, found)
        if not some_nonzero(most):
            continue
        if event.iteration is None:
            _add(upper, event.times, most)
            if event.times == ex.ONE and some_nonzero(sure):
                _add(lower, ex.ONE, sure)
            continue
        for exits in distinct_numbers(most[most > 0]).tolist():
            _add(upper, _splits_of_loop(event, exits, left_inside), (most == exits).astype(np.int64))
    return upper, lower


def _splits_of_loop(event: BranchEvent, exits: int, left_inside: bool) -> Expression:
    """How often the test of a summarised loop splits a warp whose lanes leave at `exits` + 1 different times.  The last time it splits nobody,
    unless it is a `break` or a `return` that all others leave by."""
    if event.entered is None:
        return event.times
    if exits == 1:
        return event.entered  # no lane can leave apart from the others in a loop without rounds; not worth a min(1, ..)
    rounds = event.times if left_inside else ex.subtract(event.times, event.entered)
    return ex.minimum(rounds, ex.scale(exits, event.entered))


def _rows(upper: _Rows, lower: _Rows) -> tuple[SplitCount, ...]:
    rows = []
    for times, most in upper.items():
        sure = lower.get(times)
        rows.append(SplitCount(times, tuple(most.tolist()), tuple((most * 0 if sure is None else sure).tolist())))
    return tuple(rows)


def _add(counts: _Rows, times: Expression, rows: IntVector) -> None:
    counts[times] = counts[times] + rows if times in counts else rows


def _branch_origin(group: list[BranchEvent]) -> Span | None:
    for event in group:
        for condition in event.conditions:
            if condition.atom is not None and condition.atom.poly is not None:
                if pl.level(condition.atom.poly) is Level.LANE:
                    return condition.atom.cause.span if condition.atom.cause is not None else None
    return None
