"""What a named trip count stands for: "T17 depends on `rowptr[row + 1]`, loaded from memory."."""

from __future__ import annotations

from analysis_core.expressions.bounds import CAP
from analysis_core.ir.nodes import LoopKind
from analysis_core.report.findings.wording import decider
from analysis_core.report.line_costs import one_line
from analysis_core.requests.facts import BranchFact, KernelFacts

CAPPED = f"To cap it, write `{CAP}` above the loop."


def end_of(trip: str, facts: KernelFacts) -> str:
    """ "depends on `rowptr[row + 1]`, loaded from memory.": what decides how often the loop runs."""
    loop = _loop_of(trip, facts)
    if loop is None:
        return "is not known before the loop runs."
    inside = [a for a in facts.accesses if a.span.file == loop.span.file and _holds(loop, a.span.start)]
    if inside:
        return f"depends on `{one_line(inside[-1].text)}`, loaded from memory."
    if loop.why.cause is None:
        return "is not known before the loop runs."
    named = decider(loop.why.cause)
    return f"depends on {named}, loaded from memory." if named else f"is not known: {loop.why.cause.reason}."


def _holds(loop: BranchFact, offset: int) -> bool:
    return loop.span.start <= offset < loop.span.end


def _loop_of(trip: str, facts: KernelFacts) -> BranchFact | None:
    """The loop that a named trip count counts."""
    span = next((info.span for info in facts.symbols if info.kind == "trip" and info.source == trip), None)
    loops = (b for b in facts.branches if isinstance(b.kind, LoopKind) and span in (b.whole, b.span))
    return next(loops, None) if span is not None else None
