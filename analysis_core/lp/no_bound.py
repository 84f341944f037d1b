"""Why there is no bound, in words, with the loop that prevents it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_core.bounds.program import plus, put, times
from analysis_core.bounds.program_text import guard_text
from analysis_core.expressions.bounds import CAP, Reason
from analysis_core.lp.templates import loop_depth

if TYPE_CHECKING:
    from analysis_core.lp.study import Study


def why_no_bound(study: Study, status: str) -> Reason:
    """The reason for a status other than "optimal"."""
    if status == "infeasible":
        return _no_progress(study)
    if status == "inexact" or status.startswith("refuted"):
        return Reason("the solver's answer is not exact enough to be proved", study.first_loop)
    return Reason(f"the solver failed: {status}", study.first_loop)


def _no_progress(study: Study) -> Reason:
    """A loop with a round that brings nothing in its guard nearer to the end, else the deepest nest."""
    system = study.system
    for point in reversed(system.points):
        if not point.is_loop:
            continue
        if not point.guard:
            return Reason("the loop has no condition that ends it", point.span, CAP)
        for t in system.transitions:
            if t.source != point.index or t.target != point.index:
                continue
            changes = [plus(put(g, t.update), times(-1, g)) for g in point.guard]
            if all(not change.terms and change.constant >= 0 for change in changes):
                text = f"a round may bring the loop no nearer to its end: {guard_text(point.guard)} stays true"
                return Reason(text, point.span, CAP)
    if study.depth < loop_depth(system):
        return Reason(f"its loops are nested deeper than {study.depth}", study.first_loop, CAP)
    loop = next((p for p in system.points if p.is_loop), None)
    return Reason("no potential of the loop's counters pays for all rounds", loop.span if loop else None, CAP)
